import BackendClient
import BackendKit
import ConsoleSetup
import Files
import Synchronization

/// The data about backends and records that is available without a request, so that completion can be instant.
///
/// A session adds what it uses and shows; any thread may read. Missing data is looked up in the background.
final class CompletionContext: Sendable {
  enum Lookup: Hashable {
    /// The description of a backend by its adapter.
    case description(String)
    /// The resources that the server of a backend reports.
    case resources(String)
    /// Some records of a resource, for their identifiers.
    case records(String, ResourcePath)
    case laws

    var asksNoServer: Bool {
      switch self {
      case .description, .laws: true
      case .resources, .records: false
      }
    }
  }

  struct State {
    var configurations: [BackendConfiguration] = []
    var current: Targets.Current?
    var queries: [String: NamedQuery] = [:]
    var settings = [(name: String, value: String, help: String)]()
    var opened: [String: OpenBackend] = [:]
    var descriptions: [String: BackendDescription] = [:]
    var identifiers: [String: SeenIdentifiers] = [:]
    var shownList: ShownList?
    /// The variables, with their members.
    var variables: [String: [String]] = [:]
    var environment: [String] = []
    /// The laws of the conformance suite, once it is open.
    var laws: [ConformanceLaw] = []
    var judge: ConsoleContext.Judge?
    /// The fields of shown records by resource, with some of their values.
    var fields: [String: SeenFields] = [:]
    /// The lookups made: one that failed is not repeated.
    var done: Set<Lookup> = []
    /// The lookups in progress, and those that failed.
    var running: Set<Lookup> = []
    var failed: Set<Lookup> = []
  }

  private let state = Mutex(State())
  private let catalog: PluginCatalog
  private let connector: any Connector
  private let blanking: Blanking
  private let executor: (any TaskExecutor)?

  init(catalog: PluginCatalog, connector: any Connector, blanking: Blanking, executor: (any TaskExecutor)?) {
    self.blanking = blanking
    self.catalog = catalog
    self.connector = connector
    self.executor = executor
  }

  var now: State { state.withLock(\.self) }

  func learn(_ change: (inout State) -> Void) { state.withLock { change(&$0) } }

  /// Adds the identifiers of records; `isSeen` is true for records that were shown.
  func learn(_ records: [Record], of backend: String, _ path: ResourcePath, isSeen: Bool = true) {
    let named = records.filter { $0.id?.isSole != true }
    let name = "\(backend)/\(path)"
    state.withLock {
      $0.identifiers[name, default: SeenIdentifiers()].add(named, isSeen: isSeen)
      $0.fields[name, default: SeenFields()].add(records, blanking)
    }
  }

  /// Starts lookups and waits for them, blocking the calling thread for at most this time; later results are there at
  /// the next key press. False if nothing new arrived in time.
  func find(_ lookups: Set<Lookup>, within milliseconds: Int) -> Bool {
    let new = state.withLock { state in
      let new = lookups.subtracting(state.done)
      state.done.formUnion(new)
      state.running.formUnion(new)
      return new
    }
    guard !new.isEmpty else { return false }
    let done = Semaphore()
    Task(executorPreference: executor) {
      for lookup in new {
        let isFound = await self.find(lookup)
        self.state.withLock { state in
          state.running.remove(lookup)
          if !isFound { state.failed.insert(lookup) }
        }
      }
      done.signal()
    }
    return done.wait(milliseconds: milliseconds)
  }

  /// Returns whether any of the lookups are in progress, and whether any failed.
  func progress(of lookups: Set<Lookup>) -> (isPending: Bool, hasFailed: Bool) {
    state.withLock { (!$0.running.isDisjoint(with: lookups), !$0.failed.isDisjoint(with: lookups)) }
  }

  /// Resets the lookups made, so that they are repeated.
  func refresh() {
    state.withLock {
      $0.done.removeAll()
      $0.failed.removeAll()
    }
  }

  private func find(_ lookup: Lookup) async -> Bool {
    // A failed lookup leaves nothing to complete; the command that needs it reports the reason.
    switch lookup {
    case .description(let name):
      guard let client = client(name), let known = try? await client.describe(.known) else { return false }
      state.withLock { if $0.descriptions[name] == nil { $0.descriptions[name] = known } }
    case .resources(let name):
      guard let client = client(name), let live = try? await client.describe(.live) else { return false }
      state.withLock { $0.descriptions[name] = live }
    case .records(let name, let path):
      let request = ListRequest(ListQuery(path, pageSize: 50), limit: 50)
      let sink = RecordSink { records throws(BackendError) in
        self.learn(records, of: name, path, isSeen: false)
        return .more
      }
      guard let summary = try? await client(name)?.list(request, to: sink) else { return false }
      if summary.isWhole {
        state.withLock { $0.identifiers["\(name)/\(path)", default: SeenIdentifiers()].isWhole = true }
      }
    case .laws:
      guard let judge = state.withLock({ $0.judge }), let laws = try? judge().laws else { return false }
      state.withLock { $0.laws = laws }
    }
    return true
  }

  private func client(_ name: String) -> Client? {
    if let backend = state.withLock({ $0.opened[name] }) { return backend.client }
    // To an address from an untrusted configuration, no request is sent before a command has named the backend.
    guard let configuration = state.withLock({ $0.configurations.first { $0.name == name } }), configuration.isTrusted,
      // The Tab key must not start a program.
      !catalog.isProgram(configuration.plugin),
      let backend = try? OpenBackend(configuration, catalog: catalog, connector: connector, blanking: blanking)
    else { return nil }
    state.withLock { $0.opened[name] = backend }
    return backend.client
  }
}

extension CompletionContext.State {
  /// The resource that a word names, or the current one; nil if none is named or known.
  func target(_ text: String?) -> (backend: String, path: ResourcePath)? {
    guard let text else { return current.flatMap { current in place(current.backend, current.path) } }
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    if configurations.contains(where: { $0.name == parts[0] }) {
      let rest = parts.dropFirst().filter { !$0.isEmpty }
      return rest.isEmpty ? place(parts[0], nil) : path(Array(rest), parts[0]).map { (parts[0], $0) }
    }
    guard let current, descriptions[current.backend]?.hasResource(named: parts[0]) == true else { return nil }
    return path(parts, current.backend).map { (current.backend, $0) }
  }

  private func path(_ segments: [String], _ backend: String) -> ResourcePath? {
    guard let typed = descriptions[backend].flatMap({ TypedPath(segments, in: $0) }) else {
      return ResourcePath(segments.joined(separator: "/"))
    }
    return typed.id == nil ? typed.path : nil
  }

  private func place(_ backend: String, _ path: ResourcePath?) -> (backend: String, path: ResourcePath)? {
    if let path { return (backend, path) }
    if current?.backend == backend, let path = current?.path { return (backend, path) }
    if let name = configurations.first(where: { $0.name == backend })?.resource, let path = ResourcePath(name) {
      return (backend, path)
    }
    guard let names = descriptions[backend]?.names, names.count == 1 else { return nil }
    return (backend, ResourcePath(name: names[0]))
  }
}

extension ListSummary {
  /// True if the page certainly has all records.
  fileprivate var isWhole: Bool { next == nil && !isCut && doubt == nil && unreadableCount == 0 }
}
