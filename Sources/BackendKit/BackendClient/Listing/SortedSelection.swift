import BackendKit

/// The first records of a list in the order of its sort keys, as many as are asked for: what lies behind them is counted and
/// let go, so that a sort with a limit keeps a few times the limit and not the list.
struct SortedSelection {
  private let keys: [SortKey]
  private let ignoresCase: Bool
  /// How many records are wanted; nil for all.
  private let wanted: Int?
  private var kept: [Record] = []
  /// The last of the wanted records, once there are as many: whatever is not before it cannot be among them.
  private var last: Record?
  /// How many records were added.
  private(set) var count = 0
  /// How many of them are in memory.
  var keptCount: Int { kept.count }

  init(by keys: [SortKey], ignoringCase: Bool, wanted: Int?) {
    self.keys = keys
    ignoresCase = ignoringCase
    self.wanted = wanted
  }

  /// Takes the next record of the list.
  mutating func add(_ record: Record) {
    count += 1
    // Of two that no key tells apart the earlier one comes first, so that a later one never takes its place.
    if let last, compare(record, last) != .before { return }
    kept.append(record)
    // A smaller surplus would sort too often, a larger one keep too much.
    if let wanted, kept.count / 2 >= max(wanted, 500) {
      kept = sorted
      last = kept.last
    }
  }

  /// The wanted records in their order.
  var sorted: [Record] {
    let all = ReferenceEvaluator.sorted(kept, by: keys, ignoringCase: ignoresCase)
    return wanted.map { Array(all.prefix($0)) } ?? all
  }

  private func compare(_ left: Record, _ right: Record) -> Order {
    QueryRules.compare(left.fields, right.fields, by: keys, ignoringCase: ignoresCase)
  }
}
