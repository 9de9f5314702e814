public import BackendKit
import Synchronization

/// A backend as commands use it: every operation means the same, whatever the server can do.
///
/// It validates before anything is sent, plans, pages, checks again, filters, sorts, projects and names errors, once
/// for all adapters.
public final class Client: Sendable {
  /// The backend's name in the configuration.
  public let name: String
  let backend: any Backend
  /// The lists that wait for changes before they are requested again; nil if nobody waits.
  let changes: ListChanges?
  /// The origin of the backend, from which backends over other exchanges are prepared; nil if there is only the
  /// backend.
  let origin: PreparedBackend?
  /// The reads that were sent ahead.
  let ahead = Mutex(ReadAhead())
  /// The last seen version of each record, with its revision.
  let versions = Mutex(SeenVersions())
  /// The files that writes may send, by digest.
  let uploads = Mutex<[String: UploadedFile]>([:])
  /// Fields that records have although their descriptions lack them, by resource.
  let accepted = Mutex<[String: Set<String>]>([:])
  /// The identifiers that several records had in the last list of a resource, with the number of these.
  let shared = Mutex<[ResourcePath: [RecordID: Int]]>([:])
  private let tried = Mutex<[String: Bool]>([:])
  let exchange: (any HTTPExchange)?
  /// The limits on the cost of a list that is read whole.
  let budget: ListBudget
  /// Applied to each description of the backend before it is used.
  private let adapt: @Sendable (BackendDescription) -> BackendDescription
  private let descriptions = Mutex<[DescriptionDepth: KnownDescription]>([:])
  /// Descriptions learned from a first record, by name of the resource.
  private let samples = Mutex<[String: ResourceDescription]>([:])

  /// A client of a backend.
  public init(name: String, backend: any Backend, budget: ListBudget = ListBudget()) {
    self.name = name
    self.backend = backend
    origin = nil
    exchange = nil
    changes = nil
    adapt = { $0 }
    self.budget = budget
  }

  /// A client of a prepared backend over an exchange. Writes are checked by other backends from the same origin, which
  /// send nothing. `adapt` is applied to each description of the backend before it is used. Its lists wait for
  /// `changes`. With `planned`, writes are added to these instead of being sent, and reads see them.
  public init(
    name: String, exchange: any HTTPExchange, budget: ListBudget = ListBudget(),
    changes: ListChanges? = nil, adapt: @escaping @Sendable (BackendDescription) -> BackendDescription = { $0 },
    planned: PlannedRecords? = nil, prepared: PreparedBackend
  ) {
    self.name = name
    self.exchange = exchange
    self.adapt = adapt
    self.budget = budget
    self.changes = changes
    var options = CallOptions()
    options.changes = changes
    let backend = prepared.attach(exchange).with(options)
    self.backend = planned.map { LayeredBackend(base: backend, records: $0) } ?? backend
    self.origin = prepared
  }

  /// Those of some identifiers that several records had in the last list of the resource, with the number of these.
  public func sharedIdentifiers(among ids: [RecordID], in path: ResourcePath) -> [RecordID: Int] {
    shared.withLock { shared in
      guard let counts = shared[path], !counts.isEmpty else { return [:] }
      let wanted = Set(ids)
      return counts.filter { wanted.contains($0.key) }
    }
  }

  // MARK: Descriptions

  /// Describes the backend. The result is cached; `refresh` asks the server again.
  public func describe(_ depth: DescriptionDepth, refresh: Bool = false) async throws(BackendError)
    -> BackendDescription
  {
    try await kept(depth, refresh: refresh).description
  }

  private func kept(_ depth: DescriptionDepth, refresh: Bool = false) async throws(BackendError) -> KnownDescription {
    if !refresh, let kept = descriptions.withLock({ $0[depth] }) { return kept }
    do throws(BackendError) {
      let known = KnownDescription(
        adapt(try await logged { [backend] () throws(BackendError) in try await backend.describe(depth) }))
      descriptions.withLock { $0[depth] = known }
      return known
    } catch { throw named(error, "describe") }
  }

  /// Discards the cached descriptions, so that the next command asks again.
  public func forgetDescriptions() {
    descriptions.withLock { $0 = [:] }
    samples.withLock { $0 = [:] }
  }

  /// A resource with what was learned of it from the server; nil if nothing was.
  public func learnt(_ name: String) -> ResourceDescription? {
    descriptions.withLock { $0[.live] }?.description.resource(named: name) ?? samples.withLock { $0[name] }
  }

  /// The description of the resource at a path. Asks the server only for what the adapter cannot know.
  public func resource(_ path: ResourcePath) async throws(BackendError) -> ResourceDescription {
    try await known(path).resource
  }

