import BackendKit

/// The records of a resource, in order of creation.
struct InMemoryTable: Sendable {
  struct Row: Sendable {
    /// The position in the list: increases with each row, is never reused, and stays when others are deleted.
    let mark: Int
    var record: Record
  }

  let resource: InMemoryResource
  private(set) var rows: [Row] = []
  private var marks: [RecordID: Int] = [:]
  private var nextMark = 0
  private var nextNumber = 1

  init(_ resource: InMemoryResource) {
    self.resource = resource
    for fields in resource.records { append(made(from: fields)) }
  }

  var rule: IdentifierRule { resource.description.identifier }

  func place(of id: RecordID) -> Int? {
    guard let mark = marks[id] else { return nil }
    let place = firstPlace(from: mark)
    return rows.indices.contains(place) ? place : nil
  }

  func firstPlace(from mark: Int) -> Int {
    var low = 0
    var high = rows.count
    while low < high {
      let middle = (low + high) / 2
      if rows[middle].mark < mark { low = middle + 1 } else { high = middle }
    }
    return low
  }

  mutating func append(_ record: Record) {
    if let id = record.id { marks[id] = nextMark }
    rows.append(Row(mark: nextMark, record: revised(record)))
    nextMark += 1
  }

  mutating func replace(at place: Int, with record: Record) { rows[place].record = revised(record) }

  private func revised(_ record: Record) -> Record {
    var record = record
    record.revision = resource.revisionField.flatMap { record.fields[$0]?.integer }.map { "\($0)" }
    return record
  }

  mutating func remove(at place: Int) {
    if let id = rows[place].record.id { marks[id] = nil }
    rows.remove(at: place)
  }

  mutating func removeAll() {
    rows = []
    marks = [:]
  }

  /// Creates a record from fields, with a generated identifier unless given, and the first revision.
  mutating func made(from fields: Object) -> Record {
    var fields = fields
    if let field = resource.revisionField, fields[field] == nil { fields[field] = 0 }
    if let field = rule.field, let id = RecordID(fields[field]) {
      // A number that a client chose is never generated.
      if let number = Int(id.text), number >= nextNumber, number < .max { nextNumber = number + 1 }
      return Record(id: id, fields: fields)
    }
    let id = unusedIdentifier()
    if let field = rule.field {
      let value = rule.form == .integer ? Number(id.text).map(Value.number) : nil
      fields = Object([(field, value ?? .string(id.text))] + fields.members.filter { $0.0 != field })
    }
    return Record(id: id, fields: fields)
  }

  private mutating func unusedIdentifier() -> RecordID {
    repeat {
      let id = RecordID(rule.form == .integer ? "\(nextNumber)" : "r\(String(nextNumber, radix: 36))")
      nextNumber += 1
      if marks[id] == nil { return id }
    } while true
  }
}
