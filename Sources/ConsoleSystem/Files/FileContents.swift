import Files
import Glibc

/// Reads a user's file into memory.
package enum FileContents {
  package static let limit = 64 << 20

  /// Returns whether a path leads to a stream that can be read only once: a pipe, a socket, a terminal.
  package static func isStream(_ path: String) -> Bool {
    var status = stat()
    guard stat(path, &status) == 0 else { return false }
    return [S_IFIFO, S_IFSOCK, S_IFCHR].contains(status.st_mode & S_IFMT)
  }

  /// Throws if the path leads over a link that another user may have put there: that user would choose the content.
  package static func checkLinks(of path: String) throws(UsageError) {
    if let reason = ResolvedPath.obstacle(toReading: path) { throw UsageError("cannot read \(path): \(reason)") }
  }

  /// The bytes of a file, at most `limit`. Throws a sentence if it cannot be read.
  package static func read(_ path: String, limit: Int = limit) throws(UsageError) -> [UInt8] {
    try Restriction.current.check(file: path)
    try checkLinks(of: path)
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    defer { if descriptor >= 0 { close(descriptor) } }
    do throws(FileFailure) {
      guard descriptor >= 0 else { throw .system }
      if let bytes = try OpenFile.rest(of: descriptor, limit: limit) { return bytes }
    } catch { throw UsageError("cannot read \(path): \(error.reason)") }
    throw UsageError("\(path) is larger than \(limit >> 20) MiB")
  }
}
