public import BackendKit

extension ListQuery {
  /// The query adapted to the types of its fields: conditions on booleans that may be stored as 0 and 1 include these,
  /// and in date fields moments are compared as moments, however they are written.
  ///
  /// So adapters plan them like any condition, and the rules of filtering stay the same.
  public func widened(for resource: ResourceDescription) -> ListQuery {
    var query = self
    query.filters = filters.map { $0.widened(resource) }
    for place in sort.indices where resource.field(at: sort[place].path)?.kind == .date {
      query.sort[place].comparesMoments = true
    }
    return query
  }
}

extension Filter {
  fileprivate func widened(_ resource: ResourceDescription) -> Filter {
    switch self {
    case .compare(let path, let comparison, let operand):
      guard comparison != .contains, let field = resource.field(at: path) else { return self }
      if let moment = operand.dated(in: field) { return .compare(path, comparison, moment) }
      guard field.kind == .boolean, field.holdsNumbers, let alike = operand.alike else { return self }
      switch comparison {
      case .contains: return self
      case .equal: return .among(path, alike)
      case .notEqual: return .not(.among(path, alike))
      case .less, .lessOrEqual, .greater, .greaterOrEqual:
        return .or(alike.map { .compare(path, comparison, $0) })
      }
    case .among(let path, let operands):
      guard let field = resource.field(at: path) else { return self }
      if field.kind == .date { return .among(path, operands.map { $0.dated(in: field) ?? $0 }) }
      guard field.kind == .boolean, field.holdsNumbers else { return self }
      return .among(path, operands.flatMap { $0.alike ?? [$0] }.unique)
    case .isNull, .isMissing, .computed: return self
    case .and(let filters): return .and(filters.map { $0.widened(resource) })
    case .or(let filters): return .or(filters.map { $0.widened(resource) })
    case .not(let filter): return .not(filter.widened(resource))
    }
  }
}

extension Operand {
  /// This operand as a moment, for a date field; nil if it is not a date.
  fileprivate func dated(in field: FieldDescription) -> Operand? {
    guard field.kind == .date else { return nil }
    return text.flatMap { Instant($0) }.map { Operand.moment($0) }
  }

  /// This operand and its equivalents for a boolean that may be stored as a number; nil if it has none.
  fileprivate var alike: [Operand]? {
    let number = self.number?.integer
    guard let truth = bool ?? (number == 1 ? true : number == 0 ? false : nil) else { return nil }
    let others: [Operand] = [.value(.bool(truth)), .value(.int(truth ? 1 : 0))]
    return [self] + others.filter { $0 != self }
  }
}
