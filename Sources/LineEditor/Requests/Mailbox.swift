internal import Synchronization

/// Messages of other threads for the thread that owns the terminal.
final class Mailbox: Sendable {
  enum Request: Sendable {
    case line(LineRequest, reply: @Sendable (LineResult) -> Void)
    /// The reply says if the screen is shown.
    case screen(ScreenRequest, reply: @Sendable (Bool) -> Void)
  }

  private struct Contents {
    var requests: [Request] = []
    var isClosed = false
    var isScreenWanted = false
    var needsDrawing = false
    /// Those who wait for the end of the screen; nil if there is none.
    var waiting: [@Sendable () -> Void]?
  }

  let pipe: WakePipe
  private let contents = Mutex(Contents())

  init() throws(LineEditorError) {
    pipe = try WakePipe()
  }

  var isClosed: Bool { contents.withLock { $0.isClosed } }

  /// Adds a request; false if the mailbox is closed, or a second screen is requested, and there will be no reply.
  func post(_ request: Request) -> Bool {
    let accepted = contents.withLock { contents in
      if contents.isClosed { return false }
      if case .screen = request {
        guard contents.waiting == nil else { return false }
        (contents.isScreenWanted, contents.needsDrawing, contents.waiting) = (true, true, [])
      }
      contents.requests.append(request)
      return true
    }
    if accepted { pipe.wake() }
    return accepted
  }

  func close() {
    contents.withLock { $0.isClosed = true }
    pipe.wake()
  }

  func takeRequest() -> Request? {
    contents.withLock { $0.requests.isEmpty ? nil : $0.requests.removeFirst() }
  }

  // MARK: The screen

  /// True until the screen is to end.
  var isScreenWanted: Bool { contents.withLock { $0.isScreenWanted } }

  /// Returns whether there is something to draw since the last call.
  func takeDrawing() -> Bool {
    contents.withLock { contents in
      defer { contents.needsDrawing = false }
      return contents.needsDrawing
    }
  }

  func drawScreen() {
    contents.withLock { $0.needsDrawing = true }
    pipe.wake()
  }

  /// Ends the screen, if there is one, and calls `reply` once the terminal is given back.
  func endScreen(_ reply: @escaping @Sendable () -> Void) {
    let isShown = contents.withLock { contents in
      contents.isScreenWanted = false
      contents.waiting?.append(reply)
      return contents.waiting != nil
    }
    if isShown { pipe.wake() } else { reply() }
  }

  /// Notes that the terminal was given back.
  func screenHasEnded() {
    let waiting = contents.withLock { $0.waiting.take() }
    waiting?.forEach { $0() }
  }
}
