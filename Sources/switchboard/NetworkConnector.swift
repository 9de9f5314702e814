import BackendKit
import BackendTransport
import Console
import Synchronization

/// Connects backends over HTTP; `demo:NAME` to the embedded demo.
struct NetworkConnector: Connector {
  let loader: TransportLoader
  let demo: DemoProcess
  /// The operator's state folder, or nil where there is none.
  let stateFolder: String?
  /// The environment, for secrets that are kept there.
  let environment: [String: String]
  /// What the run is called, for servers that want to know.
  let run: String
  /// What shows attempts, where it is turned on.
  let trace: Trace

  func connect(_ backend: BackendConfiguration, login: LoginScheme?) throws(BackendError) -> any Connection {
    let connection = NetworkConnection(
      backend, login: login, loader: loader, demo: demo, stateFolder: stateFolder, environment: environment, run: run,
      trace: trace)
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
  private let loader: TransportLoader
  private let demo: DemoProcess
  private let stateFolder: String?
  private let environment: [String: String]
  private let run: String
  private let trace: Trace
  private let pause = Mutex<Int?>(nil)
  private let made = Mutex<(any Transport)?>(nil)

  init(
    _ backend: BackendConfiguration, login: LoginScheme?, loader: TransportLoader, demo: DemoProcess,
    stateFolder: String?,
    environment: [String: String], run: String, trace: Trace
  ) {
    self.trace = trace
    self.run = run
    self.backend = backend
    scheme = login
    self.loader = loader
    self.demo = demo
    self.stateFolder = stateFolder
    self.environment = environment
  }

  var exchange: any HTTPExchange { self }

  var address: String { made.withLock { $0?.address } ?? backend.url }

  var retryAfter: Int? { pause.withLock(\.self) }

  func send(_ request: HTTPRequest) async throws(BackendError) -> HTTPAnswer {
    let answer = try await transport().send(request)
    pause.withLock { $0 = answer.retryAfter }
    return answer
  }

  func keepSecret(_ texts: [String]) { trace.keepSecret(texts) }

  func login(user: String, password: String) async throws(BackendError) {
    keepSecret([password])
    _ = try await transport().login(username: user, password: password)
  }

  func logout() async throws(BackendError) { _ = try await transport().logout() }

  func identity() async throws(BackendError) -> Object { try await transport().identity() }

  func transport() throws(BackendError) -> any Transport {
    if let transport = made.withLock({ $0 }) { return transport }
    let transport = try loader.transport(try settings())
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
    settings.trace = trace
    for header in backend.headers {
      settings.headers.append((header.name, try resolve(header.value, "headers", header.name)))
    }
    if let name = backend.runHeader { settings.headers.append((name, run)) }
    if let credentials = backend.credentials {
      settings.credentials = { () throws(BackendError) in
        (
          try self.resolve(credentials.username, "credentials", "username"),
          try self.resolve(credentials.password, "credentials", "password")
        )
      }
    }
    settings.tokenFile = scheme == nil ? nil : tokenFile
    if let tls = backend.tls {
      settings.tls = TLSSettings(ca: tls.ca, cert: tls.cert, key: tls.key, insecure: tls.insecure)
      do { settings.tls.files = try backend.resolvedTLSFiles() } catch {
        throw BackendError(.misconfigured, error.description, effect: .notSent)
      }
    }
    if let seconds = backend.timeouts?.connect { settings.timeouts.connect = .seconds(seconds) }
    if let seconds = backend.timeouts?.firstByte { settings.timeouts.firstByte = .seconds(seconds) }
    if let seconds = backend.timeouts?.total { settings.timeouts.total = .seconds(seconds) }
    return settings
  }

  /// Where this backend's token is kept between runs; nowhere for a backend that is given by its address.
  private var tokenFile: String? {
    guard !backend.name.contains(":"), !backend.url.hasPrefix(Self.demoPrefix), let stateFolder else { return nil }
    return "\(stateFolder)/tokens/\(backend.name)"
  }

  private func resolve(_ secret: Secret, _ keys: String...) throws(BackendError) -> String {
    do {
      let text = try secret.resolve(environment: environment, place: backend.place(keys))
      // What is written out in the configuration is a secret only by its name.
      if keys.last == "password" { keepSecret([text]) } else if case .literal = secret {} else { keepSecret([text]) }
      return text
    } catch {
      throw BackendError(.misconfigured, error.description, effect: .notSent)
    }
  }
}
