import Files
import Glibc

/// The folder and file of the journal in the user's state folder. Both are checked before use: nobody else may have
/// written to them, and nobody else may read them.
struct JournalFolder: Sendable {
  let path: String

  init(state: String) { path = state + "/journal" }

  var file: String { path + "/journal.db" }

  /// True if there is a journal, or a remnant of one.
  var hasFile: Bool { [file, file + "-wal"].contains { (path: String) in access(path, F_OK) == 0 } }

  /// Creates the folder if missing, checks it, and locks it until the descriptor is closed. An empty file found under
  /// the lock is not one that another console is just creating.
  func locked() throws(FileFailure) -> Int32 {
    try OwnedFolder.prepare(of: file)
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .system }
    // Some file systems have no such locks.
    while flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
    return descriptor
  }

  /// Creates the file if missing, checks it, and returns its path without links. Throws if it is unusable, or a former
  /// journal is gone. The folder must be locked.
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

  /// Deletes a file that could not be initialized, so that no later run takes it for one that lost its entries. The
  /// folder must be locked.
  func discard() { for end in ["", "-wal", "-shm"] { unlink(file + end) } }

  private static let remedy = "restore it from a backup, or move the remaining files away to start a new one"

  // MARK: Marks

  private static let markPrefix = "open-"

  /// Creates a mark that this process writes. From it alone, later starts see that there may be unknown outcomes.
  func mark() {
    let descriptor = open(
      path + "/" + Self.markPrefix + JournalProcess.own, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
    if descriptor >= 0 { close(descriptor) }
  }

  func unmark() { unlink(path + "/" + Self.markPrefix + JournalProcess.own) }

  /// The ended processes whose marks are left.
  func endedMarks() -> [String] {
    let marks = (FolderListing.names(in: path) ?? []).filter { $0.hasPrefix(Self.markPrefix) }
    return marks.map { String($0.dropFirst(Self.markPrefix.count)) }.filter { !JournalProcess.isRunning($0) }
  }

  func unmark(_ processes: [String]) {
    for process in processes { unlink(path + "/" + Self.markPrefix + process) }
  }
}
