package import Files
import Glibc
import Synchronization

/// A file of lines in the state folder that is only appended to: what one run leaves for the next. It is private to its
/// owner, and survives the end of the process, but not a crash of the machine.
///
/// Its first line has its kind and the version of its format; files from before that have no such line, and are read in
/// the same way.
package final class AppendOnlyStateFile: Sendable {
  private static let version = 1

  package let path: String
  private let descriptor: Mutex<Int32>

  /// Opens a file for appending. With `isAlone` it throws if another run appends to it.
  package init(_ path: String, isAlone: Bool) throws(FileFailure) {
    self.path = path
    try OwnedFolder.prepare(of: path)
    let descriptor = try AddedFile.open(path, .regular)
    self.descriptor = Mutex(descriptor)
    if isAlone, flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      throw errno == EWOULDBLOCK ? FileFailure("\(path) is locked by another run") : .system
    }
    var status = stat()
    if fstat(descriptor, &status) == 0, status.st_size == 0 { try begin() }
  }

  deinit { descriptor.withLock { _ = close($0) } }

  /// The lines of a file; empty if there is none. Throws if others may read or change it, or a newer version wrote it.
  package static func read(_ path: String, limit: Int = 1 << 30) throws(FileFailure) -> [Substring] {
    try OwnedFolder.check(of: path)
    guard let found = OwnedFile.read(path, limit: limit) else { return [] }
    let file = try found.get()
    if let problem = file.permissions.problem { throw FileFailure("\(path) \(problem)") }
    let text = String(decoding: file.bytes, as: UTF8.self)
    var lines = text.utf8.split(separator: UInt8(ascii: "\n")).map { Substring($0) }
    guard let first = lines.first, first.hasPrefix(mark) else { return lines }
    guard let version = Int(first.dropFirst(mark.count)), version <= Self.version else {
      throw FileFailure("\(path) was written by a newer Switchboard")
    }
    lines.removeFirst()
    return lines
  }

  package func add(_ line: String) throws(FileFailure) {
    let bytes = Array("\(line)\n".utf8)
    try descriptor.withLock { descriptor throws(FileFailure) in
      guard write(descriptor, bytes, bytes.count) == bytes.count else { throw .system }
    }
  }

  /// Deletes all lines.
  package func clear() throws(FileFailure) {
    guard descriptor.withLock({ ftruncate($0, 0) }) == 0 else { throw .system }
    try begin()
  }

  /// The time of the last change, in milliseconds since 1970.
  package var changed: Int64 {
    var status = stat()
    guard descriptor.withLock({ fstat($0, &status) }) == 0 else { return 0 }
    // A file may have any time.
    return Int64(max(0, min(status.st_mtim.tv_sec, 1 << 40))) * 1000 + Int64(status.st_mtim.tv_nsec / 1_000_000)
  }

  /// Replaces all lines at once. Nothing can be added afterwards.
  package func replace(with lines: [String]) throws(FileFailure) {
    let draft = try Draft(replacing: path, mode: 0o600)
    let text = (["\(Self.mark)\(Self.version)"] + lines).joined(separator: "\n") + "\n"
    do throws(FileFailure) { try draft.write(Array(text.utf8)) } catch {
      draft.discard()
      throw error
    }
    try draft.finish()
  }

  package func remove() { unlink(path) }

  private static let mark = "switchboard "

  private func begin() throws(FileFailure) { try add("\(Self.mark)\(Self.version)") }
}
