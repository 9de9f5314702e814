import BackendKit
import Files
import Glibc

/// Checks the file of a socket before each connection: the system reports "connection refused" even for a plain file.
enum SocketFile {
  /// Throws `unavailable`, with a specific reason, if nobody listens at the path or another user's link leads there.
  static func check(_ path: String, of origin: Origin) throws(BackendError) {
    var status = stat()
    guard stat(path, &status) == 0 else {
      if errno == EACCES { throw denied(origin) }
      throw refused(
        origin, errno == ENOENT ? "there is no such socket" : text(errno), "check that the server is running")
    }
    guard status.st_mode & S_IFMT == S_IFSOCK else { throw refused(origin, "it is not a socket", "check the path") }
    if let link = try? ResolvedPath(path).foreignLink {
      throw refused(origin, FileFailure.foreign(link).reason, "use the path that the link points to")
    }
    guard access(path, W_OK) == 0 else { throw denied(origin) }
  }

  private static func denied(_ origin: Origin) -> BackendError {
    refused(origin, "permission denied", "only its owner or group may connect: see ls -l")
  }

  private static func refused(_ origin: Origin, _ reason: String, _ hint: String) -> BackendError {
    BackendError(.unavailable, "cannot connect to \(origin): \(reason)", effect: .notSent, hint: hint)
  }

  private static func text(_ code: CInt) -> String { String(cString: strerror(code)).lowercased() }
}
