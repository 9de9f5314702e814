internal import CLibedit

/// The dim text behind the cursor, unknown to libedit: it is shown only while a key is awaited.
extension TerminalSession {
  /// The suggestion from history for the current line.
  var suggestion: Suggestion? {
    guard hasDim, request.isCommand, search == nil else { return nil }
    let line = line
    guard line.length > 0, line.cursor == line.length else { return nil }
    return Suggestion(for: rowsAbove + line.text, in: setup.history.entries)
  }

  /// Shows the suggestion before a key is awaited. Returns an event to handle first.
  func whileIdle() -> KeyEvent? {
    let line = line
    defer { lineBefore = line }
    note(line)
    if hasLostWraps(line) { return .redraw }
    if let rest = suggestion?.rest { show(suggestion: rest, behind: line) }
    return nil
  }

  private func show(suggestion rest: String, behind line: Line) {
    let row = TerminalText.visible(String(rest.prefix { $0 != "\n" }))
    let column = TerminalText.end(
      of: prompt.visible + line.text, columns: TerminalText.size(of: setup.output).columns
    ).column
    // The last column stays empty: text there would wrap on some terminals.
    let room = TerminalText.size(of: setup.output).columns - column - 1
    let shown = TerminalText.cut(row, to: room)
    guard !shown.isEmpty else { return }
    write("\u{1B}7\u{1B}[2m\(shown)\u{1B}[22m\u{1B}8")
    isSuggesting = true
  }

  /// Hides the suggestion once a key has come.
  func hideSuggestion() {
    if isSuggesting { write("\u{1B}[K") }
    isSuggesting = false
  }

  /// Returns the event for a key if a suggestion follows the cursor; nil if the key keeps its usual meaning.
  func suggestionTaken(by event: KeyEvent) -> KeyEvent? {
    switch event {
    case .right, .end: break
    case .character(let scalar) where [EditorKeys.forward, EditorKeys.lineEnd].contains(scalar.value): break
    case .wordRight: return suggestion.map { _ in .takeWord }
    // In vi mode Escape comes first and ends the insertion.
    case .meta("f") where !isVi: return suggestion.map { _ in .takeWord }
    default: return nil
    }
    return suggestion.map { _ in .takeSuggestion }
  }
}
