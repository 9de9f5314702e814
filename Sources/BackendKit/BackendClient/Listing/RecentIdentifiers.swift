import BackendKit

/// The identifiers of recent pages, as far back as concurrent writes are likely to move records.
struct RecentIdentifiers {
  private static let span = 20_000
  private var earlier: Set<RecordID> = []
  private var order: [RecordID] = []
  private var current: [RecordID] = []

  /// Returns whether no earlier page had this identifier. A second one within a page does not count: some servers give
  /// two records the same identifier.
  mutating func isNew(_ id: RecordID?) -> Bool {
    guard let id else { return true }
    if earlier.contains(id) { return false }
    current.append(id)
    return true
  }

  mutating func endPage() {
    for id in current where earlier.insert(id).inserted { order.append(id) }
    current.removeAll(keepingCapacity: true)
    if order.count > 2 * Self.span {
      for id in order.prefix(order.count - Self.span) { earlier.remove(id) }
      order.removeFirst(order.count - Self.span)
    }
  }
}
