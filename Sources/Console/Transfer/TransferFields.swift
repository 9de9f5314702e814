import BackendKit
import CommandLanguage
import ConsoleSystem

/// Converts fields read elsewhere to those of a resource.
struct TransferFields {
  let resource: ResourceDescription
  let map: FieldMap
  /// Values for every record, which override its own.
  let constants: Object
  let key: [String]
  /// The conversion of cells in csv and tsv; nil for other formats.
  let cells: TableCells?
  /// The source resource; nil for a file, whose field names are the user's, so that unknown ones are errors.
  let source: ResourceDescription?
  /// Fields of the source that only its server sets: a mapping can read them, but they are not copied.
  let hidden: Set<String>
  /// True if a value of a wrong type is an error, rather than just a difference.
  let refusesOtherKinds: Bool
  /// True if such a value is sent if the type is only likely.
  let acceptsTypes: Bool
  /// The fields whose values are translated references.
  var translated: Set<String> = []
  /// Fields with cells that may be meant as other types than text, in order of appearance.
  private(set) var untyped: [String] = []
  /// Fields omitted since the resource does not have them, in order of appearance.
  private(set) var dropped: [String] = []
  /// Fields of a file omitted since only the server sets them, and links of records, in order of appearance.
  private(set) var fixed: [String] = []
  /// The fields that are not described, and that records of the resource have.
  var shown: Set<String> = []
  /// Fields omitted since they are files, in order of appearance.
  private(set) var files: [String] = []

  var identifierField: String { resource.identifier.field ?? "id" }
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

