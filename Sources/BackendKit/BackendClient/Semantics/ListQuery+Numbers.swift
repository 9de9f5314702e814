public import BackendKit

extension ListQuery {
  /// The query with its conditions on boolean fields that may hold 0 and 1 meeting these as well as false and true.
  ///
  /// So every adapter plans them as it plans any condition, and the rules by which records are filtered stay the same.
  public func widened(for resource: ResourceDescription) -> ListQuery {
    let names = Set(resource.fields.filter { $0.kind == .boolean && $0.holdsNumbers }.map(\.name))
    guard !names.isEmpty else { return self }
    var query = self
    query.filters = filters.map { $0.widened(names) }
    return query
  }
}

extension Filter {
  fileprivate func widened(_ fields: Set<String>) -> Filter {
    switch self {
    case .compare(let path, let comparison, let operand):
      guard fields.contains(path.text), let alike = operand.alike else { return self }
      switch comparison {
      case .contains: return self
      case .equal: return .among(path, alike)
      case .notEqual: return .not(.among(path, alike))
      case .less, .lessOrEqual, .greater, .greaterOrEqual:
        return .or(alike.map { .compare(path, comparison, $0) })
      }
    case .among(let path, let operands):
      guard fields.contains(path.text) else { return self }
      var seen: Set<Operand> = []
      return .among(path, operands.flatMap { $0.alike ?? [$0] }.filter { seen.insert($0).inserted })
    case .isNull, .isMissing, .computed: return self
    case .and(let filters): return .and(filters.map { $0.widened(fields) })
    case .or(let filters): return .or(filters.map { $0.widened(fields) })
    case .not(let filter): return .not(filter.widened(fields))
    }
  }
}

extension Operand {
  /// This operand, and those that say the same of a boolean that may be stored as a number; nil where it says nothing of one.
  fileprivate var alike: [Operand]? {
    let number = self.number?.integer
    guard let truth = bool ?? (number == 1 ? true : number == 0 ? false : nil) else { return nil }
    let others: [Operand] = [.value(.bool(truth)), .value(.int(truth ? 1 : 0))]
    return [self] + others.filter { $0 != self }
  }
}
