internal import CLibedit
internal import Files
internal import Glibc

/// Screens that the program draws.
extension TerminalSession {
  /// Shows a screen until it is closed, or nothing can be read any more.
  func show(_ request: ScreenRequest, _ reply: (Bool) -> Void) {
    defer { mailbox.screenHasEnded() }
    _ = tg_take_resized()
    _ = tg_take_continued()
    let window = ScreenWindow(request, setup, mailbox)
    guard !isDumb, !mailbox.isClosed, window.occupy() else { return reply(false) }
    reply(true)
    defer { keys.output = -1 }
    do throws(KeyReader.Failure) {
      while let event = try nextEvent(window) { handle(event, request, window) }
      window.leave()
    } catch {
      // First the terminal: whoever learns of the end may end the process.
      window.leave()
      request.key(.closed)
    }
  }

  /// The next event; nil if the screen is to end.
  private func nextEvent(_ window: ScreenWindow) throws(KeyReader.Failure) -> KeyEvent? {
    let event = try keys.next(
      always: true,
      idle: {
        // Any event: the key that replaces the wait.
        guard mailbox.isScreenWanted else { return .redraw }
        keys.output = window.draw()
        return nil
      })
    return mailbox.isScreenWanted ? event : nil
  }

  private func handle(_ event: KeyEvent, _ request: ScreenRequest, _ window: ScreenWindow) {
    switch event {
    case .character(let scalar) where scalar.value == EditorKeys.suspend:
      window.leave()
      stopJob()
      _ = window.occupy()
      request.key(.resized)
    case .continued:
      window.cover()
      request.key(.resized)
    case .resized:
      mailbox.drawScreen()
      request.key(.resized)
    default: event.screenKeys.forEach(request.key)
    }
  }
}
