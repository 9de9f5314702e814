import BackendKit
import CommandLanguage
import ConsoleSystem

/// Makes the fields that are written to a resource of those that were read elsewhere.
struct TransferFields {
  let resource: ResourceDescription
  let map: FieldMap
  /// The values for every record, which override its own.
  let constants: Object
  /// The fields whose values name a record on both sides.
  let key: [String]
  /// The way to read cells whose values are texts with kinds from the description, csv and tsv; nil otherwise.
  let cells: TableCells?
  /// The resource of the fields; nil for a file, whose field names were written by a person, so that a field that the
  /// resource does not have is an error.
  let source: ResourceDescription?
  /// The fields of the source that a mapping can read and that are not written under their own names: its server sets them, so they
  /// have a meaning there only.
  let hidden: Set<String>
  /// True if a value of another type than its field is an error, and not merely a difference.
  let refusesOtherKinds: Bool
  /// True if it is sent where the type is only likely.
  let acceptsTypes: Bool
  /// The fields whose values are replaced by the target's names for records.
  var translated: Set<String> = []
  /// The fields whose cells may be meant as something else than text, in the order met: nothing shows their types.
  private(set) var untyped: [String] = []
  /// The fields that were left out since the resource does not have them, in the order met.
  private(set) var dropped: [String] = []
  /// The fields that were left out since they are files, in the order met.
  private(set) var files: [String] = []

  /// The field that identifies a record.
  var identifierField: String { resource.identifier.field ?? "id" }
  /// True if records are matched by their identifier.
  var isKeyedByIdentifier: Bool { key == [identifierField] }

  init(
    _ resource: ResourceDescription, map: FieldMap, constants: Object, key: [String], cells: TableCells?,
    source: ResourceDescription?, refusesOtherKinds: Bool = false, acceptsTypes: Bool = false
  ) {
    self.acceptsTypes = acceptsTypes
    self.refusesOtherKinds = refusesOtherKinds
    self.resource = resource
    self.map = map
    self.constants = constants
    self.key = key
    self.cells = cells
    self.source = source
    let set = (source?.fields ?? []).filter(\.isReadOnly).map(\.name) + [source?.identifier.field].compactMap(\.self)
    hidden = Set(set).subtracting(key)
  }

  /// Returns the values to write for a record: its mapped fields in the resource's kinds, without read-only ones.
  mutating func converted(_ object: Object, id: String?) throws(UsageError) -> Object {
    var mapped = try map.applied(to: object, hiding: hidden)
    for (name, value) in constants.members { mapped[name] = value }
    if isKeyedByIdentifier, mapped[identifierField] == nil, let id { mapped[identifierField] = .string(id) }
    var fields = Object()
    if let (name, whole) = resource.part(among: mapped.names) {
      throw UsageError(
        "\"\(name)\" is a part of the field \(whole); only whole fields can be written",
        hint: "--map 'FIELD=\(name)' gives it another name, --map '\"\(name)\"=' leaves it out")
    }
    for (name, value) in mapped.members {
      // An identifier is given where records are matched by it, or where the command names it: two services number them apart.
      if name == identifierField {
        guard isKeyedByIdentifier || resource.capabilities.takesIdentifiers && isNamed(name) else { continue }
        fields[name] = try identifier(value)
        continue
      }
      guard let field = resource.field(named: name) else {
        if try takesUnknown(name) { fields[name] = value } else if !map.isOnlySource(name) { drop(name) }
        continue
      }
      // A field merely found in a record is sent only if certainly writable; a requested one, unless certainly not.
      if let file = field.file, value != .null {
        if file.upload != nil, !files.contains(name) { files.append(name) }
      } else if field.takesValues || isNamed(name) && !field.refusesWrites {
        fields[name] = try keptOrNamed(value, field, isChecked: refusesOtherKinds)
      }
    }
    return fields
  }

  /// The values for an existing record, of which a cell that says what an export of its value says changes nothing. Where no type is
  /// described, a cell is of the type that the record has, if it is one of it.
  func fitted(_ fields: Object, to there: Object) -> Object {
    guard cells != nil else { return fields }
    var fields = fields
    for (name, value) in fields.members where isCell(name) {
      guard let old = there[name], old != .null, value != .null else { continue }
      if value.plainText == old.plainText {
        fields[name] = old
      } else if resource.isUntyped(name) {
        fields[name] = TableCells.value(value.plainText, like: old)
      }
    }
    return fields
  }

