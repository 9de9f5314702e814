import BackendKit
import BackendTransport
import ConsoleSetup
import Glibc
import Synchronization

/// Connects to backends over HTTP, and to the embedded demo for `demo:NAME`.
struct NetworkConnector: Connector {
  let library: @Sendable () throws(BackendError) -> TransportLibrary
  /// Returns the base address of a dialect of the embedded demo.
  let demo: @Sendable (String) throws(BackendError) -> String
  let stateFolder: String?
  /// Runs the programs that provide secrets.
  let helpers: CredentialHelpers
  let blanking: Blanking
  /// The run's identifier, for servers that require it.
  let run: String
  let trace: Trace
  /// The environment, which may name proxies; nil for that of the process.
  let environment: [String: String]?

  func connect(_ backend: BackendConfiguration, login: LoginScheme?) throws(BackendError) -> any Connection {
    let connection = NetworkConnection(backend, login: login, through: self)
    // A wrong address is reported when the backend is opened, before its first request.
    if !backend.url.hasPrefix(BackendAddress.demo), !backend.asksHelperForHeaders {
      _ = try connection.transport()
    }
    return connection
  }

  func certificate(of backend: BackendConfiguration) async throws(BackendError) -> ServerCertificate {
    try await library().certificate(backend.url, backend.timeouts.connect)
  }

  func keepsLogin(of backend: BackendConfiguration) -> Bool {
    NetworkConnection.tokenFile(of: backend, in: stateFolder).map { access($0, R_OK) == 0 } ?? false
  }
}

/// A backend's connection. The transport, and with it the demo, starts with the first request.
final class NetworkConnection: Connection {
  private let backend: BackendConfiguration
  private let scheme: LoginScheme?
  private let connector: NetworkConnector
  private let pause = Mutex<Int?>(nil)
  private let sessionOnly = Mutex(false)
  private let made = Mutex<(any Transport)?>(nil)

  init(_ backend: BackendConfiguration, login: LoginScheme?, through connector: NetworkConnector) {
    self.backend = backend
    scheme = login
    self.connector = connector
  }

  var address: String { made.withLock { $0?.address } ?? backend.url }

  var retryAfter: Int? { pause.withLock(\.self) }

  func send(_ request: HTTPRequest) async throws(BackendError) -> HTTPResponse {
    do throws(BackendError) {
      let answer = try await transport().send(request)
      pause.withLock { $0 = answer.isSuccess ? nil : answer.retryAfter }
      return answer
    } catch {
      // A server that refuses logins for the moment may say for how long.
      pause.withLock { $0 = error.retryAfter }
      throw error
    }
  }

  var activeLogin: ActiveLogin? {
    // Before a request, only a token file can have a token.
    let isMade = made.withLock { $0 != nil }
    guard scheme != nil, isMade || tokenFile != nil && !backend.asksHelperForHeaders,
      let login = try? transport().loggedIn
    else {
      return nil
    }
    let file = sessionOnly.withLock(\.self) ? nil : tokenFile
    return ActiveLogin(
      user: login.username, lifetime: login.lifetime, isSliding: login.isSliding, file: file,
      scope: login.scope)
  }

  func perform(_ operation: SessionOperation) async throws(BackendError) -> Object {
    switch operation {
    case .login(let user, let password, let isForThisRun):
      // Later runs log in as the configured user.
      let isForSession = isForThisRun || configuredUser.map { $0 != user } ?? false
      _ = try await transport().login(username: user, password: password, isForSession: isForSession)
      sessionOnly.withLock { $0 = isForSession }
    case .signIn(let order):
      _ = try await transport().signIn(order)
      sessionOnly.withLock { $0 = order.isForSession }
    case .logout: _ = try await transport().logout()
    case .identity: return try await transport().identity()
    }
    return Object()
  }

  func transport() throws(BackendError) -> any Transport {
    if let transport = made.withLock({ $0 }) { return transport }
    let transport = try connector.library().transport(try settings())
    return made.withLock { kept in
      let chosen = kept ?? transport
      kept = chosen
      return chosen
    }
  }

  private func settings() throws(BackendError) -> TransportSettings {
    let isDemo = backend.url.hasPrefix(BackendAddress.demo)
    let address =
      isDemo ? try connector.demo(String(backend.url.dropFirst(BackendAddress.demo.count))) : backend.url
    var settings = TransportSettings(address: address)
    settings.usesProxy = !isDemo
    settings.login = scheme
    settings.trace = BackendTrace(trace: connector.trace, backend: backend, login: scheme, blanking: connector.blanking)
    settings.environment = connector.environment
    settings.headers = try backend.headers(helpers: connector.helpers)
    if let name = backend.runHeader { settings.headers.append((name, connector.run)) }
    if backend.credentials != nil {
      settings.credentials = { [backend, helpers = connector.helpers] wanted, isRefused throws(BackendError) in
        let given = try backend.credentials(wanted, isRefused: isRefused, helpers: helpers)
        return TransportSettings.Given(given.values, expiry: given.expiry)
      }
    }
    settings.user = configuredUser
    let blanking = connector.blanking
    settings.keepSecret = { blanking.keepSecret($0) }
    settings.tokenFile = scheme == nil ? nil : tokenFile
    if let tls = backend.tls {
      settings.tls = tls
      do { settings.tls.files = try backend.resolvedTLSFiles() } catch {
        throw BackendError(.misconfigured, error.description, effect: .notSent)
      }
    }
    settings.timeouts = backend.timeouts
    settings.requestsPerSecond = backend.requestsPerSecond
    if let most = backend.maxConcurrent { settings.maxConcurrent = most }
    settings.usesHTTP2 = backend.usesHTTP2
    return settings
  }

  /// The configured user name, or client ID for a login without one.
  private var configuredUser: String? {
    guard let scheme, let part = scheme.needs.first(where: { $0 == .username || $0 == .clientID }) else { return nil }
    return backend.name(in: part)
  }

  /// The file for the backend's token between runs; nil for a backend given by its address.
  private var tokenFile: String? { Self.tokenFile(of: backend, in: connector.stateFolder) }

  fileprivate static func tokenFile(of backend: BackendConfiguration, in stateFolder: String?) -> String? {
    guard !backend.name.contains(":"), !backend.url.hasPrefix(BackendAddress.demo), let stateFolder else { return nil }
    return "\(stateFolder)/tokens/\(backend.name)"
  }
}

/// The trace of a backend's requests, which can show them as commands of curl.
struct BackendTrace: AttemptTrace {
  let trace: Trace
  let backend: BackendConfiguration
  let login: LoginScheme?
  let blanking: Blanking

  var isOn: Bool { trace.isOn }

  func tell(_ event: TraceEvent) {
    guard trace.form == .curl, case .request(let method, let address, let headers, let body) = event.kind else {
      return trace.tell(event)
    }
    let command = CurlCommand(sent: method, to: address, headers, body, of: backend, login, blanking)
    trace.tell(event, command: command.text)
  }
}
