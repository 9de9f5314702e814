/// Collects the text of a document into lines: runs of white space become one space, blocks get lines of their own.
struct HTMLLines {
  /// The current container of text: the document, or a table cell.
  struct Frame {
    var lines: [String] = []
    var line: [UInt8] = []
    var hasBlank = false
    /// The number of line ends due before the next text.
    var breaks = 0
    var lists: [(isNumbered: Bool, items: Int)] = []
    var prefix = ""
  }

  /// The style in which text is written.
  struct Manner {
    /// True if links are marked with their numbers.
    var marksLinks = true
    var firstLink = 1
    /// True if emphasis is marked, see ``TextStyle``.
    var marksStyles = false
    /// The maximum width of tables in columns.
    var width: Int?
  }

  /// The targets of the links, in the order of their numbers.
  private(set) var links: [String] = []
  /// The addresses of images, frames and the like with their alternative texts, in their order.
  var loaded: [(address: String, name: String?)] = []
  let manner: Manner
  var frame = Frame()
  var tables: [HTMLTable] = []

  private var preformatted: Int
  private var numbers: [String: Int] = [:]
  // Styles that begin with the next text.
  private var due: [TextStyle] = []

  /// No lines yet. With `keepsBlanks`, white space is preserved.
  init(_ manner: Manner, keepsBlanks: Bool) {
    self.manner = manner
    preformatted = keepsBlanks ? 1 : 0
  }

  var lines: [String] { frame.lines }

  /// Adds text between tags.
  mutating func add(_ text: String) {
    let bytes = Array((manner.marksStyles ? TextStyle.removed(from: text) : text).utf8)
    var start = 0
    for (index, byte) in bytes.enumerated() {
      switch byte {
      case 0x0A where preformatted > 0:
        put(bytes[start..<index])
        breakLine()
      case 0x20, 0x09, 0x0A, 0x0D, 0x0C:
        if preformatted > 0 { continue }
        put(bytes[start..<index])
        frame.hasBlank = true
      case 0xA0 where index > start && bytes[index - 1] == 0xC2:
        // A no-break space is part of the word.
        put(bytes[start..<(index - 1)] + [0x20])
      default: continue
      }
      start = index + 1
    }
    put(bytes[start...])
  }

  /// Adds preserved text, after what is due before it.
  mutating func put(_ text: String) { put(Array(text.utf8)[...]) }

  private mutating func put(_ bytes: ArraySlice<UInt8>) {
    guard !bytes.isEmpty else { return }
    settleBreaks()
    if frame.line.isEmpty {
      frame.line.append(contentsOf: frame.prefix.utf8)
      frame.prefix = ""
    } else if frame.hasBlank {
      frame.line.append(0x20)
    }
    frame.hasBlank = false
    for style in due { frame.line.append(contentsOf: style.begin.utf8) }
    due = []
    frame.line.append(contentsOf: bytes)
  }

  private mutating func settleBreaks() {
    // A break at the end of a block does not add an empty line.
    if frame.breaks > 0, !frame.line.isEmpty { endLine() }
    if frame.breaks > 1, !frame.lines.isEmpty { frame.lines.append("") }
    frame.breaks = 0
  }

  private mutating func endLine() {
    frame.lines.append(String(decoding: frame.line, as: UTF8.self))
    frame.line.removeAll(keepingCapacity: true)
  }

  /// Ends the line, even an empty one.
  mutating func breakLine() {
    settleBreaks()
    endLine()
    frame.hasBlank = false
  }

  /// Begins a block: the next text begins a new line, after a blank one if `apart`.
  mutating func beginBlock(apart: Bool = false) {
    frame.breaks = max(frame.breaks, apart && frame.lists.isEmpty ? 2 : 1)
    frame.hasBlank = false
  }

  mutating func beginPreformatted() { preformatted += 1 }

  mutating func endPreformatted() { preformatted -= 1 }

  /// Begins a list; a numbered one with this number.
  mutating func beginList(isNumbered: Bool, first: Int = 1) {
    beginBlock(apart: true)
    frame.lists.append((isNumbered, first - 1))
  }

  mutating func endList() {
    _ = frame.lists.popLast()
    frame.prefix = ""
    beginBlock(apart: true)
  }

  mutating func beginItem() {
    beginBlock()
    guard let last = frame.lists.indices.last else { return frame.prefix = "- " }
    frame.lists[last].items += 1
    frame.prefix = String(repeating: "  ", count: min(last, 10))
    frame.prefix += frame.lists[last].isNumbered ? "\(frame.lists[last].items). " : "- "
  }

  /// Begins a style, if styles are marked.
  mutating func begin(_ style: TextStyle) { if manner.marksStyles { due.append(style) } }

  mutating func end(_ style: TextStyle) {
    guard manner.marksStyles else { return }
    // A style without text is dropped.
    if due.last == style {
      due.removeLast()
      return
    }
    if frame.line.isEmpty, let last = frame.lines.indices.last {
      frame.lines[last] += style.end
    } else {
      frame.line.append(contentsOf: style.end.utf8)
    }
  }

  /// Writes a link's number before its text.
  mutating func markLink(to target: String) {
    guard manner.marksLinks, !target.hasPrefix("#") else { return }
    let number = numbers[target] ?? links.count + manner.firstLink
    if numbers[target] == nil {
      links.append(target)
      numbers[target] = number
    }
    put("[\(number)]")
    frame.hasBlank = true
  }

  /// Ends the last line, and removes blank lines around the text and all but one of those within.
  mutating func finish() {
    if !frame.line.isEmpty { endLine() }
    var kept: [String] = []
    for line in frame.lines.map({ $0.last == " " ? String($0.trimmingTrailingBlanks) : $0 })
    where !(line.isEmpty && kept.last?.isEmpty ?? true) { kept.append(line) }
    if kept.last?.isEmpty == true { kept.removeLast() }
    frame.lines = kept
  }
}

extension String {
  fileprivate var trimmingTrailingBlanks: Substring {
    var text = self[...]
    while text.last == " " { text.removeLast() }
    return text
  }
}
