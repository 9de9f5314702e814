public import BackendKit
public import BackendTransport

/// The connection to one server: base address, login, time limits, proxies, redirects and repetition.
///
/// Creating one starts nothing. The first request of the process starts one event loop, which all transports share: on
/// a thread of its own, or on one that the program lends.
public final class HTTPTransport: Transport {
  let wire: RequestSender
  let session: LoginSession?

  /// A transport; sends nothing. Throws `misconfigured` for errors in the settings.
  public convenience init(_ settings: TransportSettings) throws(BackendError) {
    try self.init(settings, environment: settings.environment.map(ProxyEnvironment.init) ?? .process)
  }

  init(_ settings: TransportSettings, environment: ProxyEnvironment) throws(BackendError) {
    let wire = try RequestSender(settings, environment: environment)
    self.wire = wire
    session = try settings.login.map { scheme throws(BackendError) in
      try LoginSession(wire, scheme, environment: environment)
    }
  }

  /// The address of requests, without the path.
  public var address: String { "\(wire.base.origin)" }

  /// Sends a request and returns once the head of the response arrives. Logs in first if needed.
  public func send(_ request: HTTPRequest) async throws(BackendError) -> HTTPResponse {
    guard let session else { return try await wire.deliver(request, authorization: nil) }
    return try await session.send(request)
  }

  /// Makes the event loop of all transports run on a thread of the host. Has to be called before the first request.
  public static func run(on host: any LoopHost) { NetworkLoop.shared.run(on: host) }
}
