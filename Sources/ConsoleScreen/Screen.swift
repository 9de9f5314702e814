package import ConsoleOutput

/// A key pressed while a screen is shown, or another reason to look at it.
public enum ScreenEvent: Sendable, Hashable {
  /// A visible character, or a space.
  case character(Character)
  /// Control with a letter, in lower case: `control("c")`.
  case control(Character)
  case enter, tab, backTab, backspace, delete, escape
  case up, down, left, right, pageUp, pageDown, home, end
  /// A pasted text, without control characters.
  case paste(String)
  /// The window has another size, or was covered by something else: it must be shown again.
  case resized
  /// Nothing can be read anymore: the terminal is gone, or the process ends.
  case closed
}

/// A piece of a row: escaped text in the color of its role.
package struct ScreenSpan: Sendable, Hashable {
  package var text: EscapedText
  package var role: Theme.Role?
  /// True for the row or cell under the cursor.
  package var isSelected: Bool

  package init(_ text: EscapedText, _ role: Theme.Role? = nil, isSelected: Bool = false) {
    (self.text, self.role, self.isSelected) = (text, role, isSelected)
  }
}

/// The picture of a screen: rows from the top, each cut at the width of the window.
package struct ScreenFrame: Sendable, Hashable {
  package var rows: [[ScreenSpan]]
  /// The place where text is typed; nil hides the cursor.
  package var cursor: (column: Int, row: Int)? {
    get { place.map { ($0[0], $0[1]) } }
    set { place = newValue.map { [$0.column, $0.row] } }
  }
  private var place: [Int]?

  package init(_ rows: [[ScreenSpan]] = []) { self.rows = rows }
}

/// The screen of a terminal while a command owns it. Between `open` and `close` nothing else writes to the terminal.
package protocol Screen: AnyObject, Sendable {
  /// The size of the window in cells.
  var size: (columns: Int, rows: Int) { get }

  /// Shows a frame; only what differs from the one before is written.
  func show(_ frame: ScreenFrame)

  /// The next event, in order; waits for it.
  func next() async -> ScreenEvent

  /// Gives the terminal back as it was: for questions, for the user's editor, and at the end. `reopen` takes it again.
  func close() async

  /// Takes the terminal again after `close`.
  func reopen() async -> Bool
}
