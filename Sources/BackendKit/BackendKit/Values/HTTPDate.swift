/// Dates in header fields: `Sun, 06 Nov 1994 08:49:37 GMT`, and the two older forms that RFC 9110 lets servers send.
public enum HTTPDate {
  private static var months: [Substring] {
    "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(separator: " ")
  }

  /// The seconds since 1970 of a date; nil if it is not one. A year of two digits is at most 50 years after `now`, by
  /// default the current time.
  public static func seconds(_ text: String, now: Int? = nil) -> Int? {
    var parts = text.split(separator: " ")
    if parts.count == 4 {
      // Sunday, 06-Nov-94 08:49:37 GMT
      parts[1...1] = parts[1].split(separator: "-", omittingEmptySubsequences: false)[...]
    } else if parts.count == 5 {
      // Sun Nov  6 08:49:37 1994
      parts = [parts[0], parts[2], parts[1], parts[4], parts[3], "GMT"]
    }
    guard parts.count == 6, parts[5] == "GMT", let month = months.firstIndex(of: parts[2]) else { return nil }
    let clock = parts[4].split(separator: ":").compactMap { Int($0) }
    guard let day = Int(parts[1]), var year = Int(parts[3]), clock.count == 3, year > 0 || parts[3] == "00",
      [2, 4].contains(parts[3].utf8.count), (0...23).contains(clock[0]), (0...59).contains(clock[1]),
      (0...60).contains(clock[2])
    else { return nil }
    if parts[3].utf8.count == 2 {
      let last = CivilDate.date((now ?? SystemClock.seconds) / 86_400).year + 50
      year += last - last % 100
      if year > last { year -= 100 }
    }
    guard CivilDate.isDay(year, month + 1, day) else { return nil }
    return CivilDate.days(year, month + 1, day) * 86_400 + clock[0] * 3600 + clock[1] * 60 + clock[2]
  }

  /// The date of a number of seconds since 1970, in the years 1 to 9999.
  public static func text(_ seconds: Int) -> String {
    let (days, clock) = dayAndTime(seconds)
    let (year, month, day) = CivilDate.date(days)
    // 1970 began on a Thursday.
    let weekday = "Thu Fri Sat Sun Mon Tue Wed".split(separator: " ")[floor(days, 7).rest]
    return "\(weekday), \(padded(day)) \(months[month - 1]) \(yearText(year)) \(clock) GMT"
  }

  /// The day of a number of seconds since 1970, counted from then, and the time in it.
  static func dayAndTime(_ seconds: Int) -> (days: Int, clock: String) {
    let (days, time) = floor(seconds, 86_400)
    return (days, [time / 3600, time / 60 % 60, time % 60].map(padded).joined(separator: ":"))
  }

  /// A quotient rounded down, and the remainder, which is never negative.
  static func floor(_ number: Int, _ divisor: Int) -> (quotient: Int, rest: Int) {
    let (quotient, rest) = number.quotientAndRemainder(dividingBy: divisor)
    return rest < 0 ? (quotient - 1, rest + divisor) : (quotient, rest)
  }

  static func yearText(_ year: Int) -> String { String(String(10_000 + year).dropFirst()) }

  static func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

/// Days and dates of the calendar.
public enum CivilDate {
  /// Days since 1970. The calendar repeats after eras of 400 years, which begin in March.
  public static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let shifted = month > 2 ? year : year - 1
    let era = shifted / 400
    let ofEra = shifted - era * 400
    let ofYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return era * 146_097 + ofEra * 365 + ofEra / 4 - ofEra / 100 + ofYear - 719_468
  }

  /// The date of a number of days since 1970.
  public static func date(_ days: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = days + 719_468
    let era = shifted / 146_097
    let ofEra = shifted - era * 146_097
    let years = (ofEra - ofEra / 1460 + ofEra / 36_524 - ofEra / 146_096) / 365
    let ofYear = ofEra - (365 * years + years / 4 - years / 100)
    let place = (5 * ofYear + 2) / 153
    let month = place < 10 ? place + 3 : place - 9
    return (years + era * 400 + (month <= 2 ? 1 : 0), month, ofYear - (153 * place + 2) / 5 + 1)
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
    return "\(year)-\(HTTPDate.padded(month))-\(HTTPDate.padded(number))" + (String(text.utf8.dropFirst(10)) ?? "")
  }

  /// Returns whether the calendar has a day.
  static func isDay(_ year: Int, _ month: Int, _ day: Int) -> Bool {
    guard (1...12).contains(month) else { return false }
    let isLeap = year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
    let length =
      switch month {
      case 2: isLeap ? 29 : 28
      case 4, 6, 9, 11: 30
      default: 31
      }
    return (1...length).contains(day)
  }

  /// Returns whether a text is a calendar day, possibly followed by something like a time.
  static func begins(_ text: String) -> Bool {
    isDay(String(text.prefix(10))) && [nil, "T", "t", " "].contains(text.dropFirst(10).first)
  }
}
