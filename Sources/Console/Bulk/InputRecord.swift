import BackendClient
import BackendKit
import CommandLanguage
import ConsoleOutput
import ConsoleSystem

/// The format of the input of `--from`.
enum InputForm {
  case identifiers
  /// JSON objects, one after the other or in a list.
  case objects
  /// Both: a line that begins like an object is one.
  case either

  init?(named name: String) {
    switch name {
    case "id": self = .identifiers
    case "json", "ndjson": self = .objects
    default: return nil
    }
  }

  fileprivate var words: String {
    switch self {
    case .identifiers: "identifiers, one per line"
    case .objects: "JSON objects, one by one or as a list"
    case .either: "identifiers, one per line, or JSON objects, one by one or as a list"
    }
  }
}

/// A record, or only its identifier, from the input of a command.
struct InputRecord: CustomStringConvertible {
  /// The location of the record: file and line.
  let description: String
  let id: RecordID?
  /// The fields, including the identifier; nil if there is only an identifier.
  let fields: Object?
  /// The number of empty table cells that leave fields unchanged.
  private(set) var leftAlone = 0

  /// Reads the records of a text in order; `identifier` is the member that identifies a record. Throws with the
  /// location of the first malformed one: none is skipped.
  static func read(
    _ bytes: [UInt8], as form: InputForm, from name: String, identifier: String
  ) throws(UsageError) -> [InputRecord] {
    var scanner = InputScanner(bytes, form)
    var records: [InputRecord] = []
    while let piece = scanner.next() {
      let place = "\(name):\(piece.line)"
      switch piece.content {
      case .line(let bytes):
        do {
          records.append(InputRecord(description: place, id: RecordID(try IdentifierLine.read(bytes)), fields: nil))
        } catch {
          throw UsageError(
            "\(place): \(error.message)", hint: error.hint)
        }
      case .object(let text): records.append(try record(text, of: bytes, from: name, at: place, identifier))
      case .missingEnd: throw UsageError("\(place): the list is not closed")
      case .stray(let byte, let offset):
        let shown = byte < 0x80 ? String(decoding: [byte], as: UTF8.self) : "\\x" + String(byte, radix: 16)
        throw UsageError(
          "\(place):\(TextPlace(offset: offset, in: bytes).column): \"\(shown)\" is unexpected",
          hint: "expected are \(form.words)")
      }
    }
    return records
  }

  /// Reads a row of a table. If only identifiers are needed, other cells are ignored. An empty cell adds no field to a
  /// new record, and leaves the field of an existing one unchanged unless it clears it.
  init(
    _ row: RowInput.Row, _ cells: TableCells?, identifier: String, _ resource: ResourceDescription, as form: InputForm
  ) throws(UsageError) {
    var fields = Object()
    var leftAlone = 0
    for (name, value) in row.fields.withoutReason(resource).members {
      let field = resource.field(named: name)
      if form == .either, name != identifier, let cells, !cells.emptyClears, cells.isEmpty(value) {
        leftAlone += 1
        continue
      }
      let given = cells?.set(value, in: field) ?? value
      if given == .null, form == .objects { continue }
      do throws(UsageError) {
        fields[name] =
          if let field, let text = given.text { try Assignments.value(answered: text, field) } else { given }
      } catch {
        throw UsageError("\(row.place): \(error.message)")
      }
    }
    self.init(
      description: row.place, id: row.fields[identifier]?.text.map { RecordID($0) },
      fields: form == .identifiers ? nil : fields)
    self.leftAlone = leftAlone
  }

  private init(description: String, id: RecordID?, fields: Object?) {
    self.description = description
    self.id = id
    self.fields = fields
  }

  /// The identifier. Throws if it is missing or malformed.
  func identifier(_ resource: ResourceDescription) throws(UsageError) -> RecordID {
    guard let id else {
      throw UsageError("\(description): the identifier is missing")
    }
    if let complaint = resource.identifier.complaint(about: id.text) {
      throw UsageError("\(description): \(complaint)")
    }
    return id
  }

  /// The fields as whole values: a dot in a name is part of the name.
  func wholeFields(_ resource: ResourceDescription) throws(UsageError) -> Object {
    let fields = (fields ?? Object()).withoutReason(resource)
    if let (name, whole) = resource.part(among: fields.names) {
      throw UsageError(
        "\(description): \"\(name)\" is a part of the field \(whole), and records must have whole fields",
        hint: "write \"\(whole)\": {…}")
    }
    return fields
  }

  /// The update for this record, combined with the edits for every record; nil if all cells leave it unchanged.
  func updated(
    _ path: ResourcePath, _ resource: ResourceDescription, _ edits: FieldEdits, _ revision: Write.RevisionUse
  ) throws -> Write? {
    let id = try identifier(resource)
    var own = try wholeFields(resource)
    own[resource.identifier.field ?? "id"] = nil
    let edits = try edits.over(own)
    if edits.isEmpty, leftAlone > 0 { return nil }
    guard !edits.isEmpty else {
      throw UsageError("\(description): nothing to change", hint: "add FIELD=VALUE")
    }
    return .update(path, id, edits.changes, parts: edits.parts, revision: revision)
  }

  private static func record(
    _ text: ArraySlice<UInt8>, of bytes: [UInt8], from name: String, at place: String, _ identifier: String
  ) throws(UsageError) -> InputRecord {
    let value: Value
    do { value = try JSONReader.read(input: text, takesMark: false) } catch {
      // For a record without an end, the place is its beginning.
      let wrong = TextPlace(offset: text.startIndex + (error.offset < text.count ? error.offset : 0), in: bytes)
      throw UsageError(
        "\(name):\(wrong.line):\(wrong.column): the record is not a valid JSON object: \(error.reason)")
    }
    guard case .object(let fields) = value else {
      throw UsageError("\(place): the record is not a JSON object")
    }
    let id: RecordID? =
      switch fields[identifier] {
      case .string(let text)?: RecordID(text)
      case .number(let number)?: RecordID(number.text)
      default: nil
      }
    return InputRecord(description: place, id: id, fields: fields)
  }

  var origin: WriteOrigin {
    let rejected = fields.map { RejectedRow.object($0) } ?? id.map { .id($0) } ?? .object(Object())
    return WriteOrigin(description, place: description, rejected: rejected)
  }
}

extension ResourceDescription {
  /// The first name that looks like a part of a described object or list, with that field, unless the field itself is
  /// among the names. Such a name is a column heading of a list of chosen fields; no record has a member of that name.
  func part(among names: [String]) -> (name: String, whole: String)? {
    for name in names where field(named: name) == nil {
      let path = FieldPath(name)
      guard path.isNested, let whole = field(named: path.field), [.object, .list].contains(whole.kind),
        !names.contains(path.field)
      else { continue }
      return (name, path.field)
    }
    return nil
  }
}
