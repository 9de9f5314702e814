/// A value computed from the fields of a record, by the client only.
public struct Formula: Sendable, Hashable, CustomStringConvertible {
  /// The formula as written; formulas with the same text are equal.
  public let text: String
  /// The fields that it reads.
  public let paths: [FieldPath]
  private let compute: @Sendable (Object) -> Result<Value?, BackendError>

  /// A formula; `compute` returns nil if there is no value.
  public init(
    _ text: String, paths: [FieldPath], compute: @escaping @Sendable (Object) -> Result<Value?, BackendError>
  ) {
    self.text = text
    self.paths = paths
    self.compute = compute
  }

  /// Its value for a record; nil if there is none. Throws `invalid` if it cannot be computed from these fields.
  public func value(of record: Object) throws(BackendError) -> Value? { try compute(record).get() }

  /// The text.
  public var description: String { text }

  /// Returns whether two formulas have the same text and read the same fields.
  public static func == (left: Formula, right: Formula) -> Bool {
    left.text.hasSameBytes(as: right.text) && left.paths == right.paths
  }

  /// Hashes the text.
  public func hash(into hasher: inout Hasher) { hasher.combine(text) }
}
