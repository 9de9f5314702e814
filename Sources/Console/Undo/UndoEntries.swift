struct UndoEntries {
  /// The undone entries; if only perhaps, with the entry that may have done it.
  let undone: [Int64: Int64?]
  var numbers: [Int64] = []
  /// True if they are undone one at a time, the newest first.
  var isOrdered = false
  /// Sentences about writes that were made, or may have been, without a journal entry.
  var unproved: [String] = []
  /// The records that several entries concern.
  private(set) var repeated: Set<Int> = []
  private var seen: Set<Int> = []

  init(undone: [Int64: Int64?]) { self.undone = undone }

  mutating func add(_ entry: JournalEntry) {
    numbers.append(entry.number)
    if !seen.insert(entry.recordKey).inserted { repeated.insert(entry.recordKey) }
  }
}
