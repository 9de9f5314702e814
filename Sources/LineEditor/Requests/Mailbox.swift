internal import Synchronization

/// Messages of other threads for the thread that owns the terminal.
final class Mailbox: Sendable {
  struct Request: Sendable {
    var line: LineRequest
    var reply: @Sendable (LineResult) -> Void
  }

  private struct Contents {
    var requests: [Request] = []
    var isClosed = false
  }

  let pipe: WakePipe
  private let contents = Mutex(Contents())

  init() throws(LineEditorError) {
    pipe = try WakePipe()
  }

  var isClosed: Bool { contents.withLock { $0.isClosed } }

  /// Adds a request; false if the mailbox is closed and there will be no reply.
  func post(_ request: Request) -> Bool {
    let accepted = contents.withLock {
      if !$0.isClosed { $0.requests.append(request) }
      return !$0.isClosed
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
}
