internal import CLibedit
internal import Glibc

/// Redraws the line on a terminal that has changed.
extension TerminalSession {
  private static let pasteOff = "\u{1B}[?2004l"

  /// The key, or before it a change of the window: its signal may come after the key.
  func afterResizing(before event: KeyEvent) -> KeyEvent {
    let size = TerminalText.size(of: setup.output)
    guard event != .resized, size != drawnSize else { return event }
    // Once for each change, even if a function of libedit that waits for a character takes the event for it.
    drawnSize = size
    keys.pushBack(event)
    return .resized
  }

  func redrawResized() -> Int32 {
    drawnSize = TerminalText.size(of: setup.output)
    let columns = drawnSize.columns
    let line = line
    let end = TerminalText.end(of: prompt.visible + line.beforeCursor, columns: columns)
    // After a text that fills its last row, a terminal leaves the cursor in that row.
    let isFilled = end.row > 0 && end.column == 0 && line.cursor == line.length
    if !isDumb { clear(rowsAbove: end.row - (isFilled ? 1 : 0)) }
    return drawAgain()
  }

  /// Draws the line at its place in a window that may have another size.
  private func drawAgain() -> Int32 {
    withLibedit { editor in
      le_resize(editor)
      le_draw(editor)
    }
    return Int32(le_keep)
  }

  /// Moves up so many rows and clears everything from there.
  ///
  /// The first row is cleared separately: a terminal that is told to clear its whole window keeps the content as
  /// scrolled off, and shows it again when the window grows.
  func clear(rowsAbove: Int) {
    write("\r" + (rowsAbove > 0 ? "\u{1B}[\(rowsAbove)A" : "") + "\u{1B}7\u{1B}[K\u{1B}[B\u{1B}[J\u{1B}8")
  }

  /// Returns whether libedit moved down from one row of the text to another since the last key.
  ///
  /// It does so with a line feed, which a terminal takes for the end of the row: when the window is resized, it does
  /// not rejoin that row with the next one. Redrawing from the first row on joins them.
  func hasLostWraps(_ line: Line) -> Bool {
    let before = lineBefore
    guard !isDumb, search == nil, before.text != line.text || before.cursor < line.cursor else { return false }
    let columns = TerminalText.size(of: setup.output).columns
    func row(_ text: String) -> Int { TerminalText.lastRow(of: prompt.visible + text, columns: columns) }
    guard row(line.text) > 0 else { return false }
    if before.text == line.text { return row(before.beforeCursor) < row(line.beforeCursor) }
    // In vi mode, libedit's prompt below the line is temporarily part of the text; an event must not be taken for its
    // answer.
    if isVi, zip(line.text, line.text.dropFirst()).contains(where: { $0 == "\n" && "/?:".contains($1) }) {
      return false
    }
    let isTypedOn = before.cursor == before.length && line.cursor == line.length && line.text.hasPrefix(before.text)
    return !isTypedOn
  }

  /// After a stop from outside: another program may have left the terminal in line mode.
  func redrawContinued() -> Int32 {
    withLibedit { editor in
      le_set_raw(editor, false)
      le_set_raw(editor, true)
    }
    announceEditing(true)
    write("\r")
    return drawAgain()
  }

  /// Stops the whole job; returns when it continues.
  func stopJob() {
    _ = tg_take_continued()
    kill(0, SIGTSTP)
    // The signal may be delivered to another thread; this one must not touch the terminal before. If nothing stops, as
    // without a shell with job control, it continues after a time-out. Other threads wake it for reasons of their own.
    let end = ContinuousClock.now + .milliseconds(200)
    var wake = pollfd(fd: mailbox.pipe.readEnd, events: Int16(POLLIN), revents: 0)
    while !tg_take_continued(), !mailbox.isClosed, ContinuousClock.now < end {
      poll(&wake, 1, 200)
      mailbox.pipe.drain()
    }
    // Handle now what arrived in the meantime.
    mailbox.pipe.wake()
  }

  /// Remembers the terminal as it is now, for the end of editing.
  func arm() -> Bool { tg_arm(setup.input, setup.output, isDumb ? "" : Self.pasteOff, true) }

  /// Stops the whole job, as the terminal itself would have done, and redraws when it continues.
  func suspend() -> Int32 {
    announceEditing(false)
    withLibedit { le_set_raw($0, false) }
    tg_disarm()
    stopJob()
    _ = arm()
    withLibedit { le_set_raw($0, true) }
    announceEditing(true)
    write("\r")
    return drawAgain()
  }

  /// Enables or disables bracketed paste.
  func announceEditing(_ isEditing: Bool) {
    if !isDumb { write(isEditing ? "\u{1B}[?2004h" : Self.pasteOff) }
  }
}
