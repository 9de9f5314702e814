import BackendKit

/// Counts the new records of each page, to detect a list whose pages repeat and that would never end.
struct PageProgress {
  /// The number of records taken from the page.
  private(set) var taken = 0
  /// The requested size of the page, in records.
  private(set) var size: Int?
  /// The number of its records that no earlier page had.
  private var new = 0
  /// The maximum number of records at its beginning that repeat the previous page.
  private var repeats = 0
  /// The number of first records to skip because the list began again with larger pages.
  private var readBefore = 0
  private var earlier = RecentIdentifiers()
  /// The number of consecutive pages that repeated earlier ones and were shorter than requested. A record may have
  /// moved while others wrote, or the server omits records that it counts; many such pages in a row mean a server that
  /// ignores which page is requested.
  private var repeatedPages = 0
  private static let mostRepeatedPages = 20
  /// The number of consecutive pages without records. A service that searches as it goes may send some; many in a row
  /// mean one that never ends.
  private var emptyPages = 0
  private static let mostEmptyPages = 1_000

  mutating func begin(_ page: PageWalk.Beginning) {
    (size, readBefore) = (page.size, page.passedOver)
    if page.cursor == nil { repeats = 0 }
    (taken, new) = (0, 0)
  }

  /// Counts a record; returns whether it is skipped. Others may write while a list begins again, so only records that
  /// came before are.
  mutating func passesOver(_ record: Record) -> Bool {
    taken += 1
    guard taken <= readBefore, record.id == nil || !earlier.isNew(record.id) else { return false }
    new += 1
    return true
  }

  /// Counts an element that no other page has.
  mutating func countNew() { new += 1 }

  /// Returns whether a record is new, and counts it then. In a list without pages all are.
  mutating func isNew(_ record: Record, hasPages: Bool) -> Bool {
    guard !hasPages || earlier.isNew(record.id) else { return false }
    new += 1
    return true
  }

  /// True if the last record taken is known to repeat one of the previous page.
  var isRepeatExpected: Bool { taken <= repeats }

  /// Throws if the list continues after a page without new records.
  mutating func check(_ end: PageEnd, of name: String) throws(BackendError) {
    emptyPages = end.next != nil && taken == 0 ? emptyPages + 1 : 0
    guard emptyPages < Self.mostEmptyPages else {
      throw .badResponse(
        "\(name) returned \(Self.mostEmptyPages) empty pages in a row",
        hint: "its server seems to offer a next page forever")
    }
    guard end.next != nil, taken > repeats, new == 0 else {
      repeatedPages = 0
      return
    }
    repeatedPages += 1
    guard taken < size ?? 2, repeatedPages < Self.mostRepeatedPages else {
      throw .badResponse(
        "\(name) returns the same records repeatedly, so the list would never end",
        hint: "its server seems to ignore page parameters; check the backend's address")
    }
  }

  /// Begins the next page, of which so many first records may repeat this one's.
  mutating func end(repeating repeats: Int) { self.repeats = repeats }

  /// Keeps the identifiers of the page for comparison with later ones.
  mutating func keep() { earlier.endPage() }
}

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
