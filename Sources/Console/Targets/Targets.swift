import BackendClient
import BackendKit
import ConsoleOutput
import ConsoleSetup
import ConsoleSystem

/// The available targets, and the access to them: one for the session. Only ``SessionChange`` changes it.
final class Targets {
  /// The choice of `use`: a backend's name and, once it is known, a resource.
  struct Current: Sendable {
    var backend: String
    var path: ResourcePath?
  }

  /// The backends that are configured.
  private(set) var configuration: Configuration
  /// The choice of `use`.
  private(set) var current: Current?
  /// The backends that were used so far, by name.
  private(set) var opened: [String: OpenBackend] = [:]
  /// The backends that were given by plugin and address, as they were written.
  private var adHoc: [String: BackendConfiguration] = [:]
  /// The target of the current command; without a path it is the backend itself.
  private var place: (backend: OpenBackend, path: ResourcePath?)?
  /// The current command.
  var command: CommandShape?
  /// Its name, which failures have.
  var verb: String? { command?.name }
  /// Takes what is to be known of a backend that is used for the first time.
  var note: ((String) -> Void)?
  let catalog: PluginCatalog
  let connector: any Connector
  let rehearsal: Rehearsal?
  /// The state of the lists that `watch` repeats.
  let changes = ListChanges()
  private let blanking: Blanking
  private let traffic: Traffic
  private let stateFolder: String?

  /// The backends of a configuration, the default one chosen. None is opened before it is used.
  init(
    _ configuration: Configuration, catalog: PluginCatalog, connector: any Connector, blanking: Blanking,
    traffic: Traffic = Traffic(), rehearsal: Rehearsal? = nil, stateFolder: String? = nil
  ) {
    self.configuration = configuration
    self.catalog = catalog
    self.connector = connector
    self.blanking = blanking
    self.traffic = traffic
    self.rehearsal = rehearsal
    self.stateFolder = stateFolder
    current = configuration.defaultBackend.map { Current(backend: $0) }
  }

  /// The names of the configured backends, as a hint; without any, how to get one.
  var backendNames: String { names.isEmpty ? Self.beginning : "backends: \(NameList.text(names))" }

  /// A hint to check an address, with the command that changes it.
  func completed(_ hint: String?, _ backend: String?) -> String? {
    guard let hint, hint.hasPrefix("check the "), let range = hint.firstRange(ofText: "address") else { return hint }
    let command = backend.flatMap { isConfigured($0) ? "backends edit \($0)" : nil } ?? "add ADDRESS"
    return "\(hint[..<range.upperBound]) (`\(command)`)\(hint[range.upperBound...])"
  }

  /// The advice shown if no backend is configured.
  static let beginning = "connect a service with `add ADDRESS`, or try the demo with `use demo:grails`"

  /// The error of a command that works on the current backend, and there is none.
  var noBackend: UsageError {
    names.isEmpty
      ? UsageError("no backend is configured", hint: Self.beginning)
      : UsageError("no backend is selected", hint: "select one with `use BACKEND`; \(backendNames)")
  }

  /// Returns whether the configuration has a backend with this name.
  func isConfigured(_ name: String) -> Bool { names.contains(name) }

  private var names: [String] { configuration.backends.map(\.name) }

  /// The configuration of a backend, also of one given by its address in this session.
  func configuration(of name: String) -> BackendConfiguration? {
    configuration.backends.first { $0.name == name } ?? adHoc[name]
  }

  /// The name of the backend that a word gives by plugin and address, or nil where it gives none.
  func adHocBackend(_ text: String) -> String? {
    if adHoc[text] == nil { adHoc[text] = BackendConfiguration.adHoc(text) }
    return adHoc[text]?.name
  }

  /// The backend with this name, opened at its first use.
  func open(_ name: String) throws -> OpenBackend {
    if let backend = opened[name] { return backend }
    try Restriction.current.check(backend: name, in: configuration)
    guard let configuration = configuration(of: name) else {
      throw UsageError(
        "unknown backend \"\(name)\"",
        hint: SpellingSuggestion.suggestion(for: name, among: names).map { "did you mean \($0)?" } ?? backendNames)
    }
    _ = try catalog.load(configuration.plugin, for: name)
    if !configuration.isTrusted, rehearsal == nil {
      note?("\(name) is a backend in \(configuration.file), which is not trusted; its address is \(configuration.url)")
    }
    let backend = try OpenBackend(
      configuration, catalog: catalog, connector: connector, blanking: blanking, state: stateFolder, traffic: traffic,
      changes: changes)
    opened[name] = backend
    return backend
  }

  /// Returns whether a backend was already opened.
  func isOpen(_ name: String) -> Bool { opened[name] != nil }

  /// Takes down what the current command works on: what its failures and the log name.
  func work(on target: Target) { place = (target.backend, target.path) }

  /// The same for a backend as such.
  func work(on backend: OpenBackend) { place = (backend, nil) }

  /// Returns the target of the current command, once.
  func takePlace() -> (backend: OpenBackend, path: ResourcePath?)? {
    defer { place = nil }
    return place
  }

  // MARK: Changes, which the session applies

  func choose(_ current: Current?) { self.current = current }

  func add(_ backend: BackendConfiguration) { configuration.backends.append(backend) }

  func reopen(_ backend: OpenBackend) { opened[backend.configuration.name] = backend }

  /// Has a backend be opened anew, by another configuration.
  func replace(_ backend: BackendConfiguration) {
    opened[backend.name] = nil
    guard let place = configuration.backends.firstIndex(where: { $0.name == backend.name }) else { return }
    configuration.backends[place] = backend
  }

  func remove(_ name: String) {
    configuration.backends.removeAll { $0.name == name }
    opened[name] = nil
    if current?.backend == name { current = nil }
  }
}