  /// Keeps the names of fields for whose cells neither a description nor the record that there is shows a type.
  mutating func noteUntyped(_ fields: Object, over there: Object = Object()) {
    guard cells != nil else { return }
    for (name, value) in fields.members
    where isCell(name) && resource.isUntyped(name) && (there[name] ?? .null) == .null && TableCells.isAmbiguous(value) {
      if !untyped.contains(name) { untyped.append(name) }
    }
  }

  /// Returns whether the value of a field is a cell as it was read.
  private func isCell(_ name: String) -> Bool { constants[name] == nil && !map.isComputed(name) }

  /// An identifier as its field holds it.
  func identifier(_ value: Value) throws(UsageError) -> Value {
    guard let field = resource.field(named: identifierField) else { return value }
    return try keptOrNamed(value, field)
  }

  /// The key of a record of the resource as it was read; nil where it has none.
  func key(of record: Object, id: String?) -> String? {
    if isKeyedByIdentifier { return id.flatMap { Self.text(of: [.string($0)]) } }
    return Self.text(of: key.map { record[$0] ?? .null })
  }

  /// A key as people read it: without the brackets of a list of one.
  static func shown(_ key: String?) -> String {
    guard let key, let values = (try? JSONReader.read(key))?.array else { return "none" }
    return values.map(\.plainText).joined(separator: ", ")
  }

  /// A key within a sentence: `""` for an empty text.
  static func quoted(_ key: String?) -> String {
    let text = shown(key)
    return text.isEmpty ? "\"\"" : text
  }

  /// Returns whether a field of an existing record keeps its value because its cell is empty and nothing else sets it.
  func leavesAlone(_ name: String, _ value: Value) -> Bool {
    guard let cells, !cells.emptyClears, cells.isEmpty(value), constants[name] == nil else { return false }
    return !map.entries.contains { entry in
      entry.field == name && entry.source?.isConstant == true
    }
  }

  /// True if the resource may have fields that are not described.
  var takesAny: Bool { resource.mayHaveOtherFields }

  private mutating func drop(_ name: String) { if !dropped.contains(name) { dropped.append(name) } }

  private func takesUnknown(_ name: String) throws(UsageError) -> Bool {
    // A mapping has read it, and under its own name the resource has no place for it.
    if map.isOnlySource(name), !takesAny { return false }
    if takesAny { return true }
    guard source == nil || isNamed(name) else { return false }
    let nearest = SpellingSuggestion.suggestion(for: name, among: resource.fields.map(\.name))
    let advice =
      constants[name] == nil
      ? "--map 'FIELD=\(name)' gives it another name, --map '\(name)=' leaves it out"
      : "FIELD=VALUE sets a field of every record; --where selects records"
    throw UsageError(
      "unknown field \"\(name)\" in \(resource.name)", hint: (nearest.map { "did you mean \($0)? " } ?? "") + advice)
  }

  /// Returns whether the command names a field to be written, and not only a record has it.
  func isNamed(_ name: String) -> Bool {
    constants[name] != nil || map.entries.contains { $0.field == name }
  }

  /// Throws if the command sets a field that the resource does not have.
  func checkNamed() throws(UsageError) {
    let mapped = source == nil ? [] : map.entries.filter { $0.source != nil }.map(\.field)
    for name in constants.names + mapped where name != identifierField && resource.field(named: name) == nil {
      _ = try takesUnknown(name)
    }
  }

  private func keptOrNamed(
    _ value: Value, _ field: FieldDescription, isChecked: Bool = false
  ) throws(UsageError) -> Value {
    var field = field
    let isLikely = field.likely.contains(.type)
    // What is likely counts as certain: a value that does not fit it is more often wrong than the type is.
    if isChecked, isLikely, !acceptsTypes { field.likely.remove(.type) }
    do throws(UsageError) {
      let kept = try kept(value, field)
      guard isChecked else { return kept }
      try check(kept, field)
      if isLikely { try checkGrouping(of: value, field) }
      return kept
    } catch {
      var error = error
      error.field = field.name
      if isLikely { error.hint = "its type is only likely: --accept-types sends the value" }
      throw error
    }
  }

