import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import Synchronization

/// One request under way: takes what the event loop reports and hands it to the task that asked.
final class ResponseStream: Sendable {
  /// The error of a request, and whether any byte of it may have been sent before.
  struct Failure: Error {
    let error: any Error
    let isSent: Bool
    let hasHead: Bool
  }

  /// A time-out of ours, as opposed to the library's.
  enum TimedOut: Error { case firstByte, total, part }

  struct State {
    var isSent = false
    var isCancelled = false
    var head: HTTPResponseHead?
    var headWaiter: CheckedContinuation<Result<HTTPResponseHead, Failure>, Never>?
    var parts = CircularBuffer<ByteBuffer>(initialCapacity: 2)
    var buffered = 0
    var partWaiter: CheckedContinuation<Result<ByteBuffer?, Failure>, Never>?
    /// Kept by the library until the buffered parts are taken.
    var demand: EventLoopPromise<Void>?
    /// The end of the request: nil while it is running, success at the end of the body.
    var end: Result<Void, Failure>?
    var timer: Scheduled<Void>?
    var task: HTTPClient.Task<Void>?
  }

  /// The number of body bytes accepted before they are requested. Small responses need no further turn of the loop.
  static let window = 64 << 10

  let state = Mutex(State())
  let firstByte: TimeAmount
  let deadline: NIODeadline

  /// True if it lasts as long as parts keep coming.
  let isLong: Bool

  init(firstByte: TimeAmount, deadline: NIODeadline, isLong: Bool = false) {
    self.firstByte = firstByte
    self.deadline = deadline
    self.isLong = isLong
  }

  /// Sends the request and waits for the head of the answer.
  func head(of request: HTTPClient.Request, from client: HTTPClient) async throws(Failure) -> HTTPResponseHead {
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        state.withLock { $0.headWaiter = continuation }
        // On the loop, so that it is woken once: from outside, every step of the library would wake it anew.
        client.eventLoopGroup.any().execute { self.start(request, client) }
      }
    } onCancel: {
      cancel()
    }
    return try result.get()
  }

  private func start(_ request: HTTPClient.Request, _ client: HTTPClient) {
    if state.withLock({ $0.isCancelled }) { return fail(HTTPClientError.cancelled) }
    let task = client.execute(request: request, delegate: self)
    // A task that failed before it began reports to nobody but its future.
    task.futureResult.whenFailure { self.fail($0) }
    let isCancelled = state.withLock { state in
      if state.end == nil { state.task = task }
      return state.isCancelled
    }
    if isCancelled { task.cancel() }
  }

  /// The next part of the body, or nil at its end.
  func next() async throws(Failure) -> ByteBuffer? {
    if let result = take() { return try result.get() }
    let timer = awaitPart()
    defer { timer?.cancel() }
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { (continuation: CheckedContinuation<Result<ByteBuffer?, Failure>, Never>) in
        if let result = take(orLeave: continuation) { continuation.resume(returning: result) }
      }
    } onCancel: {
      cancel()
    }
    return try result.get()
  }

  /// True if the whole body is known to fit into the window, so that it arrives without being requested.
  var isShort: Bool {
    let head = state.withLock { $0.head }
    guard let head, !head.headers.contains(name: "content-encoding"),
      let length = head.headers.first(name: "content-length").flatMap({ Int($0) })
    else { return false }
    return length <= ResponseStream.window
  }

  /// Ends the request at once, whatever it has come to.
  func cancel() {
    let task = state.withLock { state in
      state.isCancelled = true
      return state.task
    }
    task?.cancel()
  }

  private func take(
    orLeave waiter: CheckedContinuation<Result<ByteBuffer?, Failure>, Never>? = nil
  ) -> Result<ByteBuffer?, Failure>? {
    let (result, demand): (Result<ByteBuffer?, Failure>?, EventLoopPromise<Void>?) = state.withLock { state in
      if case .failure(let failure) = state.end, failure.error as? HTTPClientError == .cancelled {
        return (.failure(failure), nil)
      }
      if let part = state.parts.popFirst() {
        state.buffered -= part.readableBytes
        guard state.parts.isEmpty else { return (.success(part), nil) }
        let demand = state.demand
        state.demand = nil
        return (.success(part), demand)
      }
      if let end = state.end { return (end.map { nil }, nil) }
      state.partWaiter = waiter
      return (nil, nil)
    }
    demand?.succeed()
    return result
  }
}
