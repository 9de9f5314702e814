import BackendClient
import BackendKit
import CommandLanguage
import ConsoleSetup
import ConsoleSystem
import Files
import Glibc

/// A plan file to carry out. It may be of any length, since only the places and names of writes are in memory; each
/// write is read again for its turn.
final class PlanFile: Sendable {
  struct Row: Sendable {
    let offset: Int64
    let length: Int
    let line: Int
    /// The name of the write in the progress of the plan: the digest of its content and its place among equal ones, so
    /// that no other write of an edited plan has it.
    let mark: String
  }

  private static let longest = 64 << 20

  let path: String
  let header: PlanHeader
  let rows: [Row]
  /// The resources of which the server deletes records with those of the plan; an empty name stands for orphans of any
  /// resource.
  let along: Set<String>
  private let descriptor: Int32

  /// Opens a plan and reads it to its end. Throws if it may be another user's, or is incomplete.
  init(_ path: String) throws(UsageError) {
    try Restriction.current.check(file: path)
    self.path = path
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else {
      throw UsageError("cannot read \(path): \(String(cString: strerror(errno)))")
    }
    self.descriptor = descriptor
    do throws(UsageError) {
      if let problem = Self.problem(path, descriptor) {
        throw UsageError("the plan \(path) is not used: \(problem)")
      }
      (header, rows, along) = try Self.read(path, descriptor)
    } catch {
      close(descriptor)
      throw error
    }
  }

  convenience init(_ invocation: Invocation, _ ports: CommandContext) throws {
    let word = try invocation.one(.file(.read))
    // An earlier command may write the plan.
    if let rehearsal = ports.run.rehearsal, rehearsal.writesFiles || word.isUnknown { throw rehearsal.stop() }
    try self.init(word.text)
  }

  deinit { close(descriptor) }

  private static func problem(_ path: String, _ descriptor: Int32) -> String? {
    guard let permissions = Permissions(descriptor: descriptor) else { return FileFailure.system.reason }
    if let problem = permissions.problem { return problem }
    do throws(FileFailure) { return try ResolvedPath(path).foreignLink.map { FileFailure.foreign($0).reason } } catch {
      return error.reason
    }
  }

  private static func read(_ path: String, _ descriptor: Int32) throws(UsageError) -> (PlanHeader, [Row], Set<String>) {
    var header: PlanHeader?
    var rows: [Row] = []
    var end: Int?
    var equal: [String: Int] = [:]
    var along: Set<String> = []
    var lines = LineReader(descriptor: descriptor, longest: longest)
    while let found = try lines.next(path) {
      let place = "\(path):\(found.line)"
      guard end == nil else { throw UsageError("\(place): this follows the end of the plan") }
      let object = try Self.object(found.bytes, at: place)
      do throws(PlanMistake) {
        if header == nil {
          header = try PlanHeader(object)
        } else if object.count == 1, let count = object["writes"]?.integer {
          end = count
        } else {
          let entry = try PlanEntry(object)
          if entry.write.isDeletion { along.formUnion(entry.before?.along.names ?? []) }
          let digest = entry.digest
          let count = equal[digest, default: 0] + 1
          equal[digest] = count
          let mark = count == 1 ? digest : "\(digest)-\(count)"
          rows.append(Row(offset: found.offset, length: found.bytes.count, line: found.line, mark: mark))
        }
      } catch {
        throw UsageError("\(place): \(error.reason)")
      }
    }
    guard let header else { throw UsageError("\(path) is empty, not a plan") }
    guard end == rows.count else {
      throw UsageError(
        "\(path) is incomplete: "
          + (end.map { "it has \(counted(rows.count, "write")), and its last line says \($0)" }
            ?? "its last line is missing"))
    }
    return (header, rows, along)
  }

  /// Throws if a write sets or shows a secret, which means that the file was edited.
  func refuseSecrets(in entry: PlanEntry, at row: Row, _ blanking: Blanking) throws(UsageError) {
    let names = entry.secrets(blanking)
    guard !names.isEmpty else { return }
    throw UsageError(
      "\(path):\(row.line): \(names.joined(separator: ", ")) of \(entry.write.resource) is secret, and a plan has no secrets",
      hint: "make this change without a plan")
  }

  private static func object(_ bytes: ArraySlice<UInt8>, at place: String) throws(UsageError) -> Object {
    let value: Value
    do { value = try JSONReader.read(input: bytes) } catch {
      throw UsageError("\(place): this is not JSON: \(error.reason)")
    }
    guard let object = value.object else {
      throw UsageError("\(place): this is not a JSON object")
    }
    return object
  }

  func entry(_ row: Row) throws(UsageError) -> PlanEntry {
    var bytes = [UInt8](repeating: 0, count: row.length)
    var count = 0
    while count < row.length {
      let read = bytes.withUnsafeMutableBytes { buffer in
        pread(descriptor, buffer.baseAddress?.advanced(by: count), row.length - count, Int(row.offset) + count)
      }
      if read < 0, errno == EINTR { continue }
      guard read > 0 else { throw UsageError("\(path):\(row.line): can no longer be read") }
      count += read
    }
    let object = try Self.object(bytes[...], at: "\(path):\(row.line)")
    do throws(PlanMistake) { return try PlanEntry(object) } catch {
      throw UsageError("\(path):\(row.line): \(error.reason)")
    }
  }
}

private struct LineReader {
  private let descriptor: Int32
  private let longest: Int
  private var buffer: [UInt8] = []
  private var start = 0
  private var offset: Int64 = 0
  private var line = 0
  private var isAtEnd = false

  init(descriptor: Int32, longest: Int) {
    self.descriptor = descriptor
    self.longest = longest
  }

  /// The next line that is not empty, with its place.
  mutating func next(_ path: String) throws(UsageError) -> (bytes: ArraySlice<UInt8>, offset: Int64, line: Int)? {
    var searched = start
    while true {
      if let end = buffer[searched...].firstIndex(of: 0x0A) ?? (isAtEnd && start < buffer.count ? buffer.count : nil) {
        let found = (buffer[start..<end], offset, line + 1)
        offset += Int64(end - start + 1)
        line += 1
        start = min(end + 1, buffer.count)
        searched = start
        if !found.0.isEmpty { return found }
        continue
      }
      if isAtEnd { return nil }
      searched = buffer.count - start
      buffer.removeFirst(start)
      start = 0
      guard buffer.count <= longest else {
        throw UsageError("\(path):\(line + 1): the line is longer than \(longest >> 20) MiB")
      }
      var piece = [UInt8](repeating: 0, count: 1 << 16)
      let count = Glibc.read(descriptor, &piece, piece.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else {
        throw UsageError("cannot read \(path): \(String(cString: strerror(errno)))")
      }
      isAtEnd = count == 0
      buffer += piece[..<count]
    }
  }
}
