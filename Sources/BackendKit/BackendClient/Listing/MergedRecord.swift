public import BackendKit

/// A record that was read alone, over its row in a list: two shapes of one thing, of which neither has all fields.
public struct MergedRecord: Sendable {
  /// A field with values of different types in a list and in a single record, where no described type decides.
  public struct Conflict: Sendable, Hashable, CustomStringConvertible {
    /// The field.
    public let field: String
    /// The types, as clauses have them.
    public let listed, alone: String

    /// Both types, as a clause.
    public var description: String { "\(field) is \(listed) in lists and \(alone) in single records" }
  }

  /// The fields of the single record, then those that only the row has.
  public private(set) var record: Record
  /// The fields whose values differ in type.
  public private(set) var conflicts: [Conflict] = []

  /// Merges both by the description of the resource: a value is of the described type if one of the shapes has it so.
  public init(_ alone: Record, over row: Record, of resource: ResourceDescription) {
    record = alone
    for (name, listed) in row.fields.members where !alone.unloaded.contains(name) {
      guard let own = alone.fields[name] else {
        record.fields[name] = listed
        record.listed.append(name)
        continue
      }
      guard own.kind != listed.kind, own != .null, listed != .null else { continue }
      let field = resource.field(named: name)
      let fitted = own.fitted(to: field)
      if fitted.kind == listed.fitted(to: field).kind {
        record.fields[name] = fitted
      } else {
        conflicts.append(Conflict(field: name, listed: listed.kindWithArticle, alone: own.kindWithArticle))
      }
    }
  }
}

extension Value {
  /// The same value as the type of a field has it; itself where it cannot be one.
  func fitted(to field: FieldDescription?) -> Value {
    switch (self, field?.kind) {
    case (.string(let text), .integer?), (.string(let text), .number?): Number(text).map { .number($0) } ?? self
    case (.string("true"), .boolean?): .bool(true)
    case (.string("false"), .boolean?): .bool(false)
    case (.number, .boolean?): truth.map { .bool($0) } ?? self
    case (.number(let number), .text?): .string(number.text)
    case (.bool, .text?): .string(plainText)
    default: self
    }
  }
}
