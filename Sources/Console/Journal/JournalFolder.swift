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

  /// Whether there is a journal.
  var hasFile: Bool { access(file, F_OK) == 0 }

  /// Makes the folder and the file where they are missing, and judges both; returns the file's path without links. Throws what is
  /// wrong with them.
  func prepared() throws(FileFailure) -> String {
    try OwnedFile.makeFolder(of: file)
    if let link = try ResolvedPath(file).plantedLink {
      throw FileFailure("\(link.path) is a link of another user (\(link.owner)) in a folder that others may write to")
    }
    guard let found = Permissions(path: path), found.isFolder else { throw FileFailure("\(path) is not a folder") }
    guard found.isClosedToOthers else { throw FileFailure("\(path) is not yours alone (mode \(found.octal))") }
    if found.isReadableByOthers, chmod(path, 0o700) != 0 { throw .system }
    var status = stat()
    if lstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFLNK { throw FileFailure("it is a link") }
    let descriptor = try AddedFile.open(file, .regular)
    defer { close(descriptor) }
    if Permissions(descriptor: descriptor)?.isReadableByOthers == true, fchmod(descriptor, 0o600) != 0 { throw .system }
    return Path.real(file)
  }

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
