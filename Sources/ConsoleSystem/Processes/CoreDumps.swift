import Glibc

/// Core dumps of this process, which would contain passwords and tokens from its memory.
public enum CoreDumps {
  // Written once, at the start, and only read from then on.
  nonisolated(unsafe) private static var own: rlimit?
  private static let resource = __rlimit_resource_t(RLIMIT_CORE.rawValue)

  /// Disables core dumps. To be called before there is a second thread.
  public static func forbid() {
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0 else { return }
    own = limit
    // For a dump piped to a program the system only checks whether the limit is 1.
    limit.rlim_cur = min(1, limit.rlim_max)
    setrlimit(resource, &limit)
  }

  /// Runs a body that starts a user's program, which gets the limit that the console was started with.
  static func permitted<Result>(_ body: () -> Result) -> Result {
    guard var own else { return body() }
    var limit = rlimit()
    getrlimit(resource, &limit)
    setrlimit(resource, &own)
    defer { setrlimit(resource, &limit) }
    return body()
  }
}
