internal import Glibc

/// The one way to open a file for appending: a history, a log, a recording, or a file that a user has named for
/// results.
package enum AddedFile {
  package enum Kind: Sendable {
    /// A regular file of the user.
    case regular
    /// The same, or a device or pipe, since a user has named it.
    case regularOrStream
    /// Anything that a user has named, of any owner: it gets results, but no secrets.
    case named
  }

  /// Opens a file for appending. A new one is private to its owner, or has the mode of the umask if a user has named
  /// it.
  ///
  /// Throws if it belongs to another user, who could read what is appended, or if a link on the way may be another
  /// user's.
  package static func open(_ path: String, _ kind: Kind) throws(FileFailure) -> Int32 {
    if kind != .regular, let stream = try NamedStream.open(path) { return stream }
    let resolved = try ResolvedPath(path)
    let folder = try resolved.openFolder()
    defer { close(folder) }
    // Without O_NONBLOCK a pipe that was put there meanwhile would block the console forever.
    let flags = O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY | O_NONBLOCK
    let descriptor = openat(folder, Path.name(of: resolved.path), flags, kind == .named ? 0o666 : 0o600)
    guard descriptor >= 0 else { throw .system }
    if kind == .named { return descriptor }
    do throws(FileFailure) {
      try check(descriptor)
    } catch {
      close(descriptor)
      throw error
    }
    return descriptor
  }

  /// Throws if an open file is not regular, or not the user's own.
  package static func check(_ descriptor: Int32) throws(FileFailure) {
    guard let permissions = Permissions(descriptor: descriptor) else { throw .system }
    guard permissions.isRegularFile else { throw permissions.isFolder ? .isFolder : .isNoFile }
    guard permissions.isOwnedByUser else { throw .foreign(permissions.owner) }
  }
}
