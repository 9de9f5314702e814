import Files
import Glibc

/// The folder of the journal in the user's state folder, and the file in it, judged before they are used: nobody else may have
/// put anything there, and nobody else may read it.
struct JournalFolder: Sendable {
  let path: String

  /// The folder below the user's state folder.
  init(state: String) { path = state + "/journal" }

  /// The journal's file.
  var file: String { path + "/journal.db" }

  /// True if there is a journal, or a remnant of one.
  var hasFile: Bool { [file, file + "-wal"].contains { (path: String) in access(path, F_OK) == 0 } }

  /// Makes the folder where it is missing, judges it, and locks it until the descriptor is closed: a file that is empty then is not
  /// one that another console is beginning.
  func locked() throws(FileFailure) -> Int32 {
    try OwnedFolder.prepare(of: file)
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .system }
    // Not every file system knows such locks.
    while flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
    return descriptor
  }

  /// Makes the file where it is missing, and judges it; returns its path without links. Throws what is wrong with it, and if a
  /// history was there that is gone. The folder is to be locked.
  func prepared() throws(FileFailure) -> String {
    var status = stat()
    if lstat(file, &status) == 0 {
      if status.st_mode & S_IFMT == S_IFLNK { throw FileFailure("it is a link") }
      if status.st_mode & S_IFMT == S_IFREG, status.st_size == 0 {
        throw FileFailure("it is empty: its entries are gone; \(Self.remedy)")
      }
    } else if lstat(file + "-wal", &status) == 0, status.st_size > 0 {
      throw FileFailure("it is missing, but its file \(Path.name(of: file))-wal exists; \(Self.remedy)")
    }
    let descriptor = try AddedFile.open(file, .regular)
    defer { close(descriptor) }
    if Permissions(descriptor: descriptor)?.isReadableByOthers == true, fchmod(descriptor, 0o600) != 0 { throw .system }
    return Path.real(file)
  }

  /// Removes a file that could not be begun, so that no later run takes it for one that has lost its entries. The folder is to
  /// be locked.
  func discard() { for end in ["", "-wal", "-shm"] { unlink(file + end) } }

  private static let remedy = "restore it from a backup, or move the remaining files away to start a new one"

  // MARK: Marks

  private static let markPrefix = "open-"

  /// Leaves a mark that this process writes: whoever starts a console later sees by it alone that there may be writes whose
  /// outcome is unknown.
  func mark() {
    let descriptor = open(
      path + "/" + Self.markPrefix + JournalProcess.own, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
    if descriptor >= 0 { close(descriptor) }
  }

  /// Takes this process's mark away.
  func unmark() { unlink(path + "/" + Self.markPrefix + JournalProcess.own) }

  /// The processes that have left a mark and are over.
  func endedMarks() -> [String] {
    guard let entries = opendir(path) else { return [] }
    defer { closedir(entries) }
    var ended: [String] = []
    while let entry = readdir(entries) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      let process = String(name.dropFirst(Self.markPrefix.count))
      if name.hasPrefix(Self.markPrefix), !JournalProcess.isRunning(process) { ended.append(process) }
    }
    return ended
  }

  /// Takes away the marks of processes that are over.
  func unmark(_ processes: [String]) {
    for process in processes { unlink(path + "/" + Self.markPrefix + process) }
  }
}
