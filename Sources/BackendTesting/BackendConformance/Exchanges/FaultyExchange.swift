public import BackendKit
import Synchronization

/// An exchange with a fault, as on real networks and servers.
public final class FaultyExchange: HTTPExchange {
  /// The fault to inject.
  public enum Fault: Sendable {
    /// Nothing is sent; this is the response.
    case answer(status: Int, type: String, body: String, headers: [(String, String)] = [])
    /// Nothing is sent; the exchange fails with this error.
    case error(BackendError)
    /// The response ends after this many bytes, as does the connection.
    case cutBody(after: Int)
    /// The response has another content type.
    case contentType(String)
    /// The response has another status.
    case status(Int)
    /// A text in the response is replaced.
    case replaced(String, with: String)
    /// The response arrives byte by byte.
    case drip
    /// The last byte of the response is held until ``FaultyExchange/release()``.
    case heldEnd
    /// The response stalls after this many bytes, until the call is cancelled.
    case stalledBody(after: Int)
    /// The response is endless, until the transport's limit.
    case endless
    /// Nothing is sent, and there is no response until the call is cancelled.
    case stall
    /// The request is executed, but the response is lost.
    case lostAnswer
  }

  private let inner: any HTTPExchange
  private let fault: Fault
  private let applies: @Sendable (HTTPRequest) -> Bool
  private let (met, meeting) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
  private let (held, holding) = AsyncStream<Void>.makeStream()
  private let befallen = Mutex<[HTTPRequest]>([])
  private let hasReleased = Mutex(false)

  /// Creates an exchange with a fault in the chosen requests.
  public init(
    _ inner: any HTTPExchange, _ fault: Fault, when applies: @escaping @Sendable (HTTPRequest) -> Bool = { _ in true }
  ) {
    self.inner = inner
    self.fault = fault
    self.applies = applies
  }

  /// Returns once the fault has affected a request. Only one waiter at a time.
  public func isMet() async { for await _ in met { return } }

  /// The requests that the fault has affected.
  public var requests: [HTTPRequest] { befallen.withLock { $0 } }

  /// Releases what is held, now and later.
  public func release() {
    hasReleased.withLock { $0 = true }
    holding.finish()
  }

  /// True after ``release()``.
  public var isReleased: Bool { hasReleased.withLock { $0 } }

  /// The register of the inner exchange.
  public var secrets: (any SecretRegister)? { inner.secrets }

  /// Passes the request on, or applies the fault.
  public func send(_ request: HTTPRequest) async throws(BackendError) -> HTTPResponse {
    guard applies(request) else { return try await inner.send(request) }
    befallen.withLock { $0.append(request) }
    meeting.yield()
    switch fault {
    case .answer(let status, let type, let body, let headers):
      return HTTPResponse(
        status: status, headers: [("Content-Type", type)] + headers, body: HTTPBody(whole: Array(body.utf8)))
    case .error(let error): throw error
    case .stall: throw await FaultyExchange.stalled(lost(request))
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

  /// Waits longer than any law may take; cancellation ends it.
  static func stalled(_ effect: BackendError.Effect) async -> BackendError {
    try? await Task.sleep(for: .seconds(3_600))
    return BackendError(.cancelled, "the call was cancelled", effect: effect)
  }
}

extension HTTPRequest {
  /// True if the request may change data.
  var mayWrite: Bool { effect != .read || method != "GET" && method != "HEAD" }
}
