internal import CLibedit
internal import Glibc

extension TerminalSession {
  /// Serves requests until the mailbox is closed.
  func run() {
    while true {
      switch mailbox.takeRequest() {
      case .line(let line, let reply)?:
        reply(mailbox.isClosed ? .endOfFile : read(line))
        continue
      case .screen(let screen, let reply)?:
        show(screen, reply)
        continue
      case nil: if mailbox.isClosed { return }
      }
      var wake = pollfd(fd: mailbox.pipe.readEnd, events: Int16(POLLIN), revents: 0)
      poll(&wake, 1, -1)
      mailbox.pipe.drain()
    }
  }

  private func read(_ request: LineRequest) -> LineResult {
    self.request = request
    rowsAbove = ""
    drawnAbove = []
    held = LongTexts()
    setup.history.entries.last.map(rememberForLibedit)
    // Resizes and signals before this line do not affect its drawing.
    _ = tg_take_resized()
    _ = tg_take_continued()
    prompt = Prompt(request.prompt, plain: isDumb)
    write(prompt.rowsAbove)
    var text = request.beginsInEditor ? edit(request.text) : request.text
    var cursor: Int?
    while true {
      prompt = Prompt(rowsAbove.isEmpty ? request.prompt : Self.continuationPrompt, plain: isDumb)
      guard arm() else { return .endOfFile }
      let row = readRow(text, cursor)
      tg_disarm()
      if let result = result(of: row, &text, &cursor) { return result }
    }
  }

  /// Returns the result at the end of a row; nil: another row follows, which begins with this text.
  private func result(of row: String?, _ text: inout String, _ cursor: inout Int?) -> LineResult? {
    let whole = rowsAbove + held.expanded(row ?? "")
    (text, cursor) = ("", nil)
    switch ending {
    case .anotherRow where row != nil:
      rowsAbove = whole + "\n"
      drawnAbove?.append(prompt.visible + (row ?? ""))
      return nil
    case .reopened(let before, let place, let rows):
      erase(rows: rows)
      (text, cursor) = (before, place)
    case .editor(let before, let rows):
      erase(rows: rows)
      text = edit(before)
    case .interrupted:
      write("^C\r\n")
      return .interrupted
    default:
      if row != nil { return .line(whole) }
      write("\r\n")
      // The end of input within a command discards the command.
      return rowsAbove.isEmpty || mailbox.isClosed ? .endOfFile : .interrupted
    }
    rowsAbove = ""
    drawnAbove = []
    return nil
  }

  private func readRow(_ text: String, _ cursor: Int?) -> String? {
    search = nil
    walk = nil
    ending = .line
    undoList = UndoList()
    lineBefore = Line(text: "", length: 0, cursor: 0)
    drawnSize = TerminalText.size(of: setup.output)
    withLibedit { le_resize($0) }
    if !text.isEmpty { keys.pushBack(.preset(text, cursor: cursor)) }
    // libedit would switch only after it has drawn the prompt: keys typed meanwhile would be echoed, and Control-C
    // would be a signal.
    withLibedit { le_set_raw($0, true) }
    announceEditing(true)
    var count: Int32 = 0
    let row = withLibedit(String?.none) { editor in
      le_read(editor, &count).map { TerminalText.string($0, count: Int(count)) }
    }
    hideSuggestion()
    withLibedit { le_set_raw($0, false) }
    announceEditing(false)
    return row.map(Self.cleaned)
  }

  /// Without the line end, and without internal keys that a function of libedit may have taken for text.
  private static func cleaned(_ line: String) -> String {
    var scalars = line.unicodeScalars
    if scalars.last == "\n" { scalars.removeLast() }
    scalars.removeAll { 0x80..<0xA0 ~= $0.value }
    return String(scalars)
  }
}
