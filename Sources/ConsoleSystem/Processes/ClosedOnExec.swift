import Glibc

/// Pipes that no child inherits.
package enum ClosedOnExec {
  /// A pipe, or nil with the reason in `errno` if the system refuses. A child that another thread starts in between
  /// would still inherit it.
  package static func pipe() -> (reading: Int32, writing: Int32)? {
    var ends: [Int32] = [-1, -1]
    guard Glibc.pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }
}