  /// The description of the resource at a path, and the same with its proved facts only; the latter is nil if all are
  /// proved.
  func known(
    _ path: ResourcePath
  ) async throws(BackendError) -> (resource: ResourceDescription, proved: ResourceDescription?) {
    let depth = path.parts.count / 2 + 1
    var all = try await kept(.known)
    var along = all.description.resources(along: path)
    if along.isEmpty, depth == 1, let tried = all.description.resource(trying: path.name) {
      return (resource: tried, proved: tried.proved)
    }
    if along.count < depth, all.description.isOpen, all.description.others == nil {
      all = try await kept(.live)
      along = all.description.resources(along: path)
      // A service may not show what it has.
      if along.isEmpty, depth == 1, let tried = all.description.resource(trying: path.name) {
        return (resource: tried, proved: tried.proved)
      }
    }
    guard along.count == depth, let last = along.last, var found = all.resource(named: last.name) else {
      throw named(unknown(path.parts[along.count * 2], below: along.last, in: all.description), nil, path)
    }
    for (place, owner) in along.dropLast().enumerated() {
      let id = RecordID(path.parts[place * 2 + 1])
      do throws(BackendError) {
        try check(id, owner)
        guard owner.identifier.segments == 1 || owner.identifier.values(of: id) != nil else {
          throw .invalid(
            "\"\(id)\" does not identify a record of \(owner.name)",
            hint: "write \(name)/\(all.description.form(below: owner))")
        }
      } catch { throw named(error, nil, path, id) }
    }
    guard depth > 1 else { return found }
    if let first = along.first, first.isOnlyBelow, let form = all.description.form(of: last.name) {
      throw named(
        .unsupported("\(first.name) are below the records that own them", hint: "write \(name)/\(form)"), nil, path)
    }
    if let below = found.resource.capabilities.operationsBelow {
      found.resource.capabilities.operations = below
      found.proved?.capabilities.operations = below
    }
    return found
  }

  private func unknown(
    _ name: String, below owner: ResourceDescription?, in description: BackendDescription
  ) -> BackendError {
    // One that the description names cannot be read.
    do throws(BackendError) {
      _ = try description.outlined?.content(of: owner.map { $0.child(named: name) ?? "" } ?? name)
    } catch { return error }
    let below = owner?.children.map { owner?.shortName(of: $0) ?? $0 } ?? []
    let hint =
      below.isEmpty
      ? SpellingSuggestion.hint(for: name, among: description.names)
      : SpellingSuggestion.hint(for: name, among: below, as: "resources below it")
    return BackendError(
      .notFound, "unknown resource \"\(name)\"\(owner.map { " below \($0.name)" } ?? "")", effect: .notSent, hint: hint)
  }

  /// Returns whether a resource can be described without a request.
  func hasDescribed(_ path: ResourcePath) -> Bool {
    descriptions.withLock { $0[.known] }?.description.resource(at: path) != nil
  }

  /// Returns whether only a document describes the resource at a path, as far as known. Only a command that names such a
  /// resource reads it.
  public func isOutlined(_ path: ResourcePath) -> Bool {
    descriptions.withLock { $0[.known] }?.description.isOutlined(path) ?? false
  }

  /// The place of a list as commands name it, if only a document describes the resource; nil of others.
  public func outlined(_ path: ResourcePath, _ resource: ResourceDescription) -> String? {
    let isOutlined = descriptions.withLock { $0[.known] }?.isOutlined(resource) ?? false
    return isOutlined ? "\(name)/\(path)" : nil
  }

  /// The path with the names of resources spelled as the backend spells them.
  public func spelled(_ path: ResourcePath) async throws(BackendError) -> ResourcePath {
    var description = try await describe(.known)
    if description.isOpen, description.others == nil, description.resource(at: path) == nil {
      description = try await describe(.live)
    }
    return description.spelled(path)
  }

  func check(_ id: RecordID, _ resource: ResourceDescription) throws(BackendError) {
    if let complaint = resource.identifier.complaint(about: id) {
      throw .invalid(complaint)
    }
  }

