import AsyncHTTPClient
import BackendKit
import BackendTransport
import NIOCore
import NIOHTTPCompression
import Synchronization

/// The process's HTTP clients. Nothing of it exists before the first request.
enum SharedClients {
  /// The settings that distinguish one client from another.
  struct Key: Hashable, Sendable {
    var connect: Duration
    var tls: TLSSettings
    var proxy: ProxyServer?
    /// True if connections use TLS.
    var isSecure: Bool
    var decompressionRatio: Int
    /// The maximum number of concurrent connections to a server.
    var maxConcurrent: Int
    /// True if every request gets a connection of its own.
    var isFresh = false
  }

  private static let clients = Mutex<[Key: HTTPClient]>([:])

  /// The client for a key; starts it, and the event loop, at the first call.
  static func client(_ key: Key) async throws(BackendError) -> HTTPClient {
    if let client = clients.withLock({ $0[key] }) { return client }
    // Outside the lock: this reads certificate files.
    let configuration = try configuration(key)
    let group = await SharedLoop.group()
    return clients.withLock { clients in
      if let client = clients[key] { return client }
      let client = HTTPClient(eventLoopGroupProvider: .shared(group), configuration: configuration)
      clients[key] = client
      return client
    }
  }

  private static func configuration(_ key: Key) throws(BackendError) -> HTTPClient.Configuration {
    var configuration = HTTPClient.Configuration(
      tlsConfiguration: try key.tls.configuration(), redirectConfiguration: .disallow,
      timeout: .init(connect: TimeAmount(key.connect)), proxy: key.proxy?.configuration,
      decompression: .enabled(limit: .ratio(key.decompressionRatio)))
    configuration.httpVersion = .http1Only
    // Nobody collects traces here, and what is made of a request for nobody costs a fortieth of it.
    configuration.tracing.tracer = nil
    // A failure to connect is reported, not tried again until the time is up.
    configuration.connectionPool.retryConnectionEstablishment = false
    configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = key.maxConcurrent
    // Below the shortest time after which common servers close (4 to 5 s): a request never meets a closing connection.
    configuration.connectionPool.idleTimeout = .seconds(3)
    let check = key.isSecure ? key.tls.serverCheck() : nil
    configuration.http1_1ConnectionDebugInitializer = { channel in
      let added = StatusCheck.add(to: channel)
      return check.map { check in added.flatMap { check(channel) } } ?? added
    }
    if key.isFresh { configuration.maximumUsesPerConnection = 1 }
    return configuration
  }
}
