import BackendKit

/// The records of the page being read, as far as no page before had them. A list whose pages bring nothing new would never
/// end.
struct PageProgress {
  /// The number of records taken from the page.
  private(set) var taken = 0
  /// The requested size of the page, in records.
  private(set) var size: Int?
  /// The number of its records that no earlier page had.
  private var new = 0
  /// The most records at its beginning that the page before had.
  private var repeats = 0
  /// The number of its first records to pass over because the list begins again with larger pages.
  private var readBefore = 0
  private var earlier = RecentIdentifiers()
  /// The number of consecutive pages, up to now, that repeated earlier ones and were shorter than requested. A record may
  /// have moved while others wrote, or the server leaves out records that it counts; many such pages in a row show one
  /// that ignores which page is requested.
  private var repeatedPages = 0
  private static let mostRepeatedPages = 20
  /// The number of consecutive pages without records, up to now. A service that searches as it goes may send some; many
  /// in a row show one that never ends.
  private var emptyPages = 0
  private static let mostEmptyPages = 1_000

  mutating func begin(_ page: PageWalk.Beginning) {
    (size, readBefore) = (page.size, page.passedOver)
    if page.cursor == nil { repeats = 0 }
    (taken, new) = (0, 0)
  }

  /// Counts a record; returns whether it is passed over. Others may write while a list begins again: only what came before
  /// is.
  mutating func passesOver(_ record: Record) -> Bool {
    taken += 1
    guard taken <= readBefore, record.id == nil || !earlier.isNew(record.id) else { return false }
    new += 1
    return true
  }

  /// Counts an element that no other page has.
  mutating func countNew() { new += 1 }

  /// Returns whether no page before had a record, and counts it then. A list without pages has no page before.
  mutating func isNew(_ record: Record, hasPages: Bool) -> Bool {
    guard !hasPages || earlier.isNew(record.id) else { return false }
    new += 1
    return true
  }

  /// True if the page before is known to have had the record that was taken last.
  var isRepeatExpected: Bool { taken <= repeats }

  /// Throws where the list goes on after a page whose records all came before.
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

  /// Goes on to the next page, which may begin with so many of this one's records.
  mutating func end(repeating repeats: Int) { self.repeats = repeats }

  /// Keeps the identifiers of the page for the pages behind it.
  mutating func keep() { earlier.endPage() }
}
