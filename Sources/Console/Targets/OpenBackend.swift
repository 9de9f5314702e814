import BackendClient
import BackendKit
import BackendTransport
import ConsoleSetup
import ConsoleSystem

/// A backend in use: its configuration, plugin, connection and client.
///
/// A class, since every command looks it up and passes it on many times.
final class OpenBackend: Sendable {
  let configuration: BackendConfiguration
  let plugin: Plugin
  let connection: any Connection
  let login: LoginScheme?
  /// The connection with the register of secrets, which sees the values of secret fields.
  private let exchange: any HTTPExchange
  private let blanking: Blanking
  private let budget: ListBudget
  private let changes: ListChanges?
  /// The planned writes that reads see in a preview; nil where writes are sent.
  let planned: PlannedRecords?
  /// True if secret fields do not exist.
  private let hidesSecrets: Bool
  let described: DescriptionSource
  /// The options in effect, including defaults.
  let options: Object
  let client: Client

  init(
    _ configuration: BackendConfiguration, catalog: PluginCatalog, connector: any Connector, blanking: Blanking,
    state: String? = nil, traffic: Traffic? = nil, changes: ListChanges? = nil, planned: PlannedRecords? = nil,
    hidesSecrets: Bool = false
  ) throws {
    try configuration.checkUsable()
    self.configuration = configuration
    budget = Self.budget(configuration, state: state, isRecorded: connector.isRecorded)
    let found = try catalog.load(configuration.plugin, for: configuration.name)
    let description = try configuration.checkedDescription(found) { name throws(BackendError) in
      do throws(PluginError) { return try catalog.load(name) } catch {
        throw .misconfigured(error.message, hint: error.hint)
      }
    }
    plugin = try found.describing(description)
    described = description
    options = try configuration.checkedOptions(plugin)
    login = try configuration.checkedLogin(plugin)
    connection = try connector.connect(configuration, login: login)
    self.blanking = blanking
    self.changes = changes
    self.planned = planned
    self.hidesSecrets = hidesSecrets
    blanking.keepSecret(Self.secrets(options, plugin))
    let exchange = SecretExchange(
      exchange: traffic?.watching(connection) ?? connection, backend: configuration.name,
      blanking: blanking)
    self.exchange = planned == nil ? exchange : ReadOnlyExchange(base: exchange)
    client = try Self.client(
      configuration, budget, changes, planned, plugin, options, self.exchange, blanking, hidesSecrets)
  }

  private static func secrets(_ options: Object, _ plugin: Plugin) -> [String] {
    plugin.options.filter(\.isSecret).compactMap { options[$0.name]?.plainText }
  }

  /// Creates the same backend with another value of an option, for the rest of the session.
  init(_ backend: OpenBackend, setting option: String, to value: Value) throws {
    configuration = backend.configuration
    plugin = backend.plugin
    connection = backend.connection
    login = backend.login
    exchange = backend.exchange
    blanking = backend.blanking
    budget = backend.budget
    changes = backend.changes
    planned = backend.planned
    hidesSecrets = backend.hidesSecrets
    described = backend.described
    var changed = configuration
    changed.options = backend.options
    changed.options[option] = value
    do { options = try changed.checkedOptions(plugin) } catch {
      // The value was typed, so a place in the configuration would mislead.
      throw UsageError(error.message, hint: error.hint)
    }
    blanking.keepSecret(Self.secrets(options, plugin))
    client = try Self.client(
      configuration, budget, changes, planned, plugin, options, exchange, blanking, hidesSecrets)
  }

  /// Adds the operation and the backend to errors of a connection.
  func naming<Success>(
    _ operation: String, _ body: (any Connection) async throws(BackendError) -> Success
  ) async throws(BackendError) -> Success {
    do { return try await body(connection) } catch {
      var named = error
      named.operation = operation
      named.backend = configuration.name
      throw named
    }
  }

  private static func client(
    _ configuration: BackendConfiguration, _ budget: ListBudget, _ changes: ListChanges?, _ planned: PlannedRecords?,
    _ plugin: Plugin, _ options: Object, _ exchange: any HTTPExchange, _ blanking: Blanking, _ hidesSecrets: Bool
  ) throws(BackendError) -> Client {
    var prepared = try plugin.prepare(BackendSettings(name: configuration.name, options: options))
    if hidesSecrets {
      prepared = PreparedBackend { [prepared] exchange in
        VisibleBackend(base: prepared.attach(exchange), configuration: configuration, blanking: blanking)
      }
    }
    let client = Client(
      name: configuration.name, exchange: exchange, budget: budget, changes: changes,
      adapt: { configuration.agreed($0, blanking) }, planned: planned,
      prepared: prepared)
    planned?.ask { [weak client] path throws(BackendError) in
      guard let client else { throw .unsupported("the backend is closed") }
      return try await client.resource(path)
    } dependents: { [weak client] id, resource throws(BackendError) in
      let found = try await client?.deletedAlong(with: [id], in: resource, maximumScan: 10_000) ?? []
      return found.filter { $0.count != 0 }.map(\.resource)
    }
    return client
  }

  private static func budget(_ configuration: BackendConfiguration, state: String?, isRecorded: Bool) -> ListBudget {
    // A production system gets no larger requests than those of users, and one at a time. In a recorded run the speed
    // of pages does not count, as its requests must be repeatable exactly.
    let firstByte = isRecorded ? .seconds(3_600) : configuration.timeouts.firstByte
    let pageTime = configuration.isProduction ? nil : firstByte / 4
    return ListBudget(
      pageTime: pageTime, readsAhead: !configuration.isProduction, makeSpill: { SpillFile(state: state) })
  }
}

/// An exchange of a preview, which sends no write, whoever asks for it.
private struct ReadOnlyExchange: HTTPExchange {
  let base: any HTTPExchange

  var secrets: (any SecretRegister)? { base.secrets }

  func send(_ request: HTTPRequest) async throws(BackendError) -> HTTPResponse {
    guard request.effect == .read else {
      throw BackendError(.unsupported, "a preview sends no writes", effect: .notSent)
    }
    return try await base.send(request)
  }
}
