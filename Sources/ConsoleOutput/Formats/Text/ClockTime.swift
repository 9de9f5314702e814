import Glibc

/// Times for display: UTC for programs, local time for people.
package enum ClockTime {
  /// The day, in UTC: `2026-11-25`.
  package static var today: String { String(now().prefix(10)) }

  /// The present time by RFC 3339, in UTC.
  package static func now() -> String {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return text(of: time)
  }

  /// A time in milliseconds since 1970, in the same format.
  package static func text(of milliseconds: Int64) -> String {
    text(of: timespec(tv_sec: Int(milliseconds / 1000), tv_nsec: Int(milliseconds % 1000) * 1_000_000))
  }

  private static func text(of time: timespec) -> String {
    var time = time
    var utc = tm()
    gmtime_r(&time.tv_sec, &utc)
    func padded(_ number: Int, _ width: Int) -> String {
      let text = String(number)
      return String(repeating: "0", count: max(0, width - text.utf8.count)) + text
    }
    let date = "\(1900 + utc.tm_year)-\(padded(Int(utc.tm_mon) + 1, 2))-\(padded(Int(utc.tm_mday), 2))"
    let clock = [utc.tm_hour, utc.tm_min, utc.tm_sec].map { padded(Int($0), 2) }.joined(separator: ":")
    return "\(date)T\(clock).\(padded(time.tv_nsec / 1_000_000, 3))Z"
  }

  /// The local time of day, with the day if it is not today.
  package static func shown(_ milliseconds: Int64) -> String {
    var (moment, now) = (time_t(milliseconds / 1000), time(nil))
    var (then, today) = (tm(), tm())
    localtime_r(&moment, &then)
    localtime_r(&now, &today)
    func padded(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let clock = [then.tm_hour, then.tm_min, then.tm_sec].map(padded).joined(separator: ":")
    if then.tm_year == today.tm_year, then.tm_yday == today.tm_yday { return clock }
    return "\(1900 + then.tm_year)-\(padded(then.tm_mon + 1))-\(padded(then.tm_mday)) \(clock)"
  }
}
