extension ResourceDescription {
  /// Whether two values of a field say the same to whoever reads them: absent is as null, an empty text as both if the service
  /// clears fields by one, and in a field that may hold numbers for booleans 0 and 1 are as false and true.
  public func isSame(_ left: Value?, _ right: Value?, in field: String) -> Bool {
    let (left, right) = (left ?? .null, right ?? .null)
    if left.isSame(as: right) { return true }
    if capabilities.clearsByEmptyText, [left, right].allSatisfy({ $0 == .null || $0 == "" }) { return true }
    guard let truth = left.truth, truth == right.truth, let field = self.field(named: field) else { return false }
    return field.kind == .boolean && field.holdsNumbers
  }
}
