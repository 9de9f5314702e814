/// Days and dates of the calendar.
public enum CivilDate {
  /// Days since 1970. The calendar repeats after eras of 400 years, which begin in March.
  public static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let shifted = month > 2 ? year : year - 1
    let era = HTTPDate.floor(shifted, 400).quotient
    let ofEra = shifted - era * 400
    let ofYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return era * 146_097 + ofEra * 365 + ofEra / 4 - ofEra / 100 + ofYear - 719_468
  }

  /// The date of a number of days since 1970.
  public static func date(_ days: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = days + 719_468
    let era = HTTPDate.floor(shifted, 146_097).quotient
    let ofEra = shifted - era * 146_097
    let years = (ofEra - ofEra / 1460 + ofEra / 36_524 - ofEra / 146_096) / 365
    let ofYear = ofEra - (365 * years + years / 4 - years / 100)
    let place = (5 * ofYear + 2) / 153
    let month = place < 10 ? place + 3 : place - 9
    return (years + era * 400 + (month <= 2 ? 1 : 0), month, ofYear - (153 * place + 2) / 5 + 1)
  }

  /// A date in ISO 8601: `2026-11-24`.
  public static func text(_ year: Int, _ month: Int, _ day: Int) -> String {
    "\(String(year, digits: 4))-\(String(month, digits: 2))-\(String(day, digits: 2))"
  }

  /// The date of a number of days since 1970 in ISO 8601.
  public static func text(_ days: Int) -> String {
    let (year, month, day) = date(days)
    return text(year, month, day)
  }

  /// The time of day after a number of seconds: `09:30:00`.
  public static func clock(_ seconds: Int) -> String {
    [seconds / 3600, seconds / 60 % 60, seconds % 60].map { String($0, digits: 2) }.joined(separator: ":")
  }

  /// Returns whether a text is a calendar day in ISO 8601: four digits, two and two.
  public static func isDay(_ text: String) -> Bool {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.map(\.utf8.count) == [4, 2, 2],
      parts.allSatisfy({ $0.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 } }),
      let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2])
    else { return false }
    return isDay(year, month, day)
  }

  /// The text with its leading day moved by some days; nil if it has none, or the year would not have four digits.
  public static func moved(_ text: String, by days: Int) -> String? {
    guard let day = String(text.utf8.prefix(10)), isDay(day) else { return nil }
    let parts = day.split(separator: "-").compactMap { Int($0) }
    let (year, month, number) = date(self.days(parts[0], parts[1], parts[2]) + days)
    guard (1000...9999).contains(year) else { return nil }
    return self.text(year, month, number) + (String(text.utf8.dropFirst(10)) ?? "")
  }

  /// Returns whether the calendar has a day.
  public static func isDay(_ year: Int, _ month: Int, _ day: Int) -> Bool {
    (1...12).contains(month) && (1...length(ofMonth: month, in: year)).contains(day)
  }

  /// The number of days of a month.
  public static func length(ofMonth month: Int, in year: Int) -> Int {
    switch month {
    case 2: year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400)) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Returns whether a text is a calendar day, possibly followed by something like a time.
  static func begins(_ text: String) -> Bool {
    isDay(String(text.prefix(10))) && [nil, "T", "t", " "].contains(text.dropFirst(10).first)
  }
}
