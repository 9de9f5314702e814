/// The sequences that move the cursor and switch a terminal to a screen and back. `Theme` owns those of colors.
///
/// Keys of cursor and keypad stay in the mode that they are in: the reader of keys knows both.
package enum ScreenSequences {
  /// The alternate screen, without wrapped rows and cursor; pastes come in brackets.
  package static let enter = "\u{1B}[?1049h\u{1B}[?7l\u{1B}[?2004h\u{1B}[?25l"
  /// Undoes `enter`, wherever a drawing was interrupted.
  package static let leave = "\u{1B}[m\u{1B}[?25h\u{1B}[?2004l\u{1B}[?7h\u{1B}[?1049l"

  static let clear = "\u{1B}[m\u{1B}[2J"
  static let clearRest = "\u{1B}[K"
  static let hideCursor = "\u{1B}[?25l"
  static let showCursor = "\u{1B}[?25h"
  /// Reverse video marks the selection; it is not a color, and used without colors, too.
  static let select = "\u{1B}[7m"
  static let deselect = "\u{1B}[27m"
  static let plain = "\u{1B}[m"

  static func move(toColumn column: Int, row: Int) -> String { "\u{1B}[\(row + 1);\(column + 1)H" }

  /// The color that a text begins with, as `Theme` writes it; nil if it begins with anything else.
  static func color(at start: String.UnicodeScalarView.SubSequence) -> String.UnicodeScalarView.SubSequence? {
    guard start.starts(with: "\u{1B}[".unicodeScalars) else { return nil }
    let end = start.dropFirst(2).prefix { ("0"..."9").contains($0) || $0 == ";" }.endIndex
    return end < start.endIndex && start[end] == "m" ? start[...end] : nil
  }
}
