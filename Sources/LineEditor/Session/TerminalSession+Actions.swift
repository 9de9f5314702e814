internal import CLibedit
internal import Glibc

/// Actions of keys for which libedit has no function.
extension TerminalSession {
  /// The text being edited, its length and the cursor, in scalars.
  struct Line {
    var text: String
    var length: Int
    var cursor: Int

    var beforeCursor: String { String(String.UnicodeScalarView(text.unicodeScalars.prefix(cursor))) }
    var afterCursor: String { String(String.UnicodeScalarView(text.unicodeScalars.dropFirst(cursor))) }
  }

  var line: Line {
    withLibedit(Line(text: "", length: 0, cursor: 0)) { editor in
      let line = le_current(editor)
      let text = TerminalText.string(line.text, count: Int(line.length))
      return Line(text: text, length: Int(line.length), cursor: Int(line.cursor))
    }
  }

  func act(on key: wchar_t) -> Int32 {
    if search != nil { return continueSearch() }
    switch event {
    case .character(let scalar): return act(onCharacter: scalar)
    case .up: return recall(.up)
    case .left: return moveLeft()
    case .right: return moveRight()
    case .delete: return deleteAfter()
    case .end: return moveToEnd()
    case .down: return recall(.down)
    case .paste(let text): return paste(text)
    case .preset(let text, let cursor): return show(text, cursor: cursor, as: "text")
    case .takeSuggestion: return insert(suggestion?.rest ?? "")
    case .takeWord: return insert(suggestion?.word ?? "")
    case .undo: return undo()
    case .openEditor: return afterMovingToEnd(.edit)
    case .edit:
      ending = .editor(text: wholeText, erasing: drawnRows)
      return Int32(le_end_of_file)
    case .reopen: return reopen()
    case .resized: return redrawResized()
    case .redraw: return Int32(le_redisplay)
    case .continued: return redrawContinued()
    case .interrupt:
      ending = .interrupted
      return Int32(le_end_of_file)
    case .suspend: return suspend()
    case .showCandidates: return showCandidates()
    default: return Int32(le_keep)
    }
  }

  private func act(onCharacter scalar: Unicode.Scalar) -> Int32 {
    switch scalar.value {
    case EditorKeys.interrupt: return afterMovingToEnd(.interrupt)
    case EditorKeys.suspend: return afterMovingToEnd(.suspend)
    case EditorKeys.tab: return complete()
    case EditorKeys.lineEnd: return moveToEnd()
    case EditorKeys.backward: return moveLeft()
    case EditorKeys.forward: return moveRight()
    case EditorKeys.backspace, EditorKeys.otherBackspace: return deleteBefore()
    case EditorKeys.previous: return recall(.up)
    case EditorKeys.next: return recall(.down)
    // In command mode the cursor is on a character.
    case EditorKeys.older: return recall(.up, cursor: 0)
    case EditorKeys.newer: return recall(.down, cursor: 0)
    case EditorKeys.search: return beginSearch()
    case EditorKeys.enter, EditorKeys.otherEnter: return enter()
    case EditorKeys.undo: return undo()
    case EditorKeys.edit: return afterMovingToEnd(.edit)
    default: return type(scalar)
    }
  }

  func insert(_ text: String) -> Int32 {
    guard !text.isEmpty else { return Int32(le_keep) }
    return withLibedit(Int32(le_beep)) { le_insert($0, TerminalText.wide(text)) ? Int32(le_refresh) : Int32(le_beep) }
  }

  /// Inserts a paste, or a mark for one that would make the text taller than the window.
  private func paste(_ text: String) -> Int32 {
    let line = line
    return insert(isTooTall(line.text + text) ? held.hold(text, as: "paste") : text)
  }

  /// Replaces the line by a text, with the cursor at `cursor` or the end; by a mark if it is taller than the window.
  func show(_ text: String, cursor: Int? = nil, as kind: String = "recalled") -> Int32 {
    if isTooTall(text) { return show(held.hold(text, as: kind)) }
    withLibedit { editor in
      let length = text.unicodeScalars.count
      le_move(editor, Int32(line.length))
      if length == 0 {
        le_delete_before(editor, Int32(line.length))
      } else {
        _ = le_replace(editor, TerminalText.wide(text))
        le_move(editor, Int32((cursor ?? length) - line.cursor))
      }
    }
    return Int32(le_refresh)
  }

  /// Output after the line belongs below its last row: first the cursor moves there, then `event` follows.
  func afterMovingToEnd(_ event: KeyEvent) -> Int32 {
    withLibedit { le_move($0, Int32(line.length - line.cursor)) }
    keys.pushBack(event)
    return Int32(le_move_cursor)
  }

  private func moveToEnd() -> Int32 {
    withLibedit { le_move($0, Int32(line.length - line.cursor)) }
    return Int32(le_move_cursor)
  }

  /// Records the line for undo before a key, however fast keys come. Long text typed at once is recorded at its end only.
  func noteLine(before event: KeyEvent) {
    if case .character(let scalar) = event, scalar.value >= 0x20, withLibedit(0, { le_current($0).length }) > 1000 {
      return
    }
    note(line)
  }

  func note(_ line: Line) { undoList.note(UndoList.State(text: line.text, cursor: line.cursor)) }

  private func undo() -> Int32 {
    guard let state = undoList.undo() else { return Int32(le_beep) }
    return show(state.text, cursor: state.cursor)
  }

  // MARK: History

  /// Up and Down: between the rows of a text, otherwise through the history.
  private func recall(_ direction: KeyEvent, cursor: Int? = nil) -> Int32 {
    let line = line
    let text = held.expanded(line.text)
    let going = walk.flatMap { $0.shown == text ? $0 : nil }
    if going == nil || line.cursor < line.length {
      if direction == .up ? line.beforeCursor.contains("\n") : line.afterCursor.contains("\n") {
        keys.pushBack(direction == .up ? .rowUp : .rowDown)
        return Int32(le_keep)
      }
    }
    guard request.isCommand else { return Int32(le_beep) }
    guard rowsAbove.isEmpty else { return direction == .up ? afterMovingToEnd(.reopen) : Int32(le_beep) }
    var walk = going ?? HistoryWalk(entries: setup.history.entries, line: text, prefix: line.beforeCursor)
    let found = direction == .up ? walk.older() : walk.newer()
    self.walk = walk
    return found.map { show($0, cursor: cursor) } ?? Int32(le_beep)
  }

  private func beginSearch() -> Int32 {
    guard request.isCommand else { return Int32(le_beep) }
    let line = line
    search = HistorySearch(entries: setup.history.entries, draft: line.text, cursor: line.cursor)
    return Int32(le_refresh)
  }

  private func continueSearch() -> Int32 {
    switch event {
    case .character(let scalar) where scalar.value == EditorKeys.search: search?.older()
    case .character("\u{13}"): search?.newer()
    case .character("\u{7F}"), .character("\u{8}"): search?.erase()
    case .character("\u{7}"), .character("\u{3}"):
      defer { search = nil }
      return search.map { show($0.draft, cursor: $0.draftCursor) } ?? Int32(le_refresh)
    case .character(let scalar) where !ControlCharacter.contains(scalar): search?.type(scalar)
    case .paste(let text): text.unicodeScalars.forEach { search?.type($0) }
    case .resized: return redrawResized()
    case .continued: return redrawContinued()
    default:
      // Any other key accepts the matching line, and then has its usual effect.
      search = nil
      if event != .escape { keys.pushBack(event) }
      return Int32(le_refresh)
    }
    return search.map { show($0.found, cursor: $0.matchOffset) } ?? Int32(le_refresh)
  }
}
