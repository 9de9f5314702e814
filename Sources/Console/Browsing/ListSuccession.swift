import BackendClient
import BackendKit
import ConsoleOutput

/// The list on a screen and the one that is read to follow it. Marks are rows of the list, and stay with their records:
/// these are looked for in the next one, as are those that are edited.
struct ListSuccession {
  private enum Following {
    case none
    /// A list that is read: the same one again, or one of other conditions or another order.
    case reading(BrowsedList)
    /// Another list, which could not be read.
    case failed
  }

  private(set) var shown: BrowsedList
  private var following = Following.none
  var marks = RowMarks()
  /// The created record that is to be under the cursor once the list was read again.
  var created: RecordID?
  /// The records that were on the screen before the same list was read again.
  private(set) var before: [RecordID: Record] = [:]
  /// The records that are marked (true) or edited, and were not found in the list yet.
  private var sought: [RecordID: Bool] = [:]
  /// The number of records among which they were sought.
  private var soughtUntil = 0

  init(_ shown: BrowsedList) { self.shown = shown }

  /// The message that the records shown are those of earlier conditions or another order; no key edits them then.
  var stale: EscapedText? {
    switch following {
    case .reading(let next) where !isShown(next): "reading …; these are the previous records"
    case .failed: "these are the previous records; r reads again"
    case .reading, .none: nil
    }
  }

  /// The list that is read to follow.
  var next: BrowsedList? { if case .reading(let next) = following { next } else { nil } }

  /// Returns whether a list has the conditions and the order of the one that is shown.
  func isShown(_ list: BrowsedList) -> Bool { list.request == shown.request }

  /// Returns whether the records of a list are those that keys edit.
  func isCurrent(_ list: BrowsedList) -> Bool { stale == nil && isShown(list) }

  mutating func follow(with next: BrowsedList) { following = .reading(next) }

  /// Takes notice that the next list could not be read: the present one stays.
  mutating func fail() { following = stale == nil ? .none : .failed }

  /// Ends the reading of both.
  func stop() {
    shown.stop()
    next?.stop()
  }

  /// Shows another list, and begins to look for what is marked or edited. The records in the window are compared with
  /// those of the same list.
  mutating func show(_ list: BrowsedList, edited: some Sequence<RecordID>, window: [Record]) {
    sought = sought.filter(\.value)
    for row in marks.rows { if let id = shown.record(at: row)?.id { sought[id] = true } }
    for id in edited where sought[id] == nil { sought[id] = false }
    before = [:]
    if isShown(list) { for record in window { if let id = record.id { before[id] = record } } }
    (shown, following, created, marks, soughtUntil) = (list, .none, nil, RowMarks(), 0)
  }

  /// Looks on for what is marked or edited; returns each record that is found.
  mutating func findNext() -> Record? {
    while !sought.isEmpty, soughtUntil < shown.count {
      defer { soughtUntil += 1 }
      guard let record = shown.record(at: soughtUntil),
        let isMarked = record.id.flatMap({ sought.removeValue(forKey: $0) })
      else { continue }
      if isMarked { marks[soughtUntil] = true }
      return record
    }
    return nil
  }

  var hasMarks: Bool { !marks.isEmpty || absentMarks > 0 }

  /// The number of marks of records that are not among those that were read.
  var absentMarks: Int { sought.values.count { $0 } }

  /// The number of records that are not among those that were read, of some.
  func absent(_ ids: some Sequence<RecordID>) -> Int { ids.count { sought[$0] != nil } }

  mutating func unmark() { (marks, sought) = (RowMarks(), sought.mapValues { _ in false }) }
}
