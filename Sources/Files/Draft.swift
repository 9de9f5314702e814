internal import Glibc

/// The one way to write a new file: next to the one it replaces, which stays unchanged until the new one is complete.
///
/// A draft has a random name in the real folder of its target and is created by this process exclusively, so that two
/// runs never share one, and no link or file planted by another user is written to.
package struct Draft: Sendable {
  /// The file to be replaced, links resolved.
  package let target: String
  /// The temporary file with the content.
  package let path: String
  package let descriptor: Int32
  private let folder: Int32

  /// Begins a draft. Without a `mode` the result has the mode of the file that it replaces, and its owner as far as
  /// permitted; a new file has what the umask leaves of 0666.
  ///
  /// Throws if the folder is not writable, if something other than a regular file is in the way, or if a link on the
  /// way may be another user's.
  package init(replacing path: String, mode: UInt32? = nil) throws(FileFailure) {
    let resolved = try ResolvedPath(path)
    target = resolved.path
    folder = try resolved.openFolder()
    do throws(FileFailure) {
      let old = try Self.replaced(Path.name(of: target), in: folder)
      let name: String
      (name, descriptor) = try Self.make(Path.name(of: target), in: folder, old == nil ? mode ?? 0o666 : 0o600)
      self.path = Path.join(Path.folder(of: target), name)
      if let mode { _ = fchmod(descriptor, mode) } else if let old { Self.pass(old, to: descriptor) }
    } catch {
      close(folder)
      throw error
    }
  }

  /// Appends to the content.
  package func write(_ bytes: [UInt8]) throws(FileFailure) { try OpenFile.write(bytes, to: descriptor) }

  /// Replaces the beginning of the content.
  package func rewrite(_ bytes: [UInt8]) throws(FileFailure) {
    guard pwrite(descriptor, bytes, bytes.count, 0) == bytes.count else { throw .system }
  }

  /// Replaces the target by the content. If that fails, it throws and the content stays in the draft. With `isDurable`
  /// it survives a crash of the machine immediately afterwards.
  package func finish(isDurable: Bool = false) throws(FileFailure) {
    defer { close(folder) }
    if isDurable, fsync(descriptor) != 0 {
      defer { close(descriptor) }
      throw .system
    }
    guard isStillThere else {
      close(descriptor)
      throw FileFailure("\(path), which contained the result, was replaced by another program")
    }
    guard close(descriptor) == 0, renameat(folder, Path.name(of: path), folder, Path.name(of: target)) == 0 else {
      throw .system
    }
  }

  /// True if the draft's name still refers to this file: others with write access to the folder may have replaced it.
  package var isStillThere: Bool {
    var (opened, named) = (stat(), stat())
    return fstat(descriptor, &opened) == 0
      && fstatat(folder, Path.name(of: path), &named, AT_SYMLINK_NOFOLLOW) == 0
      && opened.st_dev == named.st_dev && opened.st_ino == named.st_ino
  }

  /// Leaves the target unchanged. True: something was written, and the draft keeps it.
  package func abandon() -> Bool {
    defer { close(folder) }
    var status = stat()
    let isEmpty = fstat(descriptor, &status) != 0 || status.st_size == 0
    let isThere = isStillThere
    close(descriptor)
    if isEmpty, isThere { unlinkat(folder, Path.name(of: path), 0) }
    return !isEmpty && isThere
  }

  /// Leaves the target unchanged, and deletes the draft.
  package func discard() {
    close(descriptor)
    unlinkat(folder, Path.name(of: path), 0)
    close(folder)
  }

  // MARK: Making it

  private static let digits = Array("0123456789abcdefghjkmnpqrstvwxyz")

  private static func make(
    _ name: String, in folder: Int32, _ mode: mode_t
  ) throws(FileFailure) -> (name: String, descriptor: Int32) {
    // A name may have 255 bytes.
    let base = name.utf8.count <= 200 ? name : "result"
    while true {
      let number = UInt64.random(in: .min ... .max)
      let draft = "\(base).\(String((0..<12).map { digits[Int(number >> (5 * $0) & 31)] })).partial"
      let descriptor = openat(folder, draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY, mode)
      if descriptor >= 0 { return (draft, descriptor) }
      guard errno == EEXIST || errno == EINTR else { throw .system }
    }
  }

  /// The file to be replaced, whose mode and owner are kept; nil if there is none, or if it may have been planted by
  /// another user, who would otherwise choose who can read the result.
  private static func replaced(_ name: String, in folder: Int32) throws(FileFailure) -> stat? {
    var old = stat()
    guard fstatat(folder, name, &old, AT_SYMLINK_NOFOLLOW) == 0 else {
      guard errno == ENOENT else { throw .system }
      return nil
    }
    let found = Permissions(old)
    guard found.isRegularFile else { throw found.isFolder ? .isFolder : .isNoFile }
    if found.isOwnedByUser { return old }
    guard let place = Permissions(descriptor: folder) else { throw .system }
    return place.isWritableByOthers ? nil : old
  }

  private static func pass(_ old: stat, to descriptor: Int32) {
    var mode = old.st_mode & 0o777
    if fchown(descriptor, old.st_uid, old.st_gid) != 0, fchown(descriptor, uid_t.max, old.st_gid) != 0 {
      // Permissions of one group are not passed to another.
      var new = stat()
      if fstat(descriptor, &new) != 0 || new.st_gid != old.st_gid { mode &= ~0o070 }
    }
    _ = fchmod(descriptor, mode)
  }
}
