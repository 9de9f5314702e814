public import BackendKit
import BackendTransport
public import DemoServerSupport
import HTTPTransport
import Synchronization

/// The way to a server, with a record of what was asked of it.
public final class ServerExchange: HTTPExchange {
  private let transport: HTTPTransport
  // Keeps the server running for as long as somebody may ask it.
  private let server: (any AnyObject & Sendable)?
  private let state = Mutex<[HTTPRequest]>([])

  /// An exchange with the server at an address, whose switches are set as `Demo-Set` says for each request. The server, if one is given, runs
  /// as long as this exchange is there.
  public init(
    _ address: String, switches: String = "", headers: [(String, String)] = [],
    server: (any AnyObject & Sendable)? = nil
  ) throws {
    var settings = TransportSettings(address: address)
    settings.headers = headers + (switches.isEmpty ? [] : [("Demo-Set", switches)])
    transport = try HTTPTransport(settings)
    self.server = server
  }

  /// An exchange with one dialect of a demo server.
  public convenience init(_ demo: DemoProcess, _ dialect: String, switches: String = "") throws {
    try self.init(demo.base(dialect), switches: switches, server: demo)
  }

  /// An exchange with a fixture.
  public convenience init(_ fixture: SocketServer) throws { try self.init(fixture.address, server: fixture) }

  /// Everything asked so far, in order.
  public var requests: [HTTPRequest] { state.withLock(\.self) }

  /// The requests asked so far as method, path and query.
  public var summaries: [String] { requests.map(\.summary) }

  /// Sends a request and keeps it in mind.
  public func send(_ request: HTTPRequest) async throws(BackendError) -> HTTPResponse {
    state.withLock { $0.append(request) }
    return try await transport.send(request)
  }
}

extension HTTPRequest {
  /// The value of a header field, in whatever case its name is.
  public func header(_ name: String) -> String? { headers.first { $0.0.lowercased() == name.lowercased() }?.1 }
}
