public import BackendKit
import BackendTransport
public import DemoServerSupport
import HTTPTransport
import Synchronization

/// The way to a server, with a record of what was asked of it.
public final class RecordedExchange: HTTPExchange {
  private let transport: HTTPTransport
  // Keeps the server running for as long as somebody may ask it.
  private let server: (any AnyObject & Sendable)?
  private let state: Mutex<State>

  private struct State {
    var switches: String
    var requests: [HTTPRequest] = []
  }

  /// An exchange with the server at an address, whose switches are set as `Demo-Set` says for each request.
  public convenience init(_ address: String, switches: String = "") throws {
    try self.init(address, switches: switches, server: nil)
  }

  /// An exchange with one dialect of a demo server, which runs as long as this exchange is there.
  public convenience init(_ demo: DemoProcess, _ dialect: String, switches: String = "") throws {
    try self.init(demo.base(dialect), switches: switches, server: demo)
  }

  /// An exchange with a fixture, which serves as long as this exchange is there.
  public convenience init(_ fixture: FixtureServer) throws {
    try self.init(fixture.address, switches: "", server: fixture)
  }

  /// An exchange with a server that runs as long as this exchange is there, with these headers in each request.
  public convenience init(
    _ address: String, headers: [(String, String)], server: any AnyObject & Sendable
  ) throws {
    try self.init(address, switches: "", headers: headers, server: server)
  }

  private init(
    _ address: String, switches: String, headers: [(String, String)] = [], server: (any AnyObject & Sendable)?
  ) throws {
    var settings = TransportSettings(address: address)
    settings.headers = headers
    transport = try HTTPTransport(settings)
    state = Mutex(State(switches: switches))
    self.server = server
  }

  /// Sets the demo server's switches for the requests that follow.
  public func set(_ switches: String) { state.withLock { $0.switches = switches } }

  /// Everything asked so far, in order.
  public var requests: [HTTPRequest] { state.withLock { $0.requests } }

  /// The requests asked so far as method, path and query.
  public var summaries: [String] { requests.map(\.summary) }

  /// Forgets what was asked so far.
  public func forget() { state.withLock { $0.requests = [] } }

  /// Sends a request and keeps it in mind.
  public func send(_ request: HTTPRequest) async throws(BackendError) -> HTTPResponse {
    let switches = state.withLock { state in
      state.requests.append(request)
      return state.switches
    }
    var request = request
    if !switches.isEmpty { request.headers.append(("Demo-Set", switches)) }
    return try await transport.send(request)
  }
}

extension HTTPRequest {
  /// The value of a header field, in whatever case its name is.
  public func header(_ name: String) -> String? { headers.first { $0.0.lowercased() == name.lowercased() }?.1 }

  /// The body as text.
  public var text: String? { body.map { String(decoding: $0, as: UTF8.self) } }
}
