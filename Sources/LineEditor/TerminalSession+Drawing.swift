internal import CLibedit
internal import Glibc

/// Putting the line back on a terminal that has changed under it.
extension TerminalSession {
  func redrawResized() -> Int32 {
    let columns = TerminalText.size(of: setup.output).columns
    let rows = TerminalText.lastRow(of: prompt.visible + line.beforeCursor, columns: columns)
    if !isDumb { write("\r" + (rows > 0 ? "\u{1B}[\(rows)A" : "") + "\u{1B}[J") }
    withLibedit { editor in
      le_resize(editor)
      le_draw(editor)
    }
    return Int32(le_keep)
  }

  /// After a stop that came from outside: whoever had the terminal meanwhile left it to line mode.
  func redrawContinued() -> Int32 {
    withLibedit { editor in
      le_set_raw(editor, false)
      le_set_raw(editor, true)
    }
    announceEditing(true)
    write("\r")
    withLibedit { editor in
      le_resize(editor)
      le_draw(editor)
    }
    return Int32(le_keep)
  }

  /// Stops the whole job, as the terminal itself would have done, and draws again when it goes on.
  func suspend() -> Int32 {
    announceEditing(false)
    withLibedit { le_set_raw($0, false) }
    tg_disarm()
    _ = tg_take_continued()
    kill(0, SIGTSTP)
    // Another thread may be the one that takes the signal; this one must not touch the terminal before it has. Where
    // nothing stops, as without a shell that controls jobs, the time passes and editing goes on.
    var wake = pollfd(fd: mailbox.pipe.readEnd, events: Int16(POLLIN), revents: 0)
    poll(&wake, 1, 200)
    _ = tg_take_continued()
    _ = tg_arm(setup.input, setup.output, !isDumb)
    withLibedit { le_set_raw($0, true) }
    announceEditing(true)
    write("\r")
    withLibedit { editor in
      le_resize(editor)
      le_draw(editor)
    }
    return Int32(le_keep)
  }

  /// Switches bracketed paste on or off.
  func announceEditing(_ isEditing: Bool) {
    if !isDumb { write(isEditing ? "\u{1B}[?2004h" : "\u{1B}[?2004l") }
  }
}
