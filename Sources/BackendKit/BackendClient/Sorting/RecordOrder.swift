import BackendKit

struct RecordOrder: Sendable {
  /// The values that determine the place of a record in the order.
  struct Place: Sendable {
    /// The values of the keys, with texts case-folded if case is ignored, and moments as texts that sort.
    let values: [Value?]
    /// Orders most pairs without comparing their values: the smaller prefix comes first.
    let prefix: UInt64
  }

  private let keys: [SortKey]
  private let ignoresCase: Bool

  init(_ keys: [SortKey], ignoringCase: Bool) {
    self.keys = keys
    ignoresCase = ignoringCase
  }

  /// Returns the values that determine the place of a record.
  func place(of record: Record) -> Place {
    let values = keys.map { $0.value(in: record.fields, ignoringCase: ignoresCase) }
    guard let key = keys.first, let value = values.first else { return Place(values: [], prefix: 0) }
    let prefix = SortPrefix.of(value)
    return Place(values: values, prefix: key.isDescending ? ~prefix : prefix)
  }

  /// Returns the order of two records, given their places.
  func compare(_ left: Place, _ right: Place) -> Order {
    if left.prefix != right.prefix { return left.prefix < right.prefix ? .before : .after }
    for place in keys.indices {
      let order = QueryRules.compare(left.values[place], right.values[place])
      if order != .same { return keys[place].isDescending ? order.reversed : order }
    }
    return .same
  }

  /// The records sorted stably.
  func sorted(_ records: [Record]) -> [Record] {
    let places = records.map(place)
    // The prefixes are contiguous, and moving them changes no reference counts.
    let entries = places.enumerated().map { (prefix: $1.prefix, number: $0) }
    let sorted = entries.sorted { left, right in
      if left.prefix != right.prefix { return left.prefix < right.prefix }
      return switch compare(places[left.number], places[right.number]) {
      case .before: true
      case .after: false
      case .same: left.number < right.number
      }
    }
    return sorted.map { records[$0.number] }
  }
}
