import BackendClient
import BackendKit

/// A record, or the identifier of one, that a command is given in a file or on standard input.
struct GivenRecord: CustomStringConvertible {
  /// Where it stands: the file, and the line that it begins in.
  let description: String
  /// Its identifier, where it has one.
  let id: RecordID?
  /// Its fields, the identifier among them; nil where there is nothing but an identifier.
  let fields: Object?

  /// The records of a text, in their order: an identifier on a line of its own as `-o id` prints it, JSON objects as
  /// `-o ndjson` and `-o json` print them, one by one or as a list. `identifier` is the member that identifies a record.
  ///
  /// Nothing is left out: what is neither throws, with its place.
  static func read(
    _ bytes: [UInt8], from name: String, identifier: String
  ) throws(UsageError) -> [GivenRecord] {
    var scanner = GivenScanner(bytes)
    var records: [GivenRecord] = []
    while let piece = scanner.next() {
      let place = "\(name):\(piece.line)"
      switch piece.content {
      case .identifier(let bytes):
        guard let text = String(validating: bytes, as: UTF8.self) else {
          throw UsageError("\(place): the identifier is not valid UTF-8 text", hint: "nothing was sent")
        }
        records.append(GivenRecord(description: place, id: RecordID(text), fields: nil))
      case .object(let bytes):
        records.append(try record(bytes, at: place, identifier))
      case .missingEnd: throw UsageError("\(place): the list does not end", hint: "nothing was sent")
      case .stray(let byte):
        let shown = String(decoding: [byte], as: UTF8.self)
        throw UsageError(
          "\(place): \"\(shown)\" is out of place",
          hint: "expected are identifiers, one a line, or JSON objects, one by one or as a list; nothing was sent")
      }
    }
    guard !records.isEmpty else { throw UsageError("\(name) holds no record", hint: "nothing was sent") }
    return records
  }

  /// The identifier of the record that is meant.
  func identifier(_ resource: ResourceDescription) throws(UsageError) -> RecordID {
    guard let id else {
      throw UsageError("\(description): nothing says which record is meant", hint: "nothing was sent")
    }
    if let complaint = resource.identifier.complaint(about: id.text) {
      throw UsageError("\(description): \(complaint)", hint: "nothing was sent")
    }
    return id
  }

  /// The fields of the record that it makes.
  func created() throws(UsageError) -> Object {
    guard let fields else {
      throw UsageError(
        "\(description): an identifier makes no record", hint: "give JSON objects; nothing was sent")
    }
    return fields
  }

  /// The change that it asks for, these changes being made to every record.
  func updated(
    _ path: ResourcePath, _ resource: ResourceDescription, _ changes: [Change]
  ) throws(UsageError) -> Write {
    let id = try identifier(resource)
    let settled = Set(changes.map(\.field) + [resource.identifier.field ?? "id"])
    let own = (fields ?? Object()).members.filter { !settled.contains($0.0) }.map { Change.set($0.0, $0.1) }
    guard !(own + changes).isEmpty else {
      throw UsageError("\(description): nothing to change", hint: "add FIELD=VALUE; nothing was sent")
    }
    return .update(path, id, own + changes)
  }

  private static func record(
    _ bytes: ArraySlice<UInt8>, at place: String, _ identifier: String
  ) throws(UsageError) -> GivenRecord {
    let value: Value
    do { value = try JSONReader.read(bytes) } catch {
      throw UsageError(
        "\(place): no JSON object: \(error.reason) (byte \(error.offset + 1) of it)", hint: "nothing was sent")
    }
    guard case .object(let fields) = value else {
      throw UsageError("\(place): no JSON object", hint: "nothing was sent")
    }
    let id: RecordID? =
      switch fields[identifier] {
      case .string(let text)?: RecordID(text)
      case .number(let number)?: RecordID(number.text)
      default: nil
      }
    return GivenRecord(description: place, id: id, fields: fields)
  }
}

/// Takes a text of records apart into lines and balanced objects.
private struct GivenScanner {
  enum Content {
    case identifier(ArraySlice<UInt8>)
    case object(ArraySlice<UInt8>)
    case stray(UInt8)
    /// The text ends within its list.
    case missingEnd
  }

  private let bytes: [UInt8]
  private var place = 0
  private var line = 1
  /// Whether objects stand in a list; nil before anything but blanks was seen.
  private var isList: Bool?
  /// Whether no comma was passed yet.
  private var isFirst = true
  /// Whether the object before still needs its comma, in a list.
  private var needsComma = false

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { place = 3 }
  }

  /// What stands next, and the line it begins in; nil at the end.
  mutating func next() -> (content: Content, line: Int)? {
    while true {
      skipBlanks()
      guard place < bytes.count else {
        defer { isList = false }
        return isList == true ? (.missingEnd, line) : nil
      }
      let byte = bytes[place]
      if isList == nil {
        isList = byte == UInt8(ascii: "[")
        if isList == true {
          place += 1
          continue
        }
      }
      if byte == UInt8(ascii: "{"), !needsComma {
        needsComma = isList == true
        return object()
      }
      guard isList == true else { return identifier() }
      if byte == UInt8(ascii: ","), needsComma {
        needsComma = false
        place += 1
        isFirst = false
      } else if byte == UInt8(ascii: "]"), needsComma || isFirst {
        // What follows the end of the list is out of place, but for blanks.
        place += 1
        skipBlanks()
        isList = false
        guard place < bytes.count else { return nil }
        defer { place = bytes.count }
        return (.stray(bytes[place]), line)
      } else {
        defer { place = bytes.count }
        isList = false
        return (.stray(byte), line)
      }
    }
  }

  private mutating func skipBlanks() {
    while place < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[place]) {
      if bytes[place] == 0x0A { line += 1 }
      place += 1
    }
  }

  private mutating func identifier() -> (content: Content, line: Int) {
    let end = bytes[place...].firstIndex(of: 0x0A) ?? bytes.count
    var text = bytes[place..<end]
    while let last = text.last, [0x20, 0x09, 0x0D].contains(last) { text.removeLast() }
    place = end
    return (.identifier(text), line)
  }

  /// The bytes up to the brace that closes the one here, or all that is left where none does.
  private mutating func object() -> (content: Content, line: Int) {
    let start = place
    let first = line
    var depth = 0
    var isText = false
    scanning: while place < bytes.count {
      switch bytes[place] {
      case UInt8(ascii: "\\") where isText: place += 1
      case UInt8(ascii: "\""): isText.toggle()
      case UInt8(ascii: "{") where !isText: depth += 1
      case UInt8(ascii: "}") where !isText:
        depth -= 1
        if depth == 0 {
          place += 1
          break scanning
        }
      case 0x0A: line += 1
      default: break
      }
      place += 1
    }
    place = min(place, bytes.count)
    return (.object(bytes[start..<place]), first)
  }
}
