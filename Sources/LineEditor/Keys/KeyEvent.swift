/// An action of the user at the keyboard, or the reason for waking the editor.
enum KeyEvent: Equatable {
  /// A character or a control character.
  case character(Unicode.Scalar)
  /// Escape followed by a character.
  case meta(Unicode.Scalar)
  case up, down, left, right, home, end, delete, wordLeft, wordRight
  case escape
  /// The text of a bracketed paste, cleaned.
  case paste(String)
  /// The rows have to be drawn from the first on.
  case redraw
  /// The window changed its size.
  case resized
  /// The process continues after a stop.
  case continued
  /// The second halves of actions that first move the cursor to the end of the text.
  case interrupt, suspend, showCandidates, edit, reopen
  /// The initial text of a line, and the cursor.
  case preset(String, cursor: Int?)
  /// Functions of libedit that follow an action.
  case accept, rowUp, rowDown
  /// Accepting the suggestion behind the cursor, all of it or one word.
  case takeSuggestion, takeWord
  /// Undoing the last change, opening the user's editor.
  case undo, openEditor
}

/// Internal keys between libedit and the editor, which no keyboard sends: C1 characters, which the decoder drops from
/// the input.
///
/// libedit looks up only values below 256 in its key map.
enum InternalKey: Int32, CaseIterable {
  /// Runs the action callback with the current event.
  case event = 0x80
  case left, right, home, end, delete, wordLeft, wordRight, commandMode, accept, rowUp, rowDown, exchangeMark

  /// The function of libedit for the key; nil: the action callback.
  var function: String? {
    switch self {
    case .event: nil
    case .left: "ed-prev-char"
    case .right: "ed-next-char"
    case .home: "ed-move-to-beg"
    case .end: "ed-move-to-end"
    case .delete: "ed-delete-next-char"
    case .wordLeft: "ed-prev-word"
    case .wordRight: "em-next-word"
    case .commandMode: "vi-command-mode"
    case .accept: "ed-newline"
    case .rowUp: "ed-prev-line"
    case .rowDown: "ed-next-line"
    case .exchangeMark: "em-exchange-mark"
    }
  }
}
