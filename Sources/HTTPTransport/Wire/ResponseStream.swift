import BackendKit
import Synchronization

/// One request in progress: passes the events of the loop to the requesting task.
final class ResponseStream: Sendable {
  /// The reason for the failure of a request, and whether any byte of it may have been sent.
  struct Failure: Error {
    var reason: FailureReason
    /// The error of the file that was sent.
    var source: BackendError?
    var isSent: Bool
    var hasHead: Bool
  }

  struct Head: Sendable {
    var status: Int
    var headers: [(String, String)]
    /// True if it came over a kept connection.
    var isOverKept = false

    /// The value of the first field with a name.
    func first(_ name: String) -> String? { headers.first { FieldName.isSame($0.0, name) }?.1 }
  }

  private typealias HeadWaiter = CheckedContinuation<Result<Head, Failure>, Never>
  private typealias PartWaiter = CheckedContinuation<Result<[UInt8]?, Failure>, Never>

  private struct State {
    var head: Head?
    var headWaiter: HeadWaiter?
    var bytes: [UInt8] = []
    var partWaiter: PartWaiter?
    /// True if receiving is paused until the bytes are taken.
    var isHeld = false
    /// True if it ends with `cancelled`, whatever has arrived.
    var isCancelled = false
    /// The end of the request: nil while it is running, success at the end of the body.
    var end: Result<Void, Failure>?
  }

  /// The number of body bytes buffered before they are requested. Small responses need no further turn of the loop.
  static let window = 64 << 10

  private let state = Mutex(State())
  private let request: WireRequest

  init(_ request: WireRequest) { self.request = request }

  /// Sends the request and waits for the head of the response.
  func head() async throws(Failure) -> Head {
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { (continuation: HeadWaiter) in
        state.withLock { $0.headWaiter = continuation }
        NetworkLoop.shared.schedule { $0.start(self.request, self) }
      }
    } onCancel: {
      cancel()
    }
    return try result.get()
  }

  /// The next piece of the body, or nil at its end.
  func next() async throws(Failure) -> [UInt8]? {
    if let result = take() { return try result.get() }
    if request.isLong { NetworkLoop.shared.schedule { $0.expectPart(of: self) } }
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { (continuation: PartWaiter) in
        if let result = take(orLeave: continuation) { continuation.resume(returning: result) }
      }
    } onCancel: {
      cancel()
    }
    return try result.get()
  }

  /// True if the whole body is known to fit into the window, so that it arrives without being requested.
  var isShort: Bool {
    guard let head = state.withLock({ $0.head }), head.first("content-encoding") == nil,
      let length = head.first("content-length").flatMap({ Int($0) })
    else { return false }
    return length <= ResponseStream.window
  }

  var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// Ends the request immediately.
  func cancel() {
    let isRunning = state.withLock { state in
      state.isCancelled = true
      return state.end == nil
    }
    if isRunning { NetworkLoop.shared.schedule { $0.cancel(self) } }
  }

  private func take(orLeave waiter: PartWaiter? = nil) -> Result<[UInt8]?, Failure>? {
    let (result, wasHeld): (Result<[UInt8]?, Failure>?, Bool) = state.withLock { state in
      if case .failure(let failure) = state.end, failure.reason == .cancelled { return (.failure(failure), false) }
      if !state.bytes.isEmpty {
        defer { (state.bytes, state.isHeld) = ([], false) }
        return (.success(state.bytes), state.isHeld)
      }
      if let end = state.end { return (end.map { nil }, false) }
      state.partWaiter = waiter
      return (nil, false)
    }
    if wasHeld { NetworkLoop.shared.schedule { $0.release(self) } }
    return result
  }

  // MARK: Reports of the loop

  /// Takes the head; call the result to resume the waiting task once all data that has arrived is read.
  func report(_ head: Head) -> @Sendable () -> Void {
    let waiter = state.withLock { state in
      state.head = head
      defer { state.headWaiter = nil }
      return state.headWaiter
    }
    return { waiter?.resume(returning: .success(head)) }
  }

  /// Takes a piece of the body; true to pause receiving until it is taken.
  func report(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    let waiter: PartWaiter? = state.withLock { state in
      guard let waiter = state.partWaiter else {
        state.bytes += bytes
        state.isHeld = state.bytes.count > ResponseStream.window
        return nil
      }
      state.partWaiter = nil
      return waiter
    }
    if let waiter {
      waiter.resume(returning: .success(Array(bytes)))
      return false
    }
    return state.withLock { $0.isHeld }
  }

  /// Takes the end, unless it has ended.
  func report(end: Result<Void, Failure>) {
    let before: State? = state.withLock { state in
      guard state.end == nil else { return nil }
      let before = state
      state.end = end
      (state.headWaiter, state.partWaiter) = (nil, nil)
      return before
    }
    guard let before else { return }
    if case .failure(let failure) = end { before.headWaiter?.resume(returning: .failure(failure)) }
    before.partWaiter?.resume(returning: end.map { nil })
  }
}
