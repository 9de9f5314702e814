/// Moves up and down through the lines that begin like the text before the cursor when the walk began.
struct HistoryWalk {
  private let entries: [String]
  private let draft: String
  private let prefix: String
  private var position: Int
  /// The text that the walk last put on the line; if the line has another one, it was edited, and the walk ends.
  private(set) var shown: String

  init(entries: [String], line: String, prefix: String) {
    self.entries = entries
    self.draft = line
    self.prefix = prefix
    position = entries.count
    shown = line
  }

  /// The next older line that differs from the one shown.
  mutating func older() -> String? {
    move(through: stride(from: position - 1, through: 0, by: -1))
  }

  /// The next newer line, at the end the draft.
  mutating func newer() -> String? {
    if let line = move(through: stride(from: position + 1, to: entries.count, by: 1)) { return line }
    guard position < entries.count else { return nil }
    position = entries.count
    shown = draft
    return draft
  }

  private mutating func move(through indices: some Sequence<Int>) -> String? {
    for index in indices where entries[index] != shown && entries[index].hasPrefix(prefix) {
      position = index
      shown = entries[index]
      return shown
    }
    return nil
  }
}
