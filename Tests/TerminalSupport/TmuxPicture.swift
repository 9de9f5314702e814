/// The picture in a terminal of tmux at one moment.
public struct TmuxPicture: Sendable, CustomStringConvertible {
  /// The rows as text, without the spaces at their ends; empty ones at the bottom are left out.
  public let lines: [String]
  /// The rows with the escape sequences that set colors and weights, as tmux writes them down.
  public let styled: [String]
  /// The position of the cursor, counted from 0 at the top left.
  public let cursor: Screen.Position
  /// The row on which the cursor stands.
  public let cursorLine: String
  /// True if the program has ended.
  public let isOver: Bool
  /// True if the program uses the alternate screen, as pagers and editors do.
  public let isAlternate: Bool
  /// True if the cursor is visible.
  public let showsCursor: Bool

  static let question =
    "#{cursor_y} #{cursor_x} #{pane_dead} #{alternate_on} #{cursor_flag}"

  /// Reads the answer to the question and the rows after it.
  init?(_ answer: String) {
    var rows = answer.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    guard !rows.isEmpty else { return nil }
    let facts = rows.removeFirst().split(separator: " ").map(String.init)
    guard facts.count == 5, let row = Int(facts[0]), let column = Int(facts[1]) else { return nil }
    let plain = rows.map(Self.plain)
    cursor = Screen.Position(row: row, column: column)
    cursorLine = plain.indices.contains(row) ? plain[row] : ""
    lines = Array(plain[..<((plain.lastIndex { !$0.isEmpty } ?? -1) + 1)])
    styled = Array(rows.prefix(lines.count))
    isOver = facts[2] == "1"
    isAlternate = facts[3] == "1"
    showsCursor = facts[4] == "1"
  }

  /// The rows as one text.
  public var text: String { lines.joined(separator: "\n") }

  /// Returns the dim parts of a row, joined; empty if the row has none or does not exist.
  public func dim(row: Int) -> String {
    guard styled.indices.contains(row) else { return "" }
    var dim = ""
    var isDim = false
    for piece in Self.pieces(styled[row]) {
      switch piece {
      case .text(let text): if isDim { dim += text }
      case .style(let numbers):
        for number in numbers {
          if number == 2 { isDim = true }
          if number == 0 || number == 22 { isDim = false }
        }
      }
    }
    return dim
  }

  /// The picture as a person would draw it, for messages.
  public var description: String {
    "The screen, cursor at row \(cursor.row), column \(cursor.column):\n"
      + lines.map { "  |\($0)" }.joined(separator: "\n")
  }

  private enum Piece {
    case text(String)
    case style([Int])
  }

  private static func plain(_ row: String) -> String {
    var text = ""
    for case .text(let piece) in pieces(row) { text += piece }
    while text.last == " " { text.removeLast() }
    return text
  }

  private static func pieces(_ row: String) -> [Piece] {
    var pieces: [Piece] = []
    for (place, part) in row.split(separator: "\u{1B}", omittingEmptySubsequences: false).enumerated() {
      guard place > 0 else {
        pieces.append(.text(String(part)))
        continue
      }
      // Only CSI … m is written by capture-pane, and shifts to the line drawing characters.
      guard part.first == "[", let end = part.firstIndex(of: "m") else { continue }
      let numbers = part[part.index(after: part.startIndex)..<end].split(
        separator: ";", omittingEmptySubsequences: false)
      pieces.append(.style(numbers.map { Int($0) ?? 0 }))
      pieces.append(.text(String(part[part.index(after: end)...])))
    }
    return pieces
  }
}
