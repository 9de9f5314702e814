/// Something that a fixture's thread reports and a test waits for.
struct Event: Sendable {
  private let stream: AsyncStream<String>
  private let continuation: AsyncStream<String>.Continuation

  init() { (stream, continuation) = AsyncStream.makeStream() }

  /// Reports.
  func report(_ what: String = "") { continuation.yield(what) }

  /// Waits for the next report.
  func wait() async -> String? {
    var iterator = stream.makeAsyncIterator()
    return await iterator.next()
  }
}
