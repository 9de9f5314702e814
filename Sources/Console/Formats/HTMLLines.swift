/// Collects the text of a document into lines: runs of blanks become one, blocks stand on lines of their own.
struct HTMLLines {
  /// The lines so far.
  private(set) var lines: [String] = []
  /// The targets of the links, in the order of their numbers.
  private(set) var links: [String] = []

  private let marksLinks: Bool
  private var line: [UInt8] = []
  private var hasBlank = false
  // How many line ends are due before the next text.
  private var breaks = 0
  private var preformatted: Int
  private var lists: [(isNumbered: Bool, items: Int)] = []
  private var prefix = ""
  private var numbers: [String: Int] = [:]

  /// No lines yet. With `keepsBlanks` all blanks and line ends stay.
  init(marksLinks: Bool, keepsBlanks: Bool) {
    self.marksLinks = marksLinks
    preformatted = keepsBlanks ? 1 : 0
  }

  /// Adds text between tags.
  mutating func add(_ text: String) {
    let bytes = Array(text.utf8)
    var start = 0
    for (place, byte) in bytes.enumerated() {
      switch byte {
      case 0x0A where preformatted > 0:
        put(bytes[start..<place])
        breakLine()
      case 0x20, 0x09, 0x0A, 0x0D, 0x0C:
        if preformatted > 0 { continue }
        put(bytes[start..<place])
        hasBlank = true
      case 0xA0 where place > start && bytes[place - 1] == 0xC2:
        // A blank that does not break is a character of the word.
        put(bytes[start..<(place - 1)] + [0x20])
      default: continue
      }
      start = place + 1
    }
    put(bytes[start...])
  }

  /// Adds text as it is, after what is due before it.
  mutating func put(_ text: String) { put(Array(text.utf8)[...]) }

  private mutating func put(_ bytes: ArraySlice<UInt8>) {
    guard !bytes.isEmpty else { return }
    settleBreaks()
    if line.isEmpty {
      line.append(contentsOf: prefix.utf8)
      prefix = ""
    } else if hasBlank {
      line.append(0x20)
    }
    hasBlank = false
    line.append(contentsOf: bytes)
  }

  private mutating func settleBreaks() {
    // A line that was ended already, by a break at the end of a block, is not ended again.
    if breaks > 0, !line.isEmpty { endLine() }
    if breaks > 1, !lines.isEmpty { lines.append("") }
    breaks = 0
  }

  private mutating func endLine() {
    lines.append(String(decoding: line, as: UTF8.self))
    line.removeAll(keepingCapacity: true)
  }

  /// Ends the line, even an empty one.
  mutating func breakLine() {
    settleBreaks()
    endLine()
    hasBlank = false
  }

  /// Begins a block: the next text stands on a line of its own, after a blank one where it stands `apart`.
  mutating func beginBlock(apart: Bool = false) {
    breaks = max(breaks, apart && lists.isEmpty ? 2 : 1)
    hasBlank = false
  }

  mutating func beginPreformatted() { preformatted += 1 }

  mutating func endPreformatted() { preformatted -= 1 }

  mutating func beginList(isNumbered: Bool) {
    beginBlock(apart: true)
    lists.append((isNumbered, 0))
  }

  mutating func endList() {
    _ = lists.popLast()
    prefix = ""
    beginBlock(apart: true)
  }

  mutating func beginItem() {
    beginBlock()
    guard let last = lists.indices.last else { return prefix = "- " }
    lists[last].items += 1
    prefix = String(repeating: "  ", count: min(last, 10)) + (lists[last].isNumbered ? "\(lists[last].items). " : "- ")
  }

  /// Begins a cell of a table: apart from the one before it in the same row.
  mutating func beginCell() {
    guard breaks == 0, !line.isEmpty else { return }
    line.append(0x20)
    hasBlank = true
  }

  /// Writes a link's number before its text.
  mutating func markLink(to target: String) {
    guard marksLinks, !target.hasPrefix("#") else { return }
    let number = numbers[target] ?? links.count + 1
    if number > links.count {
      links.append(target)
      numbers[target] = number
    }
    put("[\(number)]")
    hasBlank = true
  }

  /// Ends the last line and drops empty lines around the text and all but one of those within.
  mutating func finish() {
    if !line.isEmpty { endLine() }
    lines = lines.map { $0.last == " " ? String($0.trimmingTrailingBlanks) : $0 }
    var kept: [String] = []
    for line in lines where !(line.isEmpty && kept.last?.isEmpty ?? true) { kept.append(line) }
    if kept.last?.isEmpty == true { kept.removeLast() }
    lines = kept
  }
}

extension String {
  fileprivate var trimmingTrailingBlanks: Substring {
    var text = self[...]
    while text.last == " " { text.removeLast() }
    return text
  }
}
