internal import CLibedit
internal import Glibc

/// Reading lines for others.
extension TerminalSession {
  /// Serves requests until the mailbox is closed.
  func run() {
    while true {
      if let request = mailbox.takeRequest() {
        request.reply(mailbox.isClosed ? .endOfFile : read(prompt: request.prompt))
        continue
      }
      write(mailbox.takeOutput())
      if mailbox.isClosed { return }
      var wake = pollfd(fd: mailbox.pipe.readEnd, events: Int16(POLLIN), revents: 0)
      poll(&wake, 1, -1)
      mailbox.pipe.drain()
    }
  }

  private func read(prompt text: String) -> LineResult {
    write(mailbox.takeOutput())
    prompt = Prompt(text, plain: isDumb)
    setup.history.entries.last.map(rememberForLibedit)
    search = nil
    walk = nil
    wasInterrupted = false
    // What happened to the window and the process before this line matters to no drawing of it.
    _ = tg_take_resized()
    _ = tg_take_continued()
    guard tg_arm(setup.input, setup.output, !isDumb) else { return .endOfFile }
    // libedit itself would switch only after it has drawn the prompt: keys that come in between would be echoed, and
    // Control-C would be a signal.
    withLibedit { le_set_raw($0, true) }
    announceEditing(true)
    write(prompt.rowsAbove)
    var count: Int32 = 0
    let line = withLibedit(String?.none) { editor in
      le_read(editor, &count).map { TerminalText.string($0, count: Int(count)) }
    }
    withLibedit { le_set_raw($0, false) }
    announceEditing(false)
    tg_disarm()
    if let line { return .line(Self.cleaned(line)) }
    write(wasInterrupted ? "^C\r\n" : "\r\n")
    return wasInterrupted ? .interrupted : .endOfFile
  }

  /// Without the line end, and without internal keys that a function of libedit may have taken for text.
  private static func cleaned(_ line: String) -> String {
    var scalars = line.unicodeScalars
    if scalars.last == "\n" { scalars.removeLast() }
    scalars.removeAll { 0x80..<0xA0 ~= $0.value }
    return String(scalars)
  }
}
