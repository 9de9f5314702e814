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
    /// The name that it gives to a new record.
    let new: String?
  }

  /// The content of a plan, as found by reading it to its end.
  fileprivate struct Content {
    let header: PlanHeader
    var backends: [PlanBackend]
    var rows: [Row] = []
    /// The numbers of writes, with the backends in the same order.
    var counts = PlanCounts()
    var along: Set<String> = []
    var names = PlanNames()
    /// The number of equal writes by digest.
    var equal: [String: Int] = [:]
    var end: Int?

    init(_ header: PlanHeader) {
      self.header = header
      backends = [header.backend]
      counts.add(header.backend.name)
    }
  }

  private static let longest = 64 << 20

  /// The name in messages: its path, or its number in the inbox.
  let name: String
  private let content: Content

  var header: PlanHeader { content.header }
  /// The backends, that of the header first.
  var backends: [PlanBackend] { content.backends }
  var rows: [Row] { content.rows }
  var counts: PlanCounts { content.counts }
  /// The resources of which the server deletes records with those of the plan; an empty name stands for orphans of any
  /// resource.
  var along: Set<String> { content.along }
  /// True if a write may depend on an earlier one, so that they are made one at a time.
  var isOrdered: Bool { header.version > 1 }

  /// The creation of the record with a name.
  func creation(of name: String) -> Row? { content.names.rows[name].map { rows[$0] } }

  /// True if the user vouches for it by its SHA-256.
  let isVouchedFor: Bool
  private let descriptor: Int32

  /// Opens a plan and reads it to its end. Throws if it may be another user's, or is incomplete. With its SHA-256 it may
  /// be anyone's: a private copy is used, which was hashed while it was made.
  /// With a `number` it is of the inbox.
  init(_ path: String, number: Int? = nil, sum: String? = nil, state: String? = nil) throws(UsageError) {
    if number == nil { try Restriction.current.check(file: path) } else { try Restriction.current.checkProposing() }
    name = number.map(String.init) ?? path
    isVouchedFor = sum != nil
    let opened = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard opened >= 0 else {
      throw UsageError("cannot read \(path): \(String(cString: strerror(errno)))")
    }
    do throws(UsageError) {
      if let problem = Self.problem(path, opened, isVouchedFor: isVouchedFor) {
        throw UsageError("the plan \(path) is not used: \(problem)")
      }
      descriptor = if let sum { try PlanCopy.make(of: opened, path, sum, state) } else { opened }
    } catch {
      close(opened)
      throw error
    }
    if descriptor != opened { close(opened) }
    do throws(UsageError) {
      content = try Self.read(path, descriptor)
    } catch {
      close(descriptor)
      throw error
    }
  }

  /// Opens the plan that a word names, a file or a number in the inbox, with the digest of the command.
  convenience init(_ word: Word, _ invocation: Invocation, _ ports: CommandContext) throws {
    // An earlier command may write the plan.
    if let rehearsal = ports.run.rehearsal, rehearsal.writesFiles || word.isUnknown { throw rehearsal.stop() }
    let sum = try invocation.word(of: "digest").map { word throws(UsageError) in
      guard word.text.utf8.count == 64, word.text.allSatisfy(\.isHexDigit) else {
        throw UsageError(
          "--digest takes the 64 digits that plan show prints, not \"\(word.text)\"", column: word.column)
      }
      return word.text.lowercased()
    }
    let number = word.text.allSatisfy(\.isNumber) ? Int(word.text) : nil
    let path = try number.map { number throws(UsageError) in try ProposedPlans(ports).path(number) }
    try self.init(path ?? word.text, number: number, sum: sum, state: ports.stateFolder)
    if let number, header.proposal == nil { throw ProposedPlans.missing(number) }
  }

  deinit { close(descriptor) }

  private static func problem(_ path: String, _ descriptor: Int32, isVouchedFor: Bool) -> String? {
    guard let permissions = Permissions(descriptor: descriptor) else { return FileFailure.system.reason }
    if let problem = permissions.problem, !isVouchedFor || !permissions.isRegularFile { return problem }
    do throws(FileFailure) { return try ResolvedPath(path).foreignLink.map { FileFailure.foreign($0).reason } } catch {
      return error.reason
    }
  }

  private static func read(_ path: String, _ descriptor: Int32) throws(UsageError) -> Content {
    var content: Content?
    var lines = LineReader(descriptor: descriptor, longest: longest)
    while let found = try lines.next(path) {
      let place = "\(path):\(found.line)"
      guard content?.end == nil else { throw UsageError("\(place): this follows the end of the plan") }
      let object = try Self.object(found.bytes, at: place)
      do throws(PlanMistake) {
        if content == nil {
          let header = try PlanHeader(object)
          content = Content(header)
        } else {
          try content?.take(object, at: found.offset, length: found.bytes.count, line: found.line)
        }
      } catch {
        throw UsageError("\(place): \(error.reason)")
      }
    }
    guard let content else { throw UsageError("\(path) is empty, not a plan") }
    guard content.end == content.rows.count else {
      throw UsageError(
        "\(path) is incomplete: "
          + (content.end.map { "it has \(counted(content.rows.count, "write")), and its last line says \($0)" }
            ?? "its last line is missing"))
    }
    return content
  }

  /// The SHA-256 of the file.
  var sum: String {
    get throws(UsageError) { try PlanCopy.sum(of: descriptor, name) }
  }

  /// Throws if a write sets or shows a secret, which means that the file was edited.
  func refuseSecrets(in entry: PlanEntry, at row: Row, _ blanking: Blanking) throws(UsageError) {
    let names = entry.secrets(blanking)
    guard !names.isEmpty else { return }
    throw UsageError(
      "\(name):\(row.line): \(names.joined(separator: ", ")) of \(entry.write.resource) is secret, and a plan has no secrets",
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
    let start = Int(row.offset)
    let bytes: [UInt8]
    do throws(FileFailure) { bytes = try OpenFile.bytes(start..<start + row.length, of: descriptor) } catch {
      bytes = []
    }
    guard bytes.count == row.length else { throw UsageError("\(name):\(row.line): can no longer be read") }
    let object = try Self.object(bytes[...], at: "\(name):\(row.line)")
    do throws(PlanMistake) { return try PlanEntry(object) } catch {
      throw UsageError("\(name):\(row.line): \(error.reason)")
    }
  }
}

