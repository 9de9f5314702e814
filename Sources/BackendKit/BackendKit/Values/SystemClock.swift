import Glibc

enum SystemClock {
  /// Seconds since 1970.
  static var seconds: Int { time(nil) }
}
