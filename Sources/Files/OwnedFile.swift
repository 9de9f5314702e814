internal import Glibc

/// A file that was read as a whole, with its permissions at that time.
package struct OwnedFile: Sendable {
  package var bytes: [UInt8]
  package var permissions: Permissions
  /// The file that was read, links resolved.
  package var path: String
  /// The path under which it was read.
  private let named: String

  /// The reason why the content may be another user's, as a clause: its owner, others with write access, or a link on
  /// the way. Nil if it is the user's own.
  package var problem: String? { permissions.problem ?? linkProblem }

  /// The reason why the path to it may be another user's, as a clause; nil if it is not.
  package var linkProblem: String? {
    do throws(FileFailure) {
      let resolved = try ResolvedPath(named)
      if let link = resolved.foreignLink { return FileFailure.foreign(link).reason }
      return resolved.path == path ? nil : "it was replaced while it was being read"
    } catch {
      return error.reason
    }
  }

  /// Reads a regular file; nil if there is none, a failure with the reason if it cannot be read.
  package static func read(_ path: String, limit: Int = 4 << 20) -> Result<OwnedFile, FileFailure>? {
    // Without O_NONBLOCK a pipe of that name would block the console forever.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else {
      return errno == ENOENT || errno == ENOTDIR ? nil : .failure(.system)
    }
    defer { close(descriptor) }
    guard let permissions = Permissions(descriptor: descriptor) else { return .failure(.system) }
    guard permissions.isRegularFile else { return .failure(permissions.isFolder ? .isFolder : .isNoFile) }
    let found = Self.path(of: descriptor, path)
    guard found.hasPrefix("/") else { return .failure(.isUnnamed) }
    do throws(FileFailure) {
      guard let bytes = try OpenFile.rest(of: descriptor, limit: limit) else {
        return .failure(FileFailure("it is larger than \(limit >> 10) KiB"))
      }
      return .success(OwnedFile(bytes: bytes, permissions: permissions, path: found, named: path))
    } catch { return .failure(error) }
  }

  /// Some of the bytes of a regular file; fewer if it is shorter.
  package static func bytes(_ range: Range<Int>, of path: String) throws(FileFailure) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { throw .system }
    defer { close(descriptor) }
    guard let permissions = Permissions(descriptor: descriptor) else { throw .system }
    guard permissions.isRegularFile else { throw permissions.isFolder ? .isFolder : .isNoFile }
    return try OpenFile.bytes(range, of: descriptor)
  }

  /// Writes a file readable only by its owner, completely or not at all; a missing folder is created.
  package static func write(_ bytes: [UInt8], to path: String) throws(FileFailure) {
    try makeFolder(of: path)
    let draft = try Draft(replacing: path, mode: 0o600)
    do { try draft.write(bytes) } catch {
      draft.discard()
      throw error
    }
    do { try draft.finish(isDurable: true) } catch {
      unlink(draft.path)
      throw error
    }
  }

  /// Replaces the content that was read from a file, completely or not at all; its mode stays. Throws if the file was
  /// changed since.
  package static func replace(_ path: String, _ old: [UInt8], with new: [UInt8]) throws(FileFailure) {
    let draft = try Draft(replacing: path)
    do throws(FileFailure) {
      try draft.write(new)
      guard case .success(let now)? = read(path), now.bytes == old else {
        throw FileFailure("it was changed in the meantime")
      }
      try draft.finish(isDurable: true)
    } catch {
      draft.discard()
      throw error
    }
  }

  /// Creates missing folders on the path of a file, private to their owner.
  package static func makeFolder(of path: String) throws(FileFailure) {
    var folder = path.hasPrefix("/") ? "" : "."
    for part in path.split(separator: "/").dropLast() {
      folder += "/" + part
      if mkdir(folder, 0o700) == 0 || errno == EEXIST { continue }
      let failure = FileFailure.system
      guard access(folder, F_OK) == 0 else { throw failure }
    }
  }

  /// Returns the path of the file that was opened, even if the given path now leads elsewhere.
  private static func path(of descriptor: Int32, _ path: String) -> String {
    Path.target(ofLink: "/proc/self/fd/\(descriptor)") ?? Path.real(path)
  }
}
