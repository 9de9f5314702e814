internal import CLibedit
internal import Glibc

enum TerminalText {
  /// Makes UTF-8 the encoding of the calling thread; false if the system cannot.
  static func useUTF8() -> Bool { le_use_utf8() }

  /// The width of a character in columns, by the locale of the calling thread.
  static func width(of scalar: Unicode.Scalar) -> Int {
    Int(le_width(wchar_t(bitPattern: scalar.value)))
  }

  static func width(of text: String) -> Int {
    // The common case: each byte is one column wide.
    if isPlain(text) { return text.utf8.count }
    return text.unicodeScalars.reduce(0) { $0 + max(0, width(of: $1)) }
  }

  private static func isPlain(_ text: String) -> Bool { text.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F } }

  /// The row of the cursor, counted from the top, after the text was written from column 0.
  static func lastRow(of text: String, columns: Int) -> Int { end(of: text, columns: columns).row }

  /// Returns the position of the cursor after the text was written from column 0.
  static func end(of text: String, columns: Int) -> (row: Int, column: Int) {
    var row = 0
    var column = 0
    for scalar in text.unicodeScalars {
      if scalar == "\n" {
        row += 1
        column = 0
        continue
      }
      let width = scalar == "\t" ? 8 - column % 8 : max(0, width(of: scalar))
      if column + width > columns {
        row += 1
        column = 0
      }
      column += width
      if column >= columns {
        row += 1
        column = 0
      }
    }
    return (row, column)
  }

  /// The longest prefix of a text that fits into so many columns, with an ellipsis if cut.
  static func cut(_ text: String, to columns: Int) -> String {
    guard width(of: text) > columns else { return text }
    let room = columns - 1
    var cut = String.UnicodeScalarView()
    var used = 0
    for scalar in text.unicodeScalars {
      let width = max(0, width(of: scalar))
      if used + width > room { break }
      used += width
      cut.append(scalar)
    }
    return columns > 0 ? String(cut) + "…" : ""
  }

  /// A text in one row, without characters that would move the cursor.
  static func visible(_ text: String) -> String {
    if isPlain(text) { return text }
    var row = String.UnicodeScalarView()
    for scalar in text.unicodeScalars { row.append(ControlCharacter.contains(scalar) ? " " : scalar) }
    return String(row)
  }

  struct Size: Equatable {
    var columns: Int
    var rows: Int
  }

  /// The size of the window, 80 by 24 if the terminal does not report it.
  static func size(of terminal: Int32) -> Size {
    var size = winsize()
    guard ioctl(terminal, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return Size(columns: 80, rows: 24) }
    return Size(columns: Int(size.ws_col), rows: size.ws_row > 0 ? Int(size.ws_row) : 24)
  }

  static func wide(_ text: String) -> [wchar_t] {
    text.unicodeScalars.map { wchar_t(bitPattern: $0.value) } + [0]
  }

  /// The text at a pointer of libedit.
  static func string(_ start: UnsafePointer<wchar_t>, count: Int) -> String {
    var scalars = String.UnicodeScalarView()
    for value in UnsafeBufferPointer(start: start, count: count) {
      scalars.append(Unicode.Scalar(UInt32(bitPattern: value)) ?? "\u{FFFD}")
    }
    return String(scalars)
  }
}
