import BackendKit

/// The fields of a create or an update: checked, as they are sent, and held against what the server gave back.
struct KituraWrite: Sendable {
  private static let readOnly = ["id", "url"]

  /// The object that is sent; it never holds a null, which the server takes for a field left out.
  private(set) var fields = Object()
  /// Fields that are to be cleared.
  private(set) var cleared: [String] = []
  /// What the server will make of the fields, as far as it differs from what was asked for.
  private(set) var notes: [String] = []

  /// The body of a create; throws `invalid` where the server would refuse it.
  init(creating fields: Object) throws(BackendError) {
    for (name, value) in fields.members { try set(name, value) }
  }

  /// The body of an update; throws `invalid` where the server would refuse it.
  init(changing changes: [Change]) throws(BackendError) {
    guard !changes.isEmpty else { throw .invalid("no change was given") }
    for change in changes {
      switch change {
      case .set(let name, let value): try set(name, value)
      case .unset(let name): try clear(name)
      }
    }
  }

  /// The object as JSON.
  var bytes: [UInt8] { Array(JSONWriter.compact(.object(fields)).utf8) }

  /// This change made to a record that was read whole, so that all of it can be sent.
  func applied(to record: Record) -> KituraWrite {
    var whole = self
    whole.fields = record.fields
    for name in Self.readOnly + cleared { whole.fields[name] = nil }
    for (name, value) in fields.members { whole.fields[name] = value }
    return whole
  }

  /// The names of the fields that a record does not hold as they were meant.
  func unconfirmed(by record: Record) -> [String] {
    let changed = fields.members.filter { !$1.isSame(as: record.fields[$0] ?? .null) }.map(\.0)
    return changed + cleared.filter { (record.fields[$0] ?? .null) != .null }
  }

  private mutating func set(_ name: String, _ value: Value) throws(BackendError) {
    guard value != .null else {
      try clear(name)
      notes.append("\(name) is stored as missing: the server knows no null")
      return
    }
    try forget(name)
    try Self.check(name, value)
    fields[name] = value
  }

  private mutating func clear(_ name: String) throws(BackendError) {
    try forget(name)
    cleared.append(name)
  }

  private mutating func forget(_ name: String) throws(BackendError) {
    guard !Self.readOnly.contains(name) else { throw .invalid("\(name) is set by the server only") }
    cleared.removeAll { $0 == name }
    fields[name] = nil
  }

  /// The server refuses any other kind with a text that says no more than "malformed".
  private static func check(_ name: String, _ value: Value) throws(BackendError) {
    switch (name, value) {
    case ("title", .string), ("user", .string), ("completed", .bool): break
    case ("title", _), ("user", _): throw .invalid("\(name) is a text and cannot be a \(value.kind)")
    case ("completed", _): throw .invalid("completed is true or false and cannot be a \(value.kind)")
    case ("order", _) where value.integer == nil:
      throw .invalid("order is a whole number of 64 bits and cannot be \(JSONWriter.compact(value).prefix(40))")
    default: break
    }
  }
}