  func require(_ operation: Capabilities.Operation, _ resource: ResourceDescription) throws(BackendError) {
    guard resource.capabilities.operations.contains(operation) else {
      let below = resource.capabilities.operationsBelow
      let form = descriptions.withLock { $0[.known] }?.description.form(of: resource.name)
      let place = "\(name)/\(below == nil ? resource.name : form ?? "OWNER/ID/\(resource.name)")"
      let isListed = resource.capabilities.operations.contains(.list)
      if !resource.identifier.namesRecords, [.get, .update, .delete].contains(operation) {
        throw .unsupported(
          "\(name) cannot \(operation.words) a record of \(resource.name): its records have no identifier",
          hint: isListed ? "list \(place) shows them" : nil)
      }
      if operation == .get, isListed {
        throw .unsupported(
          "\(name) has no path to a single record of \(resource.name)",
          hint: "list \(place) shows the records; set paths: item in the description")
      }
      if below?.contains(operation) == true {
        throw .unsupported(
          "\(name) cannot \(operation.words) \(resource.name) without the record that owns them",
          hint: "write \(place)")
      }
      throw .unsupported("\(name) cannot \(operation.words) \(resource.name)")
    }
  }

  /// Adds the backend, resource and operation to an error.
  func named(
    _ error: BackendError, _ operation: String?, _ resource: ResourcePath? = nil, _ id: RecordID? = nil
  ) -> BackendError {
    var error = error
    error.operation = error.operation ?? operation
    error.backend = error.backend ?? name
    error.resource = error.resource ?? resource?.description
    error.id = error.id ?? id?.text
    return error
  }
}

extension Client {
  /// Looks for a list under a name that no description has, by requesting its first record.
  ///
  /// False only if the service has nothing there, or an object that is not a list. Any other error is thrown.
  public func hasList(_ name: String) async throws(BackendError) -> Bool {
    if let known = tried.withLock({ $0[name] }) { return known }
    let path = ResourcePath(name: name)
    let isThere: Bool
    do throws(BackendError) {
      _ = try await list(ListRequest(ListQuery(path, pageSize: 1), limit: 1), to: RecordSink { _ in .enough })
      isThere = true
    } catch {
      if error.code == .badResponse {
        // A service's root, for example, is one object. Anything else that cannot be read stays the error that it is.
        guard (try? await backend.get(.sole, from: path)) != nil else { throw error }
      } else if error.code != .notFound {
        throw error
      }
      isThere = false
    }
    tried.withLock { $0[name] = isThere }
    return isThere
  }

  /// Looks for a record whose absence would prove something: `gone` only if the service responds normally otherwise.
  public func presence(of id: RecordID, in path: ResourcePath) async -> Presence {
    forgetReadAhead()
    let found = await backend.presence(of: id, in: path)
    guard case .unclear(let error) = found else { return found }
    return .unclear(named(error, "get", path, id))
  }

  /// Describes a resource that is not known beforehand by its first record; returns any other unchanged. Throws if
  /// there is no resource of that name.
  public func sampled(_ resource: ResourceDescription) async throws(BackendError) -> ResourceDescription {
    guard resource.source == .unknown, resource.fields.isEmpty,
      try await describe(.known).resource(named: resource.name) == nil
    else { return resource }
    let path = ResourcePath(name: resource.name)
    do throws(BackendError) {
      let sampled = try await backend.sampled(resource, passingOver: [])
      samples.withLock { $0[resource.name] = sampled }
      return sampled
    } catch {
      guard error.code == .badResponse, resource.identifier.isOptional,
        let record = try? await backend.get(.sole, from: path)
      else { throw named(error, "describe", path) }
      return resource.single(sample: record)
    }
  }
}

extension Capabilities.Operation {
  /// The operation in words.
  public var words: String {
    switch self {
    case .deleteAll: "delete all of"
    default: rawValue
    }
  }
}

extension Client {
  /// Sends a user's own request, bypassing the adapter, and collects the response, whatever its status.
  public func send(_ request: HTTPRequest) async throws(BackendError) -> (answer: HTTPResponse, body: [UInt8]) {
    guard let exchange else { throw named(.unsupported("\(name) does not send requests"), "request") }
    do throws(BackendError) {
      if request.effect != .read { forgetReadAhead() }
      return try await logged { () throws(BackendError) in
        let answer = try await exchange.send(request)
        return (answer, try await answer.body.collect())
      }
    } catch { throw named(error, "request") }
  }

  /// Throws if an operation is not available, before the user is asked to confirm it.
  public func check(_ operation: Capabilities.Operation, of resource: ResourceDescription) throws(BackendError) {
    do { try require(operation, resource) } catch {
      throw named(error, operation.rawValue, ResourcePath(name: resource.name))
    }
  }

  /// Throws if the backend cannot delete all records of a resource, before the user is asked to confirm it.
  public func canDeleteAll(_ resource: ResourceDescription) throws(BackendError) {
    do { try require(.deleteAll, resource) } catch {
      throw named(error, "delete", ResourcePath(name: resource.name))
    }
  }
}
