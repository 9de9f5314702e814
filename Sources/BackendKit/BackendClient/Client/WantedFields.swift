public import BackendKit

/// The values that a write gives to fields of a record.
public struct WantedFields: Sendable {
  /// Whole fields, null if cleared.
  public var values: Object
  /// Parts of fields by their paths, null if removed.
  public var parts: Object

  /// Values of whole fields, and of parts.
  public init(_ values: Object, parts: Object = Object()) {
    self.values = values
    self.parts = parts
  }

  /// The values that a creation or a change sends; empty for a deletion or an action.
  public init(_ write: Write) {
    self.init(Object())
    switch write {
    case .create(_, let fields): values = fields
    case .update(_, _, let changes, let parts, _):
      for change in changes { add(change) }
      for part in parts { self.parts[part.description] = part.value ?? .null }
    case .delete, .act: break
    }
  }

  /// The value of a change.
  public init(_ change: Change) {
    self.init(Object())
    add(change)
  }

  private mutating func add(_ change: Change) {
    if case .set(let name, let value) = change { values[name] = value } else { values[change.field] = .null }
  }

  func only(_ name: String) -> WantedFields {
    let parts = parts.members.filter { FieldPath($0.0).field == name }
    return WantedFields(Object(values.members.filter { $0.0 == name }), parts: Object(parts))
  }

  /// The fields and parts whose values in a record differ from these.
  public func missing(in record: Object, of resource: ResourceDescription) -> [String] {
    values.members.filter { name, value in !resource.isSame(value, record[name], in: name) }.map(\.0)
      + parts.members.filter { path, value in
        !(FieldPath(path).value(in: record) ?? .null).isSame(as: value)
      }.map(\.0)
  }

  /// Returns whether a record has all of these values.
  public func isShown(by record: Object, of resource: ResourceDescription) -> Bool {
    missing(in: record, of: resource).isEmpty
  }
}
