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
    return "\(weekday), \(String(day, digits: 2)) \(months[month - 1]) \(String(year, digits: 4)) \(clock) GMT"
  }

  /// The day of a number of seconds since 1970, counted from then, and the time in it.
  static func dayAndTime(_ seconds: Int) -> (days: Int, clock: String) {
    let (days, time) = floor(seconds, 86_400)
    return (days, CivilDate.clock(time))
  }

  /// A quotient rounded down, and the remainder, which is never negative.
  static func floor(_ number: Int, _ divisor: Int) -> (quotient: Int, rest: Int) {
    let (quotient, rest) = number.quotientAndRemainder(dividingBy: divisor)
    return rest < 0 ? (quotient - 1, rest + divisor) : (quotient, rest)
  }
}