extension PlanFile.Content {
  /// Takes the next line after the header.
  mutating func take(_ line: Object, at offset: Int64, length: Int, line number: Int) throws(PlanMistake) {
    if line.count == 1, let count = line["writes"]?.integer {
      end = count
      return
    }
    if line["verb"] == nil, line["backend"] != nil {
      let backend = try PlanBackend(line)
      guard !backends.contains(where: { $0.name == backend.name }) else {
        throw PlanMistake("the plan has the backend \"\(backend.name)\" already")
      }
      try requireNames("a further backend")
      backends.append(backend)
      counts.add(backend.name)
      return
    }
    let entry = try PlanEntry(line)
    if let name = entry.backend, !backends.contains(where: { $0.name == name }) {
      throw PlanMistake("no earlier line of the plan describes the backend \"\(name)\"")
    }
    if entry.new != nil { try requireNames("a name for a new record") }
    // In a plan of the first version, such a text is a value as any other.
    if header.version > 1 { try names.take(entry, at: rows.count) }
    if entry.write.isDeletion { along.formUnion(entry.before?.along.names ?? []) }
    counts.add(entry.write.verb, to: entry.backend ?? header.backend.name)
    let digest = entry.digest
    let count = equal[digest, default: 0] + 1
    equal[digest] = count
    let mark = count == 1 ? digest : "\(digest)-\(count)"
    rows.append(PlanFile.Row(offset: offset, length: length, line: number, mark: mark, new: entry.new))
  }

  private func requireNames(_ what: String) throws(PlanMistake) {
    guard header.version > 1 else { throw PlanMistake("\(what) needs version \(PlanHeader.newest)") }
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
