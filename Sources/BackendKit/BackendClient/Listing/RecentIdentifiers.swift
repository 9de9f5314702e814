import BackendKit

/// The identifiers of the pages before, as far back as records are likely to move while others write.
struct RecentIdentifiers {
  private static let span = 20_000
  private var earlier: Set<RecordID> = []
  private var order: [RecordID] = []
  private var current: [RecordID] = []

  /// Returns whether no earlier page had this identifier. Twice within one page is not a repetition: some servers give
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
