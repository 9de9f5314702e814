internal import Glibc

/// The one way in which a file is opened that is added to: a history, a log, a recording, or what a user has named for results.
package enum AddedFile {
  /// The kinds of files that may be opened.
  package enum Kind: Sendable {
    /// A regular file of the user's own.
    case regular
    /// The same, or a device or pipe, since a user has named it.
    case regularOrStream
    /// Whatever a user has named, whoever owns it: a result and nothing secret goes there.
    case named
  }

  /// Opens a file for adding, made for its owner alone where there is none; one that a user has named, with what the umask
  /// leaves.
  ///
  /// Throws where it belongs to somebody else, who could read what is added, and where a link on the way may be somebody
  /// else's.
  package static func open(_ path: String, _ kind: Kind) throws(FileFailure) -> Int32 {
    if kind != .regular, let stream = try NamedStream.open(path) { return stream }
    let resolved = try ResolvedPath(path)
    let folder = try resolved.openFolder()
    defer { close(folder) }
    // Without O_NONBLOCK a pipe that has come there meanwhile would hold up the console for ever.
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

  /// Throws where an open file is not regular, or not the user's own.
  package static func check(_ descriptor: Int32) throws(FileFailure) {
    guard let permissions = Permissions(descriptor: descriptor) else { throw .system }
    guard permissions.isRegularFile else { throw permissions.isFolder ? .isFolder : .isNoFile }
    guard permissions.isOwnedByUser else { throw .foreign(permissions.owner) }
  }
}
