import BackendKit

/// The order of records by sort keys.
struct RecordOrder: Sendable {
  let keys: [SortKey]
  let ignoresCase: Bool

  /// The values of a record that its place depends on.
  func values(of record: Record) -> [Value?] { keys.map { $0.path.value(in: record.fields) } }

  /// How two records stand to each other by such values.
  func compare(_ left: [Value?], _ right: [Value?]) -> Order {
    for (key, (left, right)) in zip(keys, zip(left, right)) {
      let order = QueryRules.compare(left, right, ignoringCase: ignoresCase)
      if order != .same { return key.isDescending ? order.reversed : order }
    }
    return .same
  }

  /// The records in this order; those that no key tells apart keep theirs.
  func sorted(_ records: [Record]) -> [Record] {
    let values = records.map(values)
    let places = records.indices.sorted { left, right in
      switch compare(values[left], values[right]) {
      case .before: true
      case .after: false
      case .same: left < right
      }
    }
    return places.map { records[$0] }
  }
}
