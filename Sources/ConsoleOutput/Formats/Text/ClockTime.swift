import BackendKit
import Glibc

/// Times for display: UTC for programs, local time for people.
package enum ClockTime {
  /// The day, in UTC: `2026-11-25`.
  package static var today: String { String(now().prefix(10)) }

  /// The present time by RFC 3339, in UTC.
  package static func now() -> String { text(of: Int64(SystemClock.milliseconds)) }

  /// A time in milliseconds since 1970, in the same format.
  package static func text(of milliseconds: Int64) -> String {
    let seconds = Int(milliseconds / 1000)
    let clock = "\(CivilDate.clock(seconds % 86_400)).\(String(milliseconds % 1000, digits: 3))"
    return "\(CivilDate.text(seconds / 86_400))T\(clock)Z"
  }

  /// The local time of day, with the day if it is not today.
  package static func shown(_ milliseconds: Int64) -> String {
    var (moment, now) = (time_t(milliseconds / 1000), time(nil))
    var (then, today) = (tm(), tm())
    localtime_r(&moment, &then)
    localtime_r(&now, &today)
    let clock = CivilDate.clock(Int(then.tm_hour * 3600 + then.tm_min * 60 + then.tm_sec))
    if then.tm_year == today.tm_year, then.tm_yday == today.tm_yday { return clock }
    return "\(CivilDate.text(Int(1900 + then.tm_year), Int(then.tm_mon + 1), Int(then.tm_mday))) \(clock)"
  }
}
