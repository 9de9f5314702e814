internal import Synchronization

/// What other threads have for the thread that owns the terminal.
final class Mailbox: Sendable {
  struct Request: Sendable {
    var line: LineRequest
    var reply: @Sendable (LineResult) -> Void
  }

  private struct Contents {
    var requests: [Request] = []
    var output: [String] = []
    var isClosed = false
  }

  let pipe: WakePipe
  private let contents = Mutex(Contents())

  init() throws(LineEditorError) {
    pipe = try WakePipe()
  }

  var isClosed: Bool { contents.withLock { $0.isClosed } }
  var hasOutput: Bool { contents.withLock { !$0.output.isEmpty } }

  /// False: closed, nobody will answer.
  func post(_ request: Request) -> Bool {
    let accepted = contents.withLock {
      if !$0.isClosed { $0.requests.append(request) }
      return !$0.isClosed
    }
    if accepted { pipe.wake() }
    return accepted
  }

  /// False: closed, nobody will show it.
  func post(output: String) -> Bool {
    let accepted = contents.withLock {
      if !$0.isClosed { $0.output.append(output) }
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

  /// All text that waits, each piece ended by a newline.
  func takeOutput() -> String {
    let pieces = contents.withLock { contents in
      defer { contents.output.removeAll() }
      return contents.output
    }
    return pieces.map { $0.hasSuffix("\n") ? $0 : $0 + "\n" }.joined()
  }
}
