import BackendKit

/// What a write is going to send, checked and put into the shape that the server stores.
struct Draft {
  let collection: ServerCollection
  /// The fields to set.
  private(set) var fields = Object()
  /// Boolean fields to set of which the server may hold numbers.
  private(set) var flags: [String] = []
  /// The fields to remove.
  private(set) var removed: [String] = []
  /// What was changed on the way.
  private(set) var notes: [String] = []

  /// The draft of a new record.
  init(_ fields: Object, for collection: ServerCollection) throws(BackendError) {
    self.collection = collection
    for (name, value) in fields.members { try set(name, value) }
  }

  /// The draft of a change.
  init(_ changes: [Change], for collection: ServerCollection) throws(BackendError) {
    self.collection = collection
    guard !changes.isEmpty else { throw .invalid("no change was given") }
    for change in changes {
      switch change {
      case .set(let name, let value):
        try set(name, value)
        removed.removeAll { $0 == name }
      case .unset(let name):
        guard name != "id" else { throw .invalid("an identifier cannot be removed") }
        fields[name] = nil
        if !removed.contains(name) { removed.append(name) }
      }
    }
  }

  private mutating func set(_ name: String, _ value: Value) throws(BackendError) {
    guard name != "id" else { throw .invalid("the server chooses identifiers, and they do not change") }
    fields[name] = value
    flags.removeAll { $0 == name }
    if value.truth != nil, collection.fields.contains(where: { $0.name == name && $0.holdsNumbers }) {
      flags.append(name)
    }
  }

  /// Gives boolean fields the kind of value that the server has stored in them: 0 and 1 in those named, else false and true.
  mutating func storeFlags(asNumbers numbers: [String]) {
    for name in flags {
      guard let truth = fields[name]?.truth else { continue }
      let stored: Value = numbers.contains(name) ? .int(truth ? 1 : 0) : .bool(truth)
      guard fields[name] != stored else { continue }
      fields[name] = stored
      notes.append("\(name) was sent as \(JSONWriter.compact(stored)), as this server stores it")
    }
  }

  /// Names the record that a nested resource belongs to.
  mutating func add(owner: (collection: String, id: RecordID, field: String)?) throws(BackendError) {
    guard let owner else { return }
    guard fields[owner.field] == nil || RecordID(fields[owner.field]) == owner.id else {
      throw .invalid("\(owner.field) does not name \(owner.collection)/\(owner.id)", hint: "leave it out")
    }
    if fields[owner.field] == nil {
      // The server's own nested route would store the text of the path.
      let number = Int(owner.id.text).flatMap { String($0) == owner.id.text ? Value.int($0) : nil }
      fields[owner.field] = number ?? .string(owner.id.text)
    }
  }

  /// A record with the changes made; everything else stays, also what nobody knows.
  func applied(to record: Object) -> Object {
    var record = record
    for (name, value) in fields.members { record[name] = value }
    for name in removed { record[name] = nil }
    return record
  }

  /// Whether a record is as the draft wants it.
  func isDone(in record: Object) -> Bool { applied(to: record) == record }

  /// What an answer says otherwise than was sent.
  func differences(from answer: Object?) -> [String] {
    guard let answer else { return ["the server did not answer with the record"] }
    var differences: [String] = []
    for (name, value) in fields.members where answer[name].map({ !$0.isSame(as: value) }) ?? true {
      differences.append("the server answered with \(answer[name] == nil ? "no" : "another") \(name)")
    }
    for name in removed where answer[name] != nil { differences.append("the server still has \(name)") }
    return differences
  }
}
