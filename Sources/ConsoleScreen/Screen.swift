package import ConsoleOutput
package import Files

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

  /// The next key, in order; waits for it.
  func next() async -> ScreenKey

  /// Gives the terminal back as it was: for questions, for the user's editor, and at the end. `reopen` takes it again.
  func close() async

  /// Takes the terminal again after `close`.
  func reopen() async -> Bool
}
