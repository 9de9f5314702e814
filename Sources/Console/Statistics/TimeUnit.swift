import BackendKit

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
    case .day: return CivilDate.days(year, month, day)
    // The first day of 1970 was a Thursday.
    case .weekday: return (CivilDate.days(year, month, day) + 3 + 7 * 400_000) % 7
    case .hour: return digits.count > 12 ? number(11..<13).flatMap { (0...23).contains($0) ? $0 : nil } : nil
    }
  }

  func name(of place: Int) -> String {
    switch self {
    case .year: return String(place, digits: 4)
    case .month: return "\(String(place / 12, digits: 4))-\(String(place % 12 + 1, digits: 2))"
    case .day: return CivilDate.text(place)
    case .weekday: return Self.weekdays[place]
    case .hour: return String(place, digits: 2)
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
}
