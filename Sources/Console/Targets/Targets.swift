import BackendKit
import CommandLanguage
import ConsoleOutput
import ConsoleSetup
import ConsoleSystem

/// The available targets of a session. Only a ``SessionChange`` changes it.
final class Targets {
  /// The choice of `use`: a backend, and a resource once that is known.
  struct Current: Sendable {
    var backend: String
    var path: ResourcePath?
  }

  private(set) var configuration: Configuration
  private(set) var current: Current?
  private(set) var opened: [String: OpenBackend] = [:]
  /// The backends given by plugin and address, as typed.
  private var adHoc: [String: BackendConfiguration] = [:]
  /// The target of the current command; without a path, the whole backend.
  private var place: (backend: OpenBackend, path: ResourcePath?)?
  var command: CommandShape?
  /// The command's name, for failures.
  var verb: String? { command?.name }
  /// Receives notes about a backend when it is first used.
  var note: ((String) -> Void)?
  let catalog: PluginCatalog
  let connector: any Connector
  let rehearsal: Rehearsal?
  /// The preview in which writes are planned; nil where they are sent.
  let preview: ScriptPreview?
  /// The bounds of each call of an assistant; nil for people and scripts.
  private let limits: CallLimits?
  /// The state of the lists that `watch` repeats.
  let changes = ListChanges()
  private let blanking: Blanking
  private let traffic: Traffic
  private let stateFolder: String?

  /// Creates the targets of a configuration, with its default backend chosen. Backends are opened when first used.
  init(
    _ configuration: Configuration, catalog: PluginCatalog, connector: any Connector, blanking: Blanking,
    traffic: Traffic = Traffic(), rehearsal: Rehearsal? = nil, preview: ScriptPreview? = nil,
    limits: CallLimits? = nil, stateFolder: String? = nil
  ) {
    self.configuration = configuration
    self.catalog = catalog
    self.connector = connector
    self.blanking = blanking
    self.traffic = traffic
    self.rehearsal = rehearsal
    self.preview = preview
    self.limits = limits
    self.stateFolder = stateFolder
    current = configuration.defaultBackend.map { Current(backend: $0) }
  }

  /// A hint with the names of the configured backends, or with the way to add one.
  var backendNames: String { names.isEmpty ? Self.beginning : "backends: \(NameList.text(names))" }

  /// A hint to check an address, completed with the command that changes it.
  func completed(_ hint: String?, _ backend: String?) -> String? {
    guard let hint, hint.hasPrefix("check the "), let range = hint.firstRange(ofText: "address") else { return hint }
    let command = backend.flatMap { isConfigured($0) ? "backends edit \($0)" : nil } ?? "add ADDRESS"
    return "\(hint[..<range.upperBound]) (`\(command)`)\(hint[range.upperBound...])"
  }

  /// The advice without a configured backend.
  static let beginning = "connect a service with `add ADDRESS`, or try the demo with `use demo:grails`"

  /// The error of a command that needs a current backend.
  var noBackend: UsageError {
    names.isEmpty
      ? UsageError("no backend is configured", hint: Self.beginning)
      : UsageError("no backend is selected", hint: "select one with `use BACKEND`; \(backendNames)")
  }

  func isConfigured(_ name: String) -> Bool { names.contains(name) }

  private var names: [String] { configuration.backends.map(\.name) }

  /// The configuration of a backend, including those given by an address in this session.
  func configuration(of name: String) -> BackendConfiguration? {
    configuration.backends.first { $0.name == name } ?? adHoc[name]
  }

  /// The name of the backend that a word gives by plugin and address; nil for other words.
  func adHocBackend(_ text: String) -> String? {
    if adHoc[text] == nil { adHoc[text] = BackendConfiguration.adHoc(text) }
    return adHoc[text]?.name
  }

  /// The backend with this name, opened at its first use.
  func open(_ name: String) throws -> OpenBackend {
    try limits?.check(backend: name)
    if let backend = opened[name] { return backend }
    try Restriction.current.check(backend: name, in: configuration)
    guard let configuration = configuration(of: name) else {
      throw UsageError("unknown backend \"\(name)\"", name, among: names, else: backendNames)
    }
    _ = try catalog.load(configuration.plugin, for: name)
    if !configuration.isTrusted, rehearsal == nil {
      note?("\(name) is a backend in \(configuration.file), which is not trusted; its address is \(configuration.url)")
    }
    let backend = try OpenBackend(
      configuration, catalog: catalog, connector: connector, blanking: blanking, state: stateFolder, traffic: traffic,
      changes: changes, planned: preview?.makeRecords(), hidesSecrets: limits != nil)
    opened[name] = backend
    return backend
  }

  func isOpen(_ name: String) -> Bool { opened[name] != nil }

  /// True if nothing more can be done: the preview has ended, or the call of an assistant has used up its bounds.
  var isOver: Bool { preview?.end != nil || limits?.isSpent == true }

  /// Sets the target of the current command, for its failures and the log.
  func work(on target: Target) { place = (target.backend, target.path) }

  func work(on backend: OpenBackend) { place = (backend, nil) }

  /// Returns the target of the current command, and resets it.
  func takePlace() -> (backend: OpenBackend, path: ResourcePath?)? {
    defer { place = nil }
    return place
  }

  // MARK: Changes, which the session applies

  func choose(_ current: Current?) { self.current = current }

  func add(_ backend: BackendConfiguration) { configuration.backends.append(backend) }

  func reopen(_ backend: OpenBackend) { opened[backend.configuration.name] = backend }

  /// Replaces a configuration, so that the backend is opened again.
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

/// The properties of a command that determine which of its words is the target.
struct CommandShape: Sendable {
  let name: String
  let arguments: [Argument]
  let writesRecords: Bool

  func takes(_ kind: WordKind) -> Bool { arguments.contains { $0.kind == kind } }
}
