import Glibc

/// The present time.
public enum SystemClock {
  /// Seconds since 1970.
  static var seconds: Int { time(nil) }

  /// Milliseconds since 1970.
  public static var milliseconds: Int {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return time.tv_sec * 1_000 + time.tv_nsec / 1_000_000
  }
}