  /// Throws if a value is of another type than its field has. What the command itself sets is sent as it says, as by `update`.
  private func check(_ value: Value, _ field: FieldDescription) throws(UsageError) {
    guard resource.source != .sample, field.kind != .any, !field.likely.contains(.type), constants[field.name] == nil,
      !translated.contains(field.name)
    else { return }
    if field.holdsNumbers, value.truth != nil { return }
    if field.kind == .integer, case .number(let number) = value,
      number.text.utf8.allSatisfy({ $0 == 0x2D || 0x30...0x39 ~= $0 })
    {
      return
    }
    guard let complaint = field.kindComplaint(about: value) else { return }
    let source = field.kind == .date && value.text == nil ? "date(\(field.name))" : "…"
    throw UsageError(complaint, hint: "--map '\(field.name)=\(source)' computes another value")
  }

  /// Throws if the text of a number may have a dot between thousands: `1.200`. Only a certain type says that it has none.
  private func checkGrouping(of value: Value, _ field: FieldDescription) throws(UsageError) {
    guard field.kind == .number || field.kind == .integer, !field.likely.contains(.type), let text = value.text,
      constants[field.name] == nil
    else { return }
    let parts = text.drop { $0 == "-" || $0 == "+" }.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count > 1, (1...3).contains(parts[0].count), parts[0].first != "0",
      parts.dropFirst().allSatisfy({ $0.count == 3 }), parts.joined().utf8.allSatisfy({ 0x30...0x39 ~= $0 })
    else { return }
    throw UsageError("\(field.name) is a number, and \"\(text)\" may be \(parts.joined())")
  }

  /// The number of the column with the field of an error, from 1; nil if it is not one of a table, or made of several.
  func column(of error: UsageError, in row: Object) -> Int? {
    guard cells != nil, let field = error.field else { return nil }
    return row.names.firstIndex(of: field).map { $0 + 1 }
  }

  /// The value as the kind of the field has it, where nothing of it is lost.
  private func kept(_ value: Value, _ field: FieldDescription) throws(UsageError) -> Value {
    let cells = constants[field.name] == nil ? cells : nil
    let value = cells?.set(value, in: field) ?? value
    switch (value, field.kind) {
    case (.string(let text), _) where cells != nil: return try Assignments.value(answered: text, field)
    case (.string(let text), .integer), (.string(let text), .number): return Number(text).map { .number($0) } ?? value
    case (.string("true"), .boolean): return .bool(true)
    case (.string("false"), .boolean): return .bool(false)
    case (.number(let number), .text), (.number(let number), .html): return .string(number.text)
    case (.number, .boolean): return field.holdsNumbers ? value : value.truth.map { .bool($0) } ?? value
    case (.bool(let truth), .integer), (.bool(let truth), .number): return .int(truth ? 1 : 0)
    case (.bool(let truth), .text): return .string(truth ? "true" : "false")
    case (.string(let text), .date), (.string(let text), .day):
      // A word such as today has a meaning only where a person writes it.
      guard text.utf8.first.map({ (0x30...0x39).contains($0) }) == true else { return .string(field.normalized(text)) }
      return try Assignments.value(answered: text, field)
    default: return value
    }
  }

  /// The key of a record that is to be written; nil where it has none.
  func key(ofWritten fields: Object) -> String? {
    guard !key.isEmpty else { return nil }
    if isKeyedByIdentifier {
      return Self.text(of: [fields[identifierField].flatMap { RecordID($0) }.map { .string($0.text) } ?? .null])
    }
    return Self.text(of: key.map { fields[$0] ?? .null })
  }

  /// The values of a key as one text that two equal keys share; nil where one of them is missing.
  private static func text(of values: [Value]) -> String? {
    guard !values.isEmpty, !values.contains(.null) else { return nil }
    let plain = values.map { value -> Value in
      guard case .number(let number) = value, let integer = number.integer else { return value }
      return .int(integer)
    }
    return JSONWriter.compact(.array(plain))
  }
}
