/// The entries of the journal that an undo is about, by their numbers.
struct UndoEntries {
  /// Those that were taken back already, each with the entry that may have done it if that is not known.
  let undone: [Int64: Int64?]
  var numbers: [Int64] = []
  /// The records that several of them are about.
  private(set) var repeated: Set<Int> = []
  private var seen: Set<Int> = []

  init(undone: [Int64: Int64?]) { self.undone = undone }

  mutating func add(_ entry: JournalEntry) {
    numbers.append(entry.number)
    if !seen.insert(entry.recordKey).inserted { repeated.insert(entry.recordKey) }
  }
}
