import BackendKit
import Console
import HTTPTransport
import Synchronization

/// Connects backends over HTTP; `demo:NAME` to the embedded demo.
struct NetworkConnector: Connector {
  let demo: DemoProcess

  func connect(_ backend: BackendConfiguration, login: LoginScheme?) throws(BackendError) -> any Connection {
    let connection = NetworkConnection(backend, login: login, demo: demo)
    // A wrong address is told when the backend is opened, not at its first request.
    if !backend.url.hasPrefix(NetworkConnection.demoPrefix) { _ = try connection.transport() }
    return connection
  }
}

/// One backend's connection. The transport, and with it the demo, begins with the first request.
final class NetworkConnection: Connection, HTTPExchange {
  static let demoPrefix = "demo:"

  private let backend: BackendConfiguration
  private let scheme: LoginScheme?
  private let demo: DemoProcess
  private let made = Mutex<HTTPTransport?>(nil)

  init(_ backend: BackendConfiguration, login: LoginScheme?, demo: DemoProcess) {
    self.backend = backend
    scheme = login
    self.demo = demo
  }

  var exchange: any HTTPExchange { self }

  var address: String { made.withLock { $0?.address } ?? backend.url }

  func send(_ request: HTTPRequest) async throws(BackendError) -> HTTPAnswer {
    try await transport().send(request)
  }

  func login(user: String, password: String) async throws(BackendError) {
    _ = try await transport().login(username: user, password: password)
  }

  func logout() async throws(BackendError) { _ = try await transport().logout() }

  func identity() async throws(BackendError) -> Object { try await transport().identity() }

  func transport() throws(BackendError) -> HTTPTransport {
    if let transport = made.withLock({ $0 }) { return transport }
    let transport = try HTTPTransport(try settings())
    return made.withLock { kept in
      let chosen = kept ?? transport
      kept = chosen
      return chosen
    }
  }

  private func settings() throws(BackendError) -> TransportSettings {
    let isDemo = backend.url.hasPrefix(Self.demoPrefix)
    let address =
      isDemo ? try demo.base(of: String(backend.url.dropFirst(Self.demoPrefix.count))) : backend.url
    var settings = TransportSettings(address: address)
    settings.usesProxy = !isDemo
    settings.login = scheme
    return settings
  }
}
