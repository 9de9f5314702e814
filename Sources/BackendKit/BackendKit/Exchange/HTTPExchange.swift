/// The connection that the console provides to an adapter: sends requests to its one server.
///
/// The adapter names paths; the console owns scheme, host, credentials, login, retries, time-outs, redirects and size
/// limits. Implementations are safe to call from several tasks at once.
public protocol HTTPExchange: Sendable {
  /// Sends a request and returns once the head of the response arrives.
  ///
  /// Any status is a response. Throws `unavailable`, `timedOut`, `cancelled` and `unauthorized` (login failed); the
  /// effect is `notSent` if no byte of the request can have reached the server, otherwise `unknown` for a write.
  func send(_ request: HTTPRequest) async throws(BackendError) -> HTTPResponse

  /// The register for values of secret fields; nil if they need not be registered.
  var secrets: (any SecretRegister)? { get }
}

extension HTTPExchange {
  /// None.
  public var secrets: (any SecretRegister)? { nil }
}

/// The effect of a request on the server's data, which decides whether the request may be repeated.
public enum RequestEffect: String, Sendable, Hashable, CaseIterable {
  /// Changes nothing; may be repeated.
  case read
  /// Changes data; idempotent, so it may be repeated.
  case repeatableWrite
  /// Changes data; must not be sent twice.
  case write
  /// Logs in or out.
  case session
}

/// A request to the backend's server.
public struct HTTPRequest: Sendable {
  /// The method, in capitals.
  public var method: String
  /// The path below the base address.
  public var path: RequestPath
  /// The query, decoded, in order.
  public var query: [(String, String)]
  /// An address from a response, requested instead of path and query: relative to the base address, or absolute with
  /// the backend's server. Any other is refused.
  public var link: String?
  /// Header fields besides those the console adds.
  public var headers: [(String, String)]
  /// The body, or nil for none. Sent with its Content-Length.
  public var body: [UInt8]?
  /// A streamed body instead of ``body``.
  public var content: StreamedBody?
  /// True for a file transfer: no time limit as long as bytes arrive, and no limit on the response.
  public var isLong = false
  /// The effect of the request.
  public var effect: RequestEffect
  /// True if a read may be sent again after its response was lost.
  public var isRepeatable = true

  /// Holds back reports of a successful response; nil to report immediately.
  public var reports: HeldReports?

  /// True if the response is a file, whose content is neither logged nor recorded.
  public var isFile: Bool { isLong && effect == .read }

  /// A request.
  public init(
    _ method: String, _ path: RequestPath, query: [(String, String)] = [], headers: [(String, String)] = [],
    body: [UInt8]? = nil, effect: RequestEffect
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.headers = headers
    self.body = body
    self.effect = effect
  }

  /// Path and query as they are sent, without a leading slash.
  public var target: String {
    if let link { return link }
    return query.isEmpty ? path.description : "\(path)?\(PercentEncoding.form(query))"
  }

  /// Method, path and query, for people.
  public var summary: String {
    if let link, link.hasPrefix("/") || Link.scheme(of: link) != nil { return "\(method) \(link)" }
    return "\(method) /\(target)"
  }
}

/// The response to a request. Its body can be read once.
public struct HTTPResponse: Sendable {
  /// The status code.
  public let status: Int
  /// The header fields in order, with unchanged names.
  public let headers: [(String, String)]
  /// The body as it arrives.
  public let body: HTTPBody
  /// The path and query after redirects; nil if there were none.
  public var redirectedTo: String?
  /// The reports that are held back until the response is released.
  public var reports: HeldReports?

  /// A response.
  public init(status: Int, headers: [(String, String)], body: HTTPBody) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// The same with another body.
  public func with(_ body: HTTPBody) -> HTTPResponse {
    var answer = HTTPResponse(status: status, headers: headers, body: body)
    answer.redirectedTo = redirectedTo
    answer.reports = reports
    return answer
  }

  /// True if the status is 2xx.
  public var isSuccess: Bool { status >= 200 && status < 300 }

  /// The first header field with this name, ignoring case.
  public func header(_ name: String) -> String? {
    let wanted = name.lowercased()
    return headers.first { $0.0.lowercased() == wanted }?.1
  }

  /// The entity tag for `If-Match`; nil if there is none, or a weak one, which two versions of a record may share,
  /// unless weak tags are accepted. A tag without quotes is returned unchanged.
  public func entityTag(takingWeak: Bool = false) -> String? {
    guard let text = header("ETag"), !text.isEmpty else { return nil }
    let isWeak = text.hasPrefix("W/")
    let tag = isWeak ? text.dropFirst(2) : text[...]
    let isQuoted = tag.utf8.count >= 2 && tag.utf8.first == 0x22 && tag.utf8.last == 0x22
    let isBare = !tag.isEmpty && tag.utf8.allSatisfy { $0 > 0x20 && $0 != 0x22 && $0 != 0x2C && $0 != 0x7F }
    return (isQuoted || isBare) && (!isWeak || takingWeak) ? text : nil
  }
}
