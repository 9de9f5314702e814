/// The unit by which the moments of a field are grouped. Moments are taken as written, in their own time zone.
enum TimeUnit: String, CaseIterable, Sendable {
  case year, month, day, hour, weekday

  /// The maximum number of consecutive empty places that are filled in.
  private static let longest = 400
  private static let weekdays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]

  /// The index of the unit with a moment such as `2026-11-21T10:00:00Z`; nil if the text is none.
  func place(of text: String) -> Int? {
    let digits = Array(text.utf8.prefix(19))
    func number(_ range: Range<Int>) -> Int? {
      guard digits.count >= range.upperBound else { return nil }
      return digits[range].allSatisfy { (0x30...0x39).contains($0) }
        ? digits[range].reduce(0) { $0 * 10 + Int($1) - 0x30 } : nil
    }
    guard let year = number(0..<4), digits.count >= 10, digits[4] == 0x2D, digits[7] == 0x2D,
      let month = number(5..<7), (1...12).contains(month), let day = number(8..<10), (1...31).contains(day)
    else { return nil }
    switch self {
    case .year: return year
    case .month: return year * 12 + month - 1
    case .day: return Self.days(year, month, day)
    // The first day of 1970 was a Thursday.
    case .weekday: return (Self.days(year, month, day) + 3 + 7 * 400_000) % 7
    case .hour: return digits.count > 12 ? number(11..<13).flatMap { (0...23).contains($0) ? $0 : nil } : nil
    }
  }

  func name(of place: Int) -> String {
    switch self {
    case .year: return Self.padded(place, 4)
    case .month: return "\(Self.padded(place / 12, 4))-\(Self.padded(place % 12 + 1, 2))"
    case .day:
      let date = Self.date(place)
      return "\(Self.padded(date.year, 4))-\(Self.padded(date.month, 2))-\(Self.padded(date.day, 2))"
    case .weekday: return Self.weekdays[place]
    case .hour: return Self.padded(place, 2)
    }
  }

  /// The indices from first to last, including empty ones unless there are too many.
  func places(_ met: some Collection<Int>) -> [Int] {
    switch self {
    case .weekday: return met.isEmpty ? [] : Array(0...6)
    case .hour: return met.isEmpty ? [] : Array(0...23)
    default:
      guard let first = met.min(), let last = met.max() else { return [] }
      return last - first < Self.longest ? Array(first...last) : met.sorted()
    }
  }

  private static func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
  }

  // Days since 1970-01-01 in the Gregorian calendar, with years that begin in March.
  private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let year = month <= 2 ? year - 1 : year
    let era = (year >= 0 ? year : year - 399) / 400
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  private static func date(_ days: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let part = (5 * dayOfYear + 2) / 153
    let month = part < 10 ? part + 3 : part - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * part + 2) / 5 + 1)
  }
}
