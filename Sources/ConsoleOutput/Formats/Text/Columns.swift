/// Lays out rows of short texts in columns.
package enum Columns {
  /// The rows, each column as wide as its widest cell, separated by two spaces.
  package static func text(_ rows: [[String]]) -> EscapedText { lines(of: rows.map { $0.map(Escaping.text) }) }

  private static func lines(of cells: [[String]]) -> EscapedText {
    let count = cells.map(\.count).max() ?? 0
    let widths = (0..<count).map { column in
      cells.map { column < $0.count ? DisplayWidth.columns(of: $0[column]) : 0 }.max() ?? 0
    }
    var text = ""
    for row in cells {
      var line = ""
      for (column, cell) in row.enumerated() {
        line += cell
        let isLast = !row[(column + 1)...].contains { !$0.isEmpty }
        if isLast { break }
        line += String(repeating: " ", count: widths[column] - DisplayWidth.columns(of: cell) + 2)
      }
      text += line + "\n"
    }
    return EscapedText(formatted: text)
  }

  /// Lays out the rows of a table within the width of a window by cutting cells of the widest columns, except the
  /// first, which names the row. If that is not enough, the lines keep their full width.
  package static func table(_ rows: [[String]], width: Int?) -> EscapedText {
    let cells = rows.map { $0.map(Escaping.text) }
    let count = cells.map(\.count).max() ?? 0
    var widths = (0..<count).map { column in
      cells.map { column < $0.count ? DisplayWidth.columns(of: $0[column]) : 0 }.max() ?? 0
    }
    guard let width else { return lines(of: cells) }
    var excess = widths.reduce(0, +) + 2 * max(0, widths.count { $0 > 0 } - 1) - width
    while excess > 0 {
      guard let widest = widths.indices.dropFirst().max(by: { widths[$0] < widths[$1] }), widths[widest] > 8 else {
        return lines(of: cells)
      }
      widths[widest] -= 1
      excess -= 1
    }
    return lines(of: cells.map { row in row.enumerated().map { DisplayWidth.cut($1, to: widths[$0]) } })
  }

  /// Breaks a line that is too wide at spaces. Continuation lines begin below the last column that leaves enough room.
  package static func fitted(_ line: String, to width: Int) -> [String] {
    guard line.utf8.count > width, DisplayWidth.columns(of: line) > width else { return [line] }
    let start = start(in: line, atMost: max(width * 3 / 5, width - 24))
    let rest = line.dropFirst(start.characters).split(separator: " ", omittingEmptySubsequences: false)
    // Two of the spaces between columns are kept.
    var words: [Substring] = []
    for word in rest where !word.isEmpty || words.last?.isEmpty == false { words.append(word) }
    let lines = Wrapping.lines(of: words.joined(separator: " "), width: width - start.columns)
    return lines.enumerated().map { index, text in
      let bare = text.drop { $0 == " " }
      let head = index == 0 ? String(line.prefix(start.characters)) : String(repeating: " ", count: start.columns)
      return head + bare
    }
  }

  /// The last place after two spaces, or after leading ones, up to a column.
  private static func start(in line: String, atMost limit: Int) -> (characters: Int, columns: Int) {
    var found = (characters: 0, columns: 0)
    var (characters, columns, blanks) = (0, 0, 2)
    for character in line {
      if character == " " {
        blanks += 1
      } else {
        if blanks >= 2 { found = (characters, columns) }
        blanks = 0
      }
      characters += 1
      columns += DisplayWidth.columns(of: character)
      if columns > limit { break }
    }
    return found
  }
}

extension EscapedText {
  /// The text with its lines broken to the width of a window.
  package func fitted(to width: Int?) -> EscapedText {
    guard let width, width > 0 else { return self }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    return EscapedText(formatted: lines.flatMap { Columns.fitted(String($0), to: width) }.joined(separator: "\n"))
  }
}
