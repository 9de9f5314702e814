/// Holds the records that came over all pages of a list against the totals that the pages reported.
struct ListCompleteness: Sendable {
  private var smallest: Int?
  private var largest: Int?
  private var last: Int?
  /// The most by which a total was below one that came before it.
  private var fall = 0
  /// The number of records received, not counting repeated ones.
  var received = 0
  /// The number of received records that an earlier page already had.
  var repeated = 0

  /// Takes the total that a page reported.
  mutating func add(total: Int?) {
    guard let total else { return }
    fall = max(fall, (largest ?? total) - total)
    smallest = min(smallest ?? total, total)
    largest = max(largest ?? total, total)
    last = total
  }

  /// Returns whether as many records were received as each total says.
  func isReached(skipped: Int) -> Bool { received + skipped == smallest && smallest == largest }

  /// Returns the reason to doubt that a list read from beginning to end is complete; nil if there is none.
  ///
  /// If pages are found by their offset, each record that is deleted during the reading moves those after it one place
  /// forward, so that as many are skipped between two pages.
  func doubt(skipped: Int, pagesByOffset: Bool) -> ListSummary.CompletenessWarning? {
    guard let smallest, let largest else { return nil }
    let reached = received + skipped
    if reached < smallest, received > 0 || skipped < smallest { return .missing(of: smallest, received: received) }
    if pagesByOffset, fall > 0 { return .shrank(from: largest, by: fall) }
    return reached > largest && received > 0 ? .surplus(of: largest, received: received) : nil
  }
}