  /// Returns the values to write for a record: mapped, in the resource's types, without read-only fields.
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
      // An identifier is sent only if records are matched by it, or the command names it: services assign their own.
      if name == identifierField {
        guard isKeyedByIdentifier || resource.capabilities.takesIdentifiers && isNamed(name) else {
          if !resource.capabilities.takesIdentifiers { fix(name) }
          continue
        }
        fields[name] = try identifier(value)
        continue
      }
      if isLink(name) {
        if source == nil { fix(name) } else { drop(name) }
        continue
      }
      guard let field = resource.field(named: name) else {
        if try takesUnknown(name) { fields[name] = value } else if !map.isOnlySource(name) { drop(name) }
        continue
      }
      // A field merely found in a record is sent only if it is certainly writable, a requested one unless it certainly
      // is not. A key identifies the record in any case.
      if let file = field.file, value != .null {
        if file.upload != nil, !files.contains(name) { files.append(name) }
      } else if field.takesValues || key.contains(name) || isNamed(name) && !field.refusesWrites {
        fields[name] = try keptOrNamed(value, field, isChecked: refusesOtherKinds)
      } else if field.isReadOnly {
        fix(name)
      }
    }
    return fields
  }

  /// The values for an existing record. A cell that equals the export of the present value changes nothing. Without a
  /// described type, a cell has the type of the present value if possible.
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

  /// Notes fields whose cells have no type by description or existing record.
  mutating func noteUntyped(_ fields: Object, over there: Object = Object()) {
    guard cells != nil else { return }
    for (name, value) in fields.members
    where isCell(name) && resource.isUntyped(name) && (there[name] ?? .null) == .null && TableCells.isAmbiguous(value) {
      if !untyped.contains(name) { untyped.append(name) }
    }
  }

  private func isCell(_ name: String) -> Bool { constants[name] == nil && !map.isComputed(name) }

  func identifier(_ value: Value) throws(UsageError) -> Value {
    guard let field = resource.field(named: identifierField) else { return value }
    return try keptOrNamed(value, field)
  }

  func key(of record: Object, id: String?) -> String? {
    if isKeyedByIdentifier { return id.flatMap { Self.text(of: [.string($0)]) } }
    return Self.text(of: key.map { record[$0] ?? .null })
  }

  /// A key for people: without brackets if it has one part.
  static func shown(_ key: String?) -> String {
    guard let key, let values = (try? JSONReader.read(key))?.array else { return "none" }
    return values.map(\.plainText).joined(separator: ", ")
  }

  /// A key within a sentence: `""` for an empty text.
  static func quoted(_ key: String?) -> String {
    let text = shown(key)
    return text.isEmpty ? "\"\"" : text
  }

  /// Returns whether a field of an existing record keeps its value, because the cell is empty and nothing else sets it.
  func leavesAlone(_ name: String, _ value: Value) -> Bool {
    guard let cells, !cells.emptyClears, cells.isEmpty(value), constants[name] == nil else { return false }
    return !map.entries.contains { entry in
      entry.field == name && entry.source?.isConstant == true
    }
  }

  var takesAny: Bool { resource.mayHaveOtherFields }

  /// A key that a new record cannot have, since only the server sets it; nil if there is none.
  var fixedKey: String? {
    key.first { name in
      if resource.capabilities.takesIdentifiers, resource.identifier.isHeld(by: name) { return false }
      return name == identifierField || resource.field(named: name)?.refusesWrites == true
    }
  }

  /// Returns whether a field of a file needs no record that has it, since it is described, left out or renamed.
  func isExpected(_ name: String) -> Bool {
    takesAny || resource.field(named: name) != nil || [identifierField, RejectsForm.reason].contains(name)
      || isLink(name) || isNamed(name) || map.isOnlySource(name)
  }

  /// Returns whether a field has the links of a record, or the records behind them, in the format HAL.
  private func isLink(_ name: String) -> Bool { (name == "_links" || name == "_embedded") && !isNamed(name) }

  private mutating func fix(_ name: String) { if source == nil, !fixed.contains(name) { fixed.append(name) } }

  private mutating func drop(_ name: String) { if !dropped.contains(name) { dropped.append(name) } }

  private func takesUnknown(_ name: String) throws(UsageError) -> Bool {
    // Read only by the mapping, and the resource has no field of this name.
    if map.isOnlySource(name), !takesAny { return false }
    if takesAny || shown.contains(name) { return true }
    guard source == nil || isNamed(name) else { return false }
    let nearest = SpellingSuggestion.suggestion(for: name, among: resource.fields.map(\.name))
    let advice =
      constants[name] == nil
      ? "--map 'FIELD=\(name)' gives it another name, --map '\(name)=' leaves it out"
      : "FIELD=VALUE sets a field of every record; --where selects records"
    throw UsageError(
      "unknown field \"\(name)\" in \(resource.name)", hint: (nearest.map { "did you mean \($0)? " } ?? "") + advice)
  }

  /// Returns whether the command, and not merely a record, names a field to write.
  func isNamed(_ name: String) -> Bool {
    constants[name] != nil || map.entries.contains { $0.field == name }
  }

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
    // A value that does not fit a likely type is more often wrong than the type is.
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

  /// Throws if a value is of the wrong type. Values set by the command itself are sent unchanged, as by `update`.
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

  /// Throws if a number in text may have a dot as thousands separator, as in `1.200`. A type that is only likely
  /// permits it.
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

  /// The column of an error's field in a table, from 1; nil if it is computed or not in a table.
  func column(of error: UsageError, in row: Object) -> Int? {
    guard cells != nil, let field = error.field else { return nil }
    return row.names.firstIndex(of: field).map { $0 + 1 }
  }

  /// The value converted to the type of the field, if that is lossless.
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
      // Words such as `today` are only for users to type.
      guard text.utf8.first.map({ (0x30...0x39).contains($0) }) == true else { return .string(field.normalized(text)) }
      return try Assignments.value(answered: text, field)
    default: return value
    }
  }

  /// The key of a record to be written; nil if it has none.
  func key(ofWritten fields: Object) -> String? {
    guard !key.isEmpty else { return nil }
    if isKeyedByIdentifier {
      return Self.text(of: [fields[identifierField].flatMap { RecordID($0) }.map { .string($0.text) } ?? .null])
    }
    return Self.text(of: key.map { fields[$0] ?? .null })
  }

  /// The values of a key as one text, equal for equal keys; nil if a value is missing.
  private static func text(of values: [Value]) -> String? {
    guard !values.isEmpty, !values.contains(.null) else { return nil }
    let plain = values.map { value -> Value in
      guard case .number(let number) = value, let integer = number.integer else { return value }
      return .int(integer)
    }
    return JSONWriter.compact(.array(plain))
  }
}
