public import BackendKit

/// A field whose values name records of a resource of the same backend.
public struct Relation: Sendable, Hashable {
  /// The field, or the path to a nested one.
  public let path: FieldPath
  /// The records that its values name.
  public let reference: RecordReference

  /// A relation.
  public init(_ path: FieldPath, _ reference: RecordReference) {
    self.path = path
    self.reference = reference
  }

  /// The short name: the field without a suffix for identifiers, `user` for `userId`.
  public var shortName: String {
    let name = path.text
    for suffix in ["_id", "-id", "Id", "ID"] where name.hasSuffix(suffix) && name.utf8.count > suffix.utf8.count {
      return String(name.dropLast(suffix.count))
    }
    return name
  }

  /// The identifiers or keys in the field, in order; a list has several. Values that cannot be identifiers, such as
  /// `true`, are nil.
  public func names(in record: Record) -> [RecordID?] {
    switch path.value(in: record.fields) {
    case nil, .null?: []
    case .array(let elements)?: elements.map(name)
    case let value?: [name(of: value)]
    }
  }

  /// Returns whether a record refers to several others in the field.
  public func namesSeveral(_ record: Record) -> Bool { path.value(in: record.fields)?.array != nil }

  private func name(of value: Value) -> RecordID? {
    // Some services embed the record instead of its identifier.
    if let object = value.object { return RecordID(object[reference.key ?? "id"]) }
    // 1.0 and 1 are one number, but identifiers are compared as texts.
    return value.integer.map { RecordID(String($0)) } ?? RecordID(value)
  }
}

extension ResourceDescription {
  /// The fields that refer to records, nested ones among them.
  public var relations: [Relation] { fields.flatMap { $0.relations(below: "") } }
}

extension FieldDescription {
  fileprivate func relations(below path: String) -> [Relation] {
    let own = reference.map { [Relation(FieldPath(path + name), $0)] } ?? []
    return own + fields.flatMap { $0.relations(below: "\(path)\(name).") }
  }
}
