import BackendClient
import BackendKit
import ConsoleSystem

/// The records of a referenced resource in source and target, matched by key.
struct ReferencedRecords: Sendable {
  /// The target's counterpart of a source record.
  enum Counterpart {
    case there(Value)
    /// It is created by the same run, and has no identifier yet.
    case waits
    /// It has none, for this reason as a clause.
    case none(String)
  }

  /// The store with the keys of source records.
  let names: TransferStore
  /// The store with the target's records, and the identifiers of new ones.
  let there: TransferStore
  let origin: String
  let goal: String
  /// The field of the target's records in references; nil for their identifier.
  let member: String?
  let isCreating: Bool

  private static let keys = "\u{0}keys"
  private static let creations = "\u{0}creations"

  /// Stores the key of each source record by what references contain: a field, or the identifier.
  static func index(_ transfer: Transfer, by member: String?) throws {
    try transfer.eachRow(of: .source, in: transfer.store) { row in
      let name: String? = if let member { RecordID(row.fields[member])?.text } else { row.id }
      if let name { try transfer.store.rename(name, of: keys, to: row.key ?? "") }
    }
    try indexRepeated(.source, of: transfer)
  }

  /// Stores the records of a side with the same key as an earlier one.
  static func indexRepeated(_ side: TransferStore.Side, of transfer: Transfer) throws {
    let store = transfer.store
    try transfer.eachRow(of: side, in: store) { row in
      guard let key = row.key else { return }
      let place = side == .source ? transfer.place(of: row) : "\(transfer.target.description)/\(row.id ?? "?")"
      if let first = try store.newName(of: key, in: "\u{0}first \(side)") {
        try store.rename(key, of: "\u{0}repeated \(side)", to: "\(first) and \(place)")
      } else {
        try store.rename(key, of: "\u{0}first \(side)", to: place)
      }
    }
  }

  /// Stores the names of records that steps create.
  static func indexCreations(_ store: TransferStore, _ steps: Range<Int>) throws {
    for number in steps {
      let step = try store.step(number)
      guard step.verb == .create, let name = try store.oldName(ofRow: step.row) else { continue }
      try store.rename(name, of: creations, to: "")
    }
  }

  /// The target's counterpart of the source record with this name.
  func counterpart(of name: String) throws(CommandFailure) -> Counterpart {
    guard let key = try names.newName(of: name, in: Self.keys) else {
      return .none("\(origin) has no record \(name) among those that were read")
    }
    for (store, side) in [(names, TransferStore.Side.source), (there, .target)] {
      if let both = try store.newName(of: key, in: "\u{0}repeated \(side)") {
        return .none("\(both) have the same key, \(TransferFields.quoted(key))")
      }
    }
    if !key.isEmpty, let row = try there.target(key: key) {
      let value: Value? = if let member { row.fields[member] } else { row.id.map { .string($0) } }
      if let value, value != .null { return .there(value) }
    }
    if let new = try there.newName(of: name, in: origin) { return .there(.string(new)) }
    if isCreating, try there.newName(of: name, in: Self.creations) != nil { return .waits }
    guard !key.isEmpty else { return .none("\(origin)/\(name) has no key") }
    guard !isCreating else {
      return .none("\(origin)/\(name) is not selected, and \(goal) has no record \(TransferFields.quoted(key))")
    }
    return .none("\(goal) has no record \(TransferFields.quoted(key)), the counterpart of \(origin)/\(name)")
  }
}

/// A reference field of the target, and the records that the source's values refer to.
struct TransferReference: Sendable {
  /// The field of the target, or the path to a nested one.
  let path: FieldPath
  let kind: FieldDescription.Kind?
  let source: RecordReference
  let records: ReferencedRecords

  func counterpart(of value: Value) throws -> ReferencedRecords.Counterpart {
    let record = Record(id: nil, fields: Object([("name", value)]))
    guard let name = Relation(FieldPath("name"), source).names(in: record).first ?? nil else {
      return .none("\(JSONWriter.compact(value)) does not identify a record of \(records.origin)")
    }
    switch try records.counterpart(of: name.text) {
    case .there(let new): return .there(written(new, like: value))
    case let other: return other
    }
  }

  /// A placeholder for a value not known yet, so that the other fields can be checked.
  func standIn(for value: Value) -> Value {
    guard kind == .integer || kind == .number, value.integer == nil else { return value }
    return .int(1)
  }

  /// A name in the type of the field.
  private func written(_ name: Value, like old: Value) -> Value {
    guard let text = name.text else { return name }
    let number = Number(text).map { Value.number($0) } ?? name
    switch (kind, old) {
    case (.integer?, _), (.number?, _): return number
    case (.text?, _), (.html?, _): return name
    // An element of a list, or a field of any type, as in the source.
    case (_, .number): return number
    default: return name
    }
  }
}

extension FieldPath {
  /// The member of a record with the values at the path.
  fileprivate func member(in fields: Object) -> String? {
    if fields[text] != nil { return text }
    return fields[field] != nil ? field : nil
  }

  /// The value of that member with all references at the path replaced.
  fileprivate func replacing(
    _ value: Value, of member: String, by name: (Value) throws -> Value
  ) throws -> Value {
    try Self.replaced(value, member == text ? [] : names.dropFirst(), name)
  }

