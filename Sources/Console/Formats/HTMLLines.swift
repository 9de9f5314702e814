/// Collects the text of a document into lines: runs of blanks become one, blocks stand on lines of their own.
struct HTMLLines {
  /// The lines so far.
  private(set) var lines: [String] = []
  /// The targets of the links, in the order of their numbers.
  private(set) var links: [String] = []

  private let marksLinks: Bool
  private var line = ""
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
    var word = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\n" where preformatted > 0:
        flush(&word)
        breakLine()
      case " ", "\t", "\n", "\r", "\u{C}":
        if preformatted > 0 {
          word.append(scalar)
        } else {
          flush(&word)
          hasBlank = true
        }
      case "\u{A0}": word.append(" ")
      default: word.append(scalar)
      }
    }
    flush(&word)
  }

  private mutating func flush(_ word: inout String.UnicodeScalarView) {
    guard !word.isEmpty else { return }
    put(String(word))
    word.removeAll(keepingCapacity: true)
  }

  /// Adds text as it is, after what is due before it.
  mutating func put(_ text: String) {
    if breaks > 0, !(lines.isEmpty && line.isEmpty) {
      // A line that was ended already, by a break at the end of a block, is not ended again.
      if !line.isEmpty { lines.append(line) }
      if breaks > 1 { lines.append("") }
      line = ""
    }
    breaks = 0
    if line.isEmpty {
      line = prefix
      prefix = ""
    } else if hasBlank {
      line += " "
    }
    hasBlank = false
    line += text
  }

  /// Ends the line, even an empty one.
  mutating func breakLine() {
    if breaks > 0 { put("") }
    lines.append(line)
    line = ""
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
    line += " "
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
    if !line.isEmpty { lines.append(line) }
    line = ""
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
