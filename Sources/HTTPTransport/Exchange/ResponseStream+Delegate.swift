import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOSSL
import Synchronization

extension ResponseStream: HTTPClientResponseDelegate {
  typealias Response = Void

  func didSendRequestHead(task: HTTPClient.Task<Void>, _ head: HTTPRequestHead) {
    let rest = deadline - .now()
    let (wait, reason) = firstByte < rest ? (firstByte, TimedOut.firstByte) : (rest, .total)
    let timer = schedule(task, wait, reason)
    state.withLock { state in
      state.isSent = true
      state.timer = timer
    }
  }

  func didSendRequestPart(task: HTTPClient.Task<Void>, _ part: IOData) {
    guard isLong, state.withLock({ $0.head == nil && $0.end == nil }) else { return }
    // The server has time to respond from the last byte on.
    let timer = schedule(task, firstByte, .firstByte)
    let old = state.withLock { state in
      defer { state.timer = timer }
      return state.timer
    }
    old?.cancel()
  }

  func didReceiveHead(task: HTTPClient.Task<Void>, _ head: HTTPResponseHead) -> EventLoopFuture<Void> {
    let timer = schedule(task, deadline - .now(), .total)
    let (waiter, old) = state.withLock { state in
      let before = (state.headWaiter, state.timer)
      state.headWaiter = nil
      state.timer = timer
      state.head = head
      return before
    }
    old?.cancel()
    // After what else this turn of the loop has read: a short body is then there with the head, and whoever waits is
    // woken once instead of three times.
    if let waiter { task.eventLoop.execute { waiter.resume(returning: .success(head)) } }
    return task.eventLoop.makeSucceededVoidFuture()
  }

  func didReceiveBodyPart(task: HTTPClient.Task<Void>, _ part: ByteBuffer) -> EventLoopFuture<Void> {
    if part.readableBytes == 0 { return task.eventLoop.makeSucceededVoidFuture() }
    typealias Waiter = CheckedContinuation<Result<ByteBuffer?, Failure>, Never>
    let (waiter, demand): (Waiter?, EventLoopPromise<Void>?) = state.withLock { state in
      if let waiter = state.partWaiter {
        state.partWaiter = nil
        return (waiter, nil)
      }
      state.parts.append(part)
      state.buffered += part.readableBytes
      if state.buffered > ResponseStream.window { state.demand = task.eventLoop.makePromise() }
      return (nil, state.demand)
    }
    waiter?.resume(returning: .success(part))
    return demand?.futureResult ?? task.eventLoop.makeSucceededVoidFuture()
  }

  func didFinishRequest(task: HTTPClient.Task<Void>) throws { finish { _ in Result<Void, Failure>.success(()) } }

  func didReceiveError(task: HTTPClient.Task<Void>, _ error: any Error) { fail(error) }

  /// Ends the stream with an error, unless it has ended.
  func fail(_ error: any Error) {
    // A server that does not accept the client's certificate has read no request.
    let isRefused = error is BoringSSLError && TLSAlert("\(error)")?.isOfCertificate == true
    finish { state in
      .failure(
        Failure(
          error: error, isSent: state.isSent && (state.head != nil || !isRefused), hasHead: state.head != nil))
    }
  }

  private func finish(_ end: (State) -> Result<Void, Failure>) {
    let ended: (State, Result<Void, Failure>)? = state.withLock { state in
      guard state.end == nil else { return nil }
      let before = state
      let end = end(state)
      state.end = end
      state.headWaiter = nil
      state.partWaiter = nil
      state.demand = nil
      state.timer = nil
      state.task = nil
      return (before, end)
    }
    guard let (before, end) = ended else { return }
    before.timer?.cancel()
    if case .failure(let failure) = end { before.headWaiter?.resume(returning: .failure(failure)) }
    before.partWaiter?.resume(returning: end.map { nil })
    // The library's promise has to be kept also where nobody takes the rest.
    before.demand?.succeed()
  }

  /// Ends the stream unless it is cancelled within the time that is given to a first byte.
  func awaitPart() -> Scheduled<Void>? {
    isLong ? state.withLock(\.task).map { schedule($0, firstByte, .part) } : nil
  }

  private func schedule(_ task: HTTPClient.Task<Void>, _ time: TimeAmount, _ reason: TimedOut) -> Scheduled<Void> {
    task.eventLoop.scheduleTask(in: time) { task.fail(reason: reason) }
  }
}
