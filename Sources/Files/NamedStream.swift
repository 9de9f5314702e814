internal import Glibc

/// The one way in which a device or pipe is opened for writing.
package enum NamedStream {
  /// Opens what a path leads to, as it is; nil where that is a regular file or nothing.
  ///
  /// Throws where it cannot be opened, and where a pipe may have been put there by somebody else, who would read what is
  /// written: another user's, in a folder that others may write to.
  package static func open(_ path: String) throws(FileFailure) -> Int32? {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG else { return nil }
    let found = Permissions(status)
    let isDevice = [S_IFCHR, S_IFBLK].contains(status.st_mode & S_IFMT)
    if !isDevice, !found.isFolder, !found.isOwnedByUser, let place = Permissions(path: Path.folder(of: path)),
      place.isWritableByOthers
    {
      throw FileFailure("it is a pipe of another user (\(found.owner)) in a folder that others may write to")
    }
    let descriptor = Glibc.open(path, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else { throw .system }
    return descriptor
  }
}
