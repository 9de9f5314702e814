internal import Files

/// An action of the user at the keyboard, or the reason for waking the editor.
enum KeyEvent: Equatable {
  /// A character or a control character.
  case character(Unicode.Scalar)
  /// Escape followed by a character.
  case meta(Unicode.Scalar)
  case up, down, left, right, home, end, delete, wordLeft, wordRight
  case escape
  /// Keys that a line has no use for.
  case pageUp, pageDown, backTab
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

extension KeyEvent {
  /// The keys of a screen for this event; none if it has no meaning there.
  var screenKeys: [ScreenKey] {
    switch self {
    case .character(let scalar): Self.key(scalar).map { [$0] } ?? []
    // Escape and another key at once.
    case .meta(let scalar): [.escape] + KeyEvent.character(scalar).screenKeys
    case .up: [.up]
    case .down: [.down]
    case .left, .wordLeft: [.left]
    case .right, .wordRight: [.right]
    case .home: [.home]
    case .end: [.end]
    case .pageUp: [.pageUp]
    case .pageDown: [.pageDown]
    case .delete: [.delete]
    case .backTab: [.backTab]
    case .escape: [.escape]
    case .paste(let text): [.paste(String(text.map { $0 == "\n" || $0 == "\t" ? " " : $0 }))]
    default: []
    }
  }

  private static func key(_ scalar: Unicode.Scalar) -> ScreenKey? {
    switch scalar.value {
    case EditorKeys.enter, EditorKeys.otherEnter: .enter
    case EditorKeys.tab: .tab
    case EditorKeys.backspace, EditorKeys.otherBackspace: .backspace
    case 1...26: .control(Character(Unicode.Scalar(UInt8(scalar.value) + 0x60)))
    default: ControlCharacter.contains(scalar) ? nil : .character(Character(scalar))
    }
  }
}
