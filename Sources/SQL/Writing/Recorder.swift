import BackendKit
import CSQLite

/// The writes requested by a statement. None of them is sent.
struct Recorder {
  private(set) var writes: [RecordedWrite] = []
  private var seen: Set<ExactText> = []

  /// Records SQLite's update of a table: one value for a deletion; otherwise the old row, the new row and the columns.
  mutating func add(_ values: [OpaquePointer], to table: Table) throws(SQLError) {
    let isNew = values.count > 1 && sv_value_type(values[0]) == SQLITE_NULL
    if isNew { return try create(Array(values.dropFirst(2)), in: table) }
    let row = Int32(truncatingIfNeeded: sv_value_number(values[0]))
    let (owner, id) = try table.identity(of: row)
    guard !id.isSole else {
      throw SQLError(.statement, "a record of \(table.name) has no identifier, so it cannot be written")
    }
    guard try table.isAlone(id, owner) else {
      throw SQLError(.statement, "several records of \(table.name) have the identifier \(id.text)")
    }
    let path = table.path(below: owner)
    guard seen.insert(ExactText("\(path)\u{1F}\(id.text)")).inserted else {
      throw SQLError(.statement, "the statement writes record \(id.text) of \(table.name) twice")
    }
    let verb: RecordedWrite.Verb =
      values.count == 1 ? .delete(id) : .update(id, try changes(Array(values.dropFirst(2)), of: id, in: table))
    writes.append(RecordedWrite(backend: table.backend, resource: path, verb: verb, before: table.record(row)))
  }

  private mutating func create(_ values: [OpaquePointer], in table: Table) throws(SQLError) {
    var fields = Object()
    var owners: [String] = []
    for (column, value) in zip(table.columns.all, values) where sv_value_type(value) != SQLITE_NULL {
      let argument = SQLArgument(value)
      if case .owner = column.source {
        owners.append(argument.shown.plainText)
        continue
      }
      if let refusal = table.refusal(toWrite: column) { throw refusal }
      fields[column.path?.text ?? column.name] = try column.written(argument, in: table)
    }
    let names = table.owners.names
    guard owners.count == names.count else {
      let what = names.count > 1 ? "values for" : "a value for"
      throw SQLError(.statement, "a new record of \(table.name) needs \(what) \(names.joined(separator: ", "))")
    }
    let path = table.path(below: names.isEmpty ? nil : Owners.identifier(owners))
    writes.append(RecordedWrite(backend: table.backend, resource: path, verb: .create(fields), before: nil))
  }

  private func changes(_ values: [OpaquePointer], of id: RecordID, in table: Table) throws(SQLError) -> [Change] {
    var changes: [Change] = []
    for (column, value) in zip(table.columns.all, values) where !sv_is_unchanged_value(value) {
      let argument = SQLArgument(value)
      if column.isIdentifier {
        guard argument.shown.plainText.hasSameBytes(as: id.text) else {
          throw SQLError(
            .statement, "the identifier of record \(id.text) of \(table.name) cannot change",
            hint: "create another record")
        }
        continue
      }
      if let refusal = table.refusal(toWrite: column) { throw refusal }
      changes.append(.set(column.name, try column.written(argument, in: table)))
    }
    return changes
  }
}

extension Table {
  /// The reason why a column cannot be written, with an alternative; nil if it can.
  func refusal(toWrite column: Column) -> SQLError? {
    let fields = resource.description
    switch column.source {
    case .identifier where fields.identifier.field != nil: return nil
    case .field(let path) where fields.field(named: path.text) != nil: return nil
    case .field(let path) where fields.field(named: path.field) != nil:
      let rest = path.names.dropFirst().map { ".\(SQLWords.quoted($0))" }.joined()
      let whole = SQLWords.quoted(path.field)
      return SQLError(
        .statement, "\(column.name) is a part of \(path.field), which is only written as a whole",
        hint: "SET \(whole) = json_set(\(whole), '$\(rest)', …)")
    case .field, .identifier, .owner, .record:
      return SQLError(
        .statement, "column \(column.name) of \(name) cannot be written",
        hint: "write whole fields of the record instead")
    }
  }
}

extension Column {
  /// A value of SQL in the field's form, converted like a column would: a number to a text, and a text that is one to a
  /// number. Throws for a value that JSON does not have.
  func written(_ value: SQLArgument, in table: Table) throws(SQLError) -> Value {
    switch (declaration, value) {
    case (_, .bytes):
      throw SQLError(
        .statement, "\(table.name), column \(name): a BLOB cannot be written",
        hint: "CAST(… AS TEXT) makes a text of it")
    case (_, .real(let number)) where !number.isFinite:
      throw SQLError(.statement, "\(table.name), column \(name): an infinite number cannot be written")
    case ("INTEGER", .real(let number)): Int(exactly: number).map { .int($0) } ?? value.shown
    case ("INTEGER", .text(let text)), ("REAL", .text(let text)): Number(text).map { .number($0) } ?? value.shown
    case ("TEXT", .integer), ("TEXT", .real): .string(value.shown.plainText)
    default: value.shown(as: kind)
    }
  }
}
