import Glibc

/// The time of day, for what a service says of it.
enum SystemClock {
  /// Seconds since 1970.
  static var seconds: Int { time(nil) }
}
