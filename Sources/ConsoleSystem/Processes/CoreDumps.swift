import Glibc

/// Core dumps of this process, which would hold the passwords and tokens that it has in its memory.
public enum CoreDumps {
  // Written once, at the start, and only read from then on.
  nonisolated(unsafe) private static var own: rlimit?
  private static let resource = __rlimit_resource_t(RLIMIT_CORE.rawValue)

  /// Keeps the system from writing any. To be called before there is a second thread.
  public static func forbid() {
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0 else { return }
    own = limit
    // Of a dump that goes through a pipe to a program the system asks only whether the limit is 1.
    limit.rlim_cur = min(1, limit.rlim_max)
    setrlimit(resource, &limit)
  }

  /// Runs a body that starts a program of the user's, which gets the limit that the console was started with.
  static func permitted<Result>(_ body: () -> Result) -> Result {
    guard var own else { return body() }
    var limit = rlimit()
    getrlimit(resource, &limit)
    setrlimit(resource, &own)
    defer { setrlimit(resource, &limit) }
    return body()
  }
}
