import Glibc

/// Pipes that no child inherits.
enum ClosedOnExec {
  /// A pipe, or nil if the system refuses. Created before there is a second thread that could fork in between.
  static func pipe() -> (reading: Int32, writing: Int32)? {
    var ends: [Int32] = [-1, -1]
    guard Glibc.pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }
}
