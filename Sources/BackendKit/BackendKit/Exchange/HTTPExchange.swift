/// The connection that the console lends to an adapter: a way to send requests to its one server.
///
/// The adapter names paths; the console owns scheme, host, credentials, login, retries, time-outs, redirects and size
/// limits. Implementations are safe to call from several tasks at once.
public protocol HTTPExchange: Sendable {
  /// Sends a request and returns once the head of the answer is there.
  ///
  /// Any status is an answer. Throws `unavailable`, `timedOut`, `cancelled` and `unauthorized` (login failed); the
  /// effect is `notSent` where not a byte of the request can have reached the server, for a write otherwise `unknown`.
  func send(_ request: HTTPRequest) async throws(BackendError) -> HTTPResponse

  /// The register that learns the values of secret fields; nil where there are none to learn.
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
  /// Changes data; doing it twice is the same as doing it once.
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
  /// An address that a response has named, asked for in the place of path and query: relative to the base address, or with a
  /// server, which has to be the backend's. Whoever sends the request refuses any other.
  public var link: String?
  /// Header fields besides those the console adds.
  public var headers: [(String, String)]
  /// The body, or nil for none. Sent with its Content-Length.
  public var body: [UInt8]?
  /// A body that is sent as it is read, in the place of ``body``; nil for none.
  public var content: StreamedBody?
  /// True if it may take as long as bytes keep coming, and the response has no limit: a file.
  public var isLong = false
  /// The effect of the request.
  public var effect: RequestEffect
  /// True if a read may be sent again after its response was lost.
  public var isRepeatable = true

  /// Reports of a successful response are to wait here; nil where they are made at once.
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

/// The answer to a request. Its body is read once.
public struct HTTPResponse: Sendable {
  /// The status code.
  public let status: Int
  /// The header fields in order, names as they came.
  public let headers: [(String, String)]
  /// The body as it arrives.
  public let body: HTTPBody
  /// The path and query to which redirects have led the request; nil where there were none.
  public var redirectedTo: String?
  /// The reports that wait until nobody holds the response.
  public var reports: HeldReports?

  /// An answer.
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

  /// The first header field with this name, in whatever case.
  public func header(_ name: String) -> String? {
    let wanted = name.lowercased()
    return headers.first { $0.0.lowercased() == wanted }?.1
  }

  /// The entity tag of a response with one record, as `If-Match` takes it back; nil where there is none, and where it is a
  /// weak one, by which two versions of a record may be told alike, unless those are declared to do. One that the server
  /// writes without quotes goes back as it came.
  public func entityTag(takingWeak: Bool = false) -> String? {
    guard let text = header("ETag"), !text.isEmpty else { return nil }
    let isWeak = text.hasPrefix("W/")
    let tag = isWeak ? text.dropFirst(2) : text[...]
    let isQuoted = tag.utf8.count >= 2 && tag.utf8.first == 0x22 && tag.utf8.last == 0x22
    let isBare = !tag.isEmpty && tag.utf8.allSatisfy { $0 > 0x20 && $0 != 0x22 && $0 != 0x2C && $0 != 0x7F }
    return (isQuoted || isBare) && (!isWeak || takingWeak) ? text : nil
  }
}

/// A body that is read in pieces.
///
/// A piece is asked for only when the one before was used up; one that is not read to its end is given up.
public struct HTTPBody: Sendable {
  private let pull: @Sendable () async throws(BackendError) -> [UInt8]?

  /// A body whose pieces come from a closure; nil ends it.
  public init(_ pull: @escaping @Sendable () async throws(BackendError) -> [UInt8]?) { self.pull = pull }

  /// The next piece, never empty, or nil at the end. Throws `badResponse` where the connection ended too early.
  public func next() async throws(BackendError) -> [UInt8]? { try await pull() }

  /// Reads the rest. Throws `badResponse` beyond `limit` bytes.
  public func collect(limit: Int = 64 << 20) async throws(BackendError) -> [UInt8] {
    var bytes: [UInt8] = []
    while let piece = try await pull() {
      if bytes.isEmpty { bytes = piece } else { bytes += piece }
      guard bytes.count <= limit else {
        throw .badResponse("the response is longer than \(limit) bytes")
      }
    }
    return bytes
  }

  /// Reads the rest as a JSON document. Throws `badResponse` where it is none.
  public func json() async throws(BackendError) -> Value { try HTTPBody.json(try await collect()) }

  /// Reads the rest as a JSON document; nil where nothing but white space is left. Throws `badResponse` where it is none.
  public func jsonIfAny() async throws(BackendError) -> Value? {
    let bytes = try await collect()
    return bytes.allSatisfy { " \t\r\n".utf8.contains($0) } ? nil : try HTTPBody.json(bytes)
  }

  private static func json(_ bytes: [UInt8]) throws(BackendError) -> Value {
    do { return try JSONReader.read(bytes) } catch {
      throw .badResponse("the response is not valid JSON: \(error)")
    }
  }

  /// Reads the rest, handing the elements of the list at `items` to a closure piece by piece; returns the document
  /// around them, or nil where the closure answered `enough`.
  ///
  /// Throws `badResponse` where the body is no JSON, is cut short, or has no list at the places named; for the last, what
  /// `mismatch` makes of the document.
  public func elements(
    _ items: JSONReader.Items = .at([[]]), limits: JSONReader.Limits = JSONReader.Limits(),
    otherwise mismatch: ((Value) -> BackendError)? = nil,
    to receive: ([Value]) async throws(BackendError) -> RecordSink.Answer
  ) async throws(BackendError) -> Value? {
    var reader = JSONReader(items: items, limits: limits)
    func read<Result>(_ body: () throws(JSONError) -> Result) throws(BackendError) -> Result {
      do { return try body() } catch {
        throw .badResponse("the response is not a JSON list: \(error)")
      }
    }
    while let piece = try await pull() {
      let elements = try read { () throws(JSONError) in try reader.feed(piece) }
      if !elements.isEmpty, try await receive(elements) == .enough { return nil }
    }
    let document = try read { () throws(JSONError) in try reader.finish() }
    guard reader.foundItems else {
      throw mismatch?(document)
        ?? BackendError.badResponse("expected a list of records in the response, found \(document.kind)")
    }
    return document
  }
}
