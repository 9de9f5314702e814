public import BackendKit
import Synchronization

/// A way to a server on which one thing goes wrong, as it does on real ones.
public final class FaultyExchange: HTTPExchange {
  /// The fault to inject.
  public enum Fault: Sendable {
    /// Nothing is sent; this answer comes instead.
    case answer(status: Int, type: String, body: String, headers: [(String, String)] = [])
    /// Nothing is sent; the exchange fails with this error.
    case error(BackendError)
    /// The answer ends after this many bytes, and the connection with it.
    case cutBody(after: Int)
    /// The answer is what it is, but is announced as something else.
    case contentType(String)
    /// The answer has another status, with the same body.
    case status(Int)
    /// A text in the answer is another one.
    case replaced(String, with: String)
    /// The answer arrives byte by byte.
    case drip
    /// The last byte of the answer does not come before ``FaultyExchange/release()``.
    case heldEnd
    /// After this many bytes of the answer nothing more comes before the call is cancelled.
    case stalledBody(after: Int)
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
  private let (held, holding) = AsyncStream<Void>.makeStream()
  private let befallen = Mutex<[HTTPRequest]>([])
  private let hasReleased = Mutex(false)

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

  /// The requests that the fault has befallen so far.
  public var requests: [HTTPRequest] { befallen.withLock { $0 } }

  /// Lets go of what was held back, now and from now on.
  public func release() {
    hasReleased.withLock { $0 = true }
    holding.finish()
  }

  /// True if the held requests were released.
  public var isReleased: Bool { hasReleased.withLock { $0 } }

  /// That of the exchange below.
  public var secrets: (any SecretRegister)? { inner.secrets }

  /// Passes the request on, or lets it meet the fault.
  public func send(_ request: HTTPRequest) async throws(BackendError) -> HTTPResponse {
    guard applies(request) else { return try await inner.send(request) }
    befallen.withLock { $0.append(request) }
    meeting.yield()
    switch fault {
    case .answer(let status, let type, let body, let headers):
      return HTTPResponse(
        status: status, headers: [("Content-Type", type)] + headers, body: HTTPBody(whole: Array(body.utf8)))
    case .error(let error): throw error
    case .stall: throw await stalled(request)
    case .lostAnswer:
      _ = try await inner.send(request).body.collect()
      throw BackendError(.unavailable, "the connection was closed before the response arrived", effect: lost(request))
    default:
      let answer = try await inner.send(request)
      var headers = answer.headers
      if case .contentType(let type) = fault {
        headers = headers.filter { $0.0.lowercased() != "content-type" } + [("Content-Type", type)]
      }
      var status = answer.status
      if case .status(let other) = fault { status = other }
      return HTTPResponse(status: status, headers: headers, body: try await faulty(answer.body))
    }
  }

  private func faulty(_ body: HTTPBody) async throws(BackendError) -> HTTPBody {
    switch fault {
    case .cutBody(let count): FaultyExchange.cut(body, after: count)
    case .replaced(let text, let other): FaultyExchange.replaced(try await body.collect(), text, other)
    case .drip: FaultyExchange.drip(body)
    case .heldEnd: FaultyExchange.held(body, until: held)
    case .stalledBody(let count): FaultyExchange.stalled(body, after: count)
    case .endless: FaultyExchange.endless()
    case .answer, .error, .contentType, .status, .stall, .lostAnswer: body
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

extension HTTPRequest {
  /// True if the request may change data.
  var mayWrite: Bool { effect != .read || method != "GET" && method != "HEAD" }
}
