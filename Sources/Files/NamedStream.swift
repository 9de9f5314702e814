internal import Glibc

/// The one way to open a device or pipe for writing.
package enum NamedStream {
  /// Opens a device or pipe; nil for a regular file or nothing.
  ///
  /// The name of an open descriptor, such as `/dev/stdout`, means that descriptor, even if it is a regular file: what
  /// others write there before and after stays.
  ///
  /// Throws if it cannot be opened, or if a pipe may have been planted by another user, who would read what is written:
  /// it is another user's, in a folder that others may write to.
  package static func open(_ path: String) throws(FileFailure) -> Int32? {
    if let number = descriptor(named: path) {
      let copy = fcntl(number, F_DUPFD_CLOEXEC, 0)
      guard copy >= 0 else { throw .system }
      return copy
    }
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG else { return nil }
    let found = Permissions(status)
    let isDevice = [S_IFCHR, S_IFBLK].contains(status.st_mode & S_IFMT)
    if !isDevice, !found.isFolder, !found.isOwnedByUser, let place = Permissions(path: Path.folder(of: path)),
      place.isWritableByOthers
    {
      throw FileFailure("it is a pipe owned by another user (\(found.owner)) in a folder that others may write to")
    }
    let descriptor = Glibc.open(path, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else { throw .system }
    return descriptor
  }

  private static func descriptor(named path: String) -> Int32? {
    switch path {
    case "/dev/stdout": return 1
    case "/dev/stderr": return 2
    default:
      let folder = ["/dev/fd/", "/proc/self/fd/"].first { path.hasPrefix($0) }
      return folder.flatMap { Int32(path.dropFirst($0.count)) }
    }
  }
}
