extension ResourceDescription {
  /// Returns whether two values of a field are equivalent: an absent value equals null, an empty text equals both if
  /// the service clears fields by one, and in a boolean field that may hold numbers 0 and 1 equal false and true. Any
  /// two values of a volatile field are, also below another field.
  public func isSame(_ left: Value?, _ right: Value?, in field: String) -> Bool {
    var (left, right) = (left ?? .null, right ?? .null)
    if left.isSame(as: right) { return true }
    if let field = self.field(named: field) {
      if field.isVolatile { return true }
      (left, right) = (field.withoutVolatile(left), field.withoutVolatile(right))
      if left.isSame(as: right) { return true }
    }
    if capabilities.clearsByEmptyText, [left, right].allSatisfy({ $0 == .null || $0 == "" }) { return true }
    if left.isSameMoment(as: right), self.field(named: field)?.kind == .date { return true }
    guard let truth = left.truth, truth == right.truth, let field = self.field(named: field) else { return false }
    return field.kind == .boolean && field.holdsNumbers
  }
}

extension FieldDescription {
  /// The value without the volatile fields below it.
  fileprivate func withoutVolatile(_ value: Value) -> Value {
    guard !fields.isEmpty else { return value }
    if let elements = value.array { return .array(elements.map(withoutVolatile)) }
    guard let object = value.object else { return value }
    return .object(
      Object(
        object.members.compactMap { name, value in
          guard let field = fields.named(name) else { return (name, value) }
          return field.isVolatile ? nil : (name, field.withoutVolatile(value))
        }))
  }
}
