public import BackendKit

/// A record read by itself, merged with its row in a list, since neither may have all fields.
public struct MergedRecord: Sendable {
  /// A field whose type in a list differs from that in a single record, without a described type to decide.
  public struct Conflict: Sendable, Hashable, CustomStringConvertible {
    /// The field.
    public let field: String
    /// The types, as used in clauses.
    public let listed, alone: String

    /// Both types, as a clause.
    public var description: String { "\(field) is \(listed) in lists and \(alone) in single records" }
  }

  /// The fields of the single record, then those that only the row has.
  public private(set) var record: Record
  /// The fields whose values differ in type.
  public private(set) var conflicts: [Conflict] = []

  /// Merges both by the description of the resource: a value of the described type is preferred.
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
  /// The value in the type of a field; unchanged if it cannot be converted.
  public func fitted(to field: FieldDescription?) -> Value {
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
