/// The positions of text that a terminal of some width wraps, computed independently of the editor to check the editor
/// against them.
public enum WrappedRows {
  /// The rows of a line, without spaces at their ends, and where the cursor stands before the character at `offset`, counted
  /// in Unicode scalars (nil: after the last one).
  public static func of(_ line: String, columns: Int, offset: Int? = nil) -> (rows: [String], cursor: Screen.Position) {
    var rows = [""]
    var column = 0
    var cursor = Screen.Position(row: 0, column: 0)
    for (place, scalar) in line.unicodeScalars.enumerated() {
      let width = CharacterWidth.of(scalar)
      if column + width > columns {
        rows.append("")
        column = 0
      }
      if place == offset { cursor = Screen.Position(row: rows.count - 1, column: column) }
      rows[rows.count - 1].unicodeScalars.append(scalar)
      column += width
    }
    if column == columns {
      rows.append("")
      column = 0
    }
    if offset == nil || offset == line.unicodeScalars.count {
      cursor = Screen.Position(row: rows.count - 1, column: column)
    }
    return (rows.map(trimmed), cursor)
  }

  /// The beginning of a text that fits into so many columns, with an ellipsis where anything had to go.
  public static func cut(_ text: String, to columns: Int) -> String {
    let width = text.unicodeScalars.reduce(0) { $0 + CharacterWidth.of($1) }
    if width <= columns { return text }
    var cut = String.UnicodeScalarView()
    var used = 0
    for scalar in text.unicodeScalars {
      used += CharacterWidth.of(scalar)
      if used > columns - 1 { break }
      cut.append(scalar)
    }
    return columns > 0 ? String(cut) + "…" : ""
  }

  static func trimmed(_ row: String) -> String {
    var row = row
    while row.last == " " { row.removeLast() }
    return row
  }
}