  private static func replaced(
    _ value: Value, _ rest: ArraySlice<String>, _ name: (Value) throws -> Value
  ) throws -> Value {
    if case .array(let elements) = value { return .array(try elements.map { try replaced($0, rest, name) }) }
    guard let first = rest.first else { return value == .null || value.text == "" ? value : try name(value) }
    guard case .object(var object) = value, let inner = object[first] else { return value }
    object[first] = try replaced(inner, rest.dropFirst(), name)
    return .object(object)
  }
}

struct TransferReferences: Sendable {
  var list: [TransferReference] = []
  /// The fields whose values have no known meaning in the target, with the error that explains it.
  var unclear: [(path: FieldPath, error: UsageError)] = []

  private static let table = "\u{0}waiting"

  /// Stores the source's value of a member that refers to a record which does not exist yet.
  static func wait(_ row: Int64, _ member: String, _ value: Value, in store: TransferStore) throws(CommandFailure) {
    try store.rename("\(row) \(member)", of: table, to: JSONWriter.compact(value))
  }

  func of(_ fields: [String]) -> TransferReferences {
    var own = self
    own.list.removeAll { !fields.contains($0.path.field) }
    own.unclear.removeAll { !fields.contains($0.path.field) }
    return own
  }

  /// The members of a row that refer to records not existing when it was planned.
  func waiting(_ row: Int64, in store: TransferStore) throws(CommandFailure) -> [String] {
    var members: [String] = []
    for reference in list where reference.records.isCreating {
      for member in [reference.path.text, reference.path.field] where !members.contains(member) {
        if try store.newName(of: "\(row) \(member)", in: Self.table) != nil { members.append(member) }
      }
    }
    return members
  }

  /// A step completed with the identifiers of records created meanwhile. Throws if one has none.
  func completed(_ step: TransferStore.Step, in store: TransferStore) throws -> TransferStore.Step {
    guard step.verb != .delete else { return step }
    var step = step
    for member in try waiting(step.row, in: store) {
      guard let text = try store.newName(of: "\(step.row) \(member)", in: Self.table) else { continue }
      var value = try JSONReader.read(text)
      for reference in list where reference.path.field == member || reference.path.text == member {
        value = try reference.path.replacing(value, of: member) { value in
          if case .there(let new) = try reference.counterpart(of: value) { return new }
          throw CommandFailure(
            .failure,
            "\(step.place ?? "row \(step.row)"): \(reference.path) refers to \(JSONWriter.compact(value)) of "
              + "\(reference.records.origin), which has no identifier in \(reference.records.goal); the row was not sent"
          )
        }
      }
      step.fields[member] = value
    }
    return step
  }
}

extension Transfer {
  /// Replaces references of the source by those of the target.
  mutating func translate(_ row: inout TransferStore.Row) throws {
    try checkUnclear(row)
    var (old, waiting): ([String: Value], Set<String>) = ([:], [])
    for reference in references.list {
      guard let member = reference.path.member(in: row.fields), let value = row.fields[member] else { continue }
      if old[member] == nil { old[member] = value }
      let place = place(of: row)
      row.fields[member] = try reference.path.replacing(value, of: member) { value in
        switch try reference.counterpart(of: value) {
        case .there(let new): return new
        case .waits:
          waiting.insert(member)
          waitingValues += 1
          if waitingPlaces.count < 10 { waitingPlaces.append("\(reference.path) of \(place)") }
          return reference.standIn(for: value)
        case .none(let reason):
          // A comparison shows the reason as a difference.
          if verb == "diff" { return .string(reason) }
          throw UsageError(
            "\(place): \(reference.path): \(reason)",
            hint: "--map-ref \(reference.path)= sends the value as it is, "
              + "--map '\(reference.path.field)=' leaves it out")
        }
      }
    }
    for member in waiting {
      if let value = old[member] { try TransferReferences.wait(row.number, member, value, in: store) }
    }
  }

  /// Throws if a row has a reference without a known meaning in the target. A comparison notes it once.
  private mutating func checkUnclear(_ row: TransferStore.Row) throws {
    for (path, error) in references.unclear {
      guard let member = path.member(in: row.fields), let value = row.fields[member] else { continue }
      var isThere = false
      _ = try path.replacing(value, of: member) { value in
        isThere = true
        return value
      }
      guard isThere else { continue }
      guard verb == "diff" else {
        throw UsageError("\(place(of: row)): \(error.message)", hint: error.hint)
      }
      ports.note("\(error.message); the values are compared as they are")
      references.unclear.removeAll { $0.path == path }
    }
  }

  /// Throws if a step of a plan file refers to a record that the same plan would create.
  func refuseWaiting(_ step: TransferStore.Step) throws {
    guard step.verb != .delete, let member = try references.waiting(step.row, in: store).first else { return }
    let reference = references.list.first { $0.path.field == member || $0.path.text == member }
    throw UsageError(
      "\(step.place ?? "row \(step.row)"): \(member) refers to a record that the plan would create in "
        + "\(reference?.records.goal ?? "the target"), and it has no identifier until then",
      hint: "plan and apply that resource first; no plan was written")
  }
}
