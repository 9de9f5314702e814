public import BackendKit
import Synchronization

/// A way to a server on which one thing goes wrong, as it does on real ones.
public final class FaultyExchange: HTTPExchange {
  /// What goes wrong.
  public enum Fault: Sendable {
    /// Nothing is sent; this answer comes instead.
    case answer(status: Int, type: String, body: String, headers: [(String, String)] = [])
    /// Nothing is sent; the exchange fails with this error.
    case error(BackendError)
    /// The answer ends after this many bytes, and the connection with it.
    case cutBody(after: Int)
    /// The answer is what it is, but is announced as something else.
    case contentType(String)
    /// The answer arrives byte by byte.
    case drip
    /// The answer has no end; the transport's limit for answers stops it.
    case endless
    /// Nothing is sent, and no answer comes before the call is cancelled.
    case stall
    /// The request is carried out, but the connection goes before the answer comes.
    case lostAnswer
  }

  private let inner: any HTTPExchange
  private let fault: Fault
  private let applies: @Sendable (HTTPRequest) -> Bool
  private let (met, meeting) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))

  /// A way on which the fault befalls the requests chosen; the others pass.
  public init(
    _ inner: any HTTPExchange, _ fault: Fault, when applies: @escaping @Sendable (HTTPRequest) -> Bool = { _ in true }
  ) {
    self.inner = inner
    self.fault = fault
    self.applies = applies
  }

  /// Returns once the fault has befallen a request; one waiter at a time.
  public func isMet() async { for await _ in met { return } }

  /// Passes the request on, or lets it meet the fault.
  public func send(_ request: HTTPRequest) async throws(BackendError) -> HTTPAnswer {
    guard applies(request) else { return try await inner.send(request) }
    meeting.yield()
    switch fault {
    case .answer(let status, let type, let body, let headers):
      return HTTPAnswer(
        status: status, headers: [("Content-Type", type)] + headers, body: HTTPBody(whole: Array(body.utf8)))
    case .error(let error): throw error
    case .stall: throw await stalled(request)
    case .lostAnswer:
      _ = try await inner.send(request).body.collect()
      throw BackendError(
        .unavailable, "the connection was closed before the answer came", effect: lost(request))
    case .endless:
      let answer = try await inner.send(request)
      return HTTPAnswer(status: answer.status, headers: answer.headers, body: FaultyExchange.endless())
    case .cutBody(let count):
      let answer = try await inner.send(request)
      return HTTPAnswer(
        status: answer.status, headers: answer.headers, body: FaultyExchange.cut(answer.body, after: count))
    case .contentType(let type):
      let answer = try await inner.send(request)
      let headers = answer.headers.filter { $0.0.lowercased() != "content-type" }
      return HTTPAnswer(
        status: answer.status, headers: headers + [("Content-Type", type)], body: answer.body)
    case .drip:
      let answer = try await inner.send(request)
      return HTTPAnswer(status: answer.status, headers: answer.headers, body: FaultyExchange.drip(answer.body))
    }
  }

  private func lost(_ request: HTTPRequest) -> BackendError.Effect {
    request.effect == .read ? .rejected : .unknown
  }

  private func stalled(_ request: HTTPRequest) async -> BackendError {
    // Far longer than any law may take; the cancellation ends it.
    try? await Task.sleep(for: .seconds(3_600))
    return BackendError(.cancelled, "the call was cancelled", effect: lost(request))
  }
}
