extension ResourceDescription {
  /// Returns whether two values of a field are equivalent: an absent value equals null, an empty text equals both if
  /// the service clears fields by one, and in a boolean field that may hold numbers 0 and 1 equal false and true. Any
  /// two values of a volatile field are.
  public func isSame(_ left: Value?, _ right: Value?, in field: String) -> Bool {
    let (left, right) = (left ?? .null, right ?? .null)
    if left.isSame(as: right) || self.field(named: field)?.isVolatile == true { return true }
    if capabilities.clearsByEmptyText, [left, right].allSatisfy({ $0 == .null || $0 == "" }) { return true }
    if left.isSameMoment(as: right), self.field(named: field)?.kind == .date { return true }
    guard let truth = left.truth, truth == right.truth, let field = self.field(named: field) else { return false }
    return field.kind == .boolean && field.holdsNumbers
  }
}
