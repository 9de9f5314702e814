/// Incremental backward search through the history.
struct HistorySearch {
  private let entries: [String]
  /// The text and cursor to return to.
  let draft: String
  let draftCursor: Int
  private(set) var pattern = ""
  private(set) var isFailing = false
  private var position: Int
  /// The matching line, or the draft before there is one.
  private(set) var found: String

  init(entries: [String], draft: String, cursor: Int) {
    self.entries = entries
    self.draft = draft
    draftCursor = cursor
    position = entries.count
    found = draft
  }

  /// The offset of the pattern in the matching line, in scalars.
  var matchOffset: Int {
    Self.offset(of: pattern, in: found) ?? found.unicodeScalars.count
  }

  mutating func type(_ scalar: Unicode.Scalar) {
    pattern.unicodeScalars.append(scalar)
    search(from: min(position, entries.count - 1), by: -1)
  }

  /// Removes the last character and searches again from the newest line.
  mutating func erase() {
    guard !pattern.isEmpty else { return }
    pattern.unicodeScalars.removeLast()
    isFailing = false
    if pattern.isEmpty {
      position = entries.count
      found = draft
    } else {
      search(from: entries.count - 1, by: -1)
    }
  }

  mutating func older() { search(from: position - 1, by: -1) }
  mutating func newer() { search(from: position + 1, by: 1) }

  private mutating func search(from start: Int, by step: Int) {
    guard !pattern.isEmpty else { return }
    var index = start
    while entries.indices.contains(index) {
      let isNew = entries[index] != found || position == entries.count || index == position
      if isNew && Self.offset(of: pattern, in: entries[index]) != nil {
        position = index
        found = entries[index]
        isFailing = false
        return
      }
      index += step
    }
    isFailing = true
  }

  private static func offset(of pattern: String, in text: String) -> Int? {
    let needle = Array(pattern.unicodeScalars)
    let hay = Array(text.unicodeScalars)
    guard needle.count <= hay.count else { return nil }
    return (0...(hay.count - needle.count)).first { hay[$0..<($0 + needle.count)].elementsEqual(needle) }
  }
}
