internal import CLibedit
internal import Glibc

/// How text stands on a terminal.
enum TerminalText {
  /// Columns that a character takes; uses the locale of the calling thread.
  static func width(of scalar: Unicode.Scalar) -> Int {
    Int(le_width(wchar_t(bitPattern: scalar.value)))
  }

  static func width(of text: String) -> Int {
    text.unicodeScalars.reduce(0) { $0 + max(0, width(of: $1)) }
  }

  /// The row, counted from the top, on which the cursor stands after the text has been written from column 0.
  static func lastRow(of text: String, columns: Int) -> Int {
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
    return row
  }

  /// The size of the window, 80 columns where the terminal does not know.
  static func columns(of terminal: Int32) -> Int {
    var size = winsize()
    guard ioctl(terminal, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }

  static func wide(_ text: String) -> [wchar_t] {
    text.unicodeScalars.map { wchar_t(bitPattern: $0.value) } + [0]
  }

  /// The text behind a pointer of libedit's.
  static func string(_ start: UnsafePointer<wchar_t>, count: Int) -> String {
    var scalars = String.UnicodeScalarView()
    for value in UnsafeBufferPointer(start: start, count: count) {
      scalars.append(Unicode.Scalar(UInt32(bitPattern: value)) ?? "\u{FFFD}")
    }
    return String(scalars)
  }
}
