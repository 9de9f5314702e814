public import BackendKit
import Synchronization

/// A backend as commands use it: one meaning for every verb, whatever the adapter's server can do.
///
/// It validates before anything is sent, plans, pages, re-checks, filters, sorts and projects, and puts names to
/// errors, once for all adapters.
public final class Client: Sendable {
  /// The backend's name in the configuration.
  public let name: String
  let backend: any Backend
  /// The lists that are requested again once they have changed; nil where nobody waits for changes.
  let changes: ListChanges?
  /// The origin of the backend, from which more like it are prepared over exchanges that send nothing; nil if only the
  /// backend is known.
  let origin: PreparedBackend?
  /// The reads that are sent before their turn.
  let ahead = Mutex(ReadAhead())
  /// The records as they were seen last, with their revisions.
  let versions = Mutex(SeenVersions())
  /// The files that writes may send, by their digests.
  let uploads = Mutex<[String: UploadedFile]>([:])
  /// The fields that records are known to have although the descriptions of their resources lack them, by resource.
  let accepted = Mutex<[String: Set<String>]>([:])
  private let tried = Mutex<[String: Bool]>([:])
  let exchange: (any HTTPExchange)?
  /// The limits on the cost of a list that is read whole.
  let budget: ListBudget
  /// Turns a description of the backend into the one that is used.
  private let adapt: @Sendable (BackendDescription) -> BackendDescription
  private let descriptions = Mutex<[DescriptionDepth: KnownDescription]>([:])
  /// Resources of which a first record was read, by name.
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

  /// A client of a prepared backend over an exchange; others of it, over exchanges that send nothing, tell what it
  /// refuses by itself. Each description of the backend is passed through `adapt` before it is used. Its lists wait for
  /// `changes`.
  public init(
    name: String, exchange: any HTTPExchange, budget: ListBudget = ListBudget(),
    changes: ListChanges? = nil, adapt: @escaping @Sendable (BackendDescription) -> BackendDescription = { $0 },
    prepared: PreparedBackend
  ) {
    self.name = name
    self.exchange = exchange
    self.adapt = adapt
    self.budget = budget
    self.changes = changes
    var options = CallOptions()
    options.changes = changes
    self.backend = prepared.attach(exchange).with(options)
    self.origin = prepared
  }

  // MARK: Descriptions

  /// Describes the backend. What was learnt is kept; `refresh` asks again.
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

  /// Forgets what was learnt, so that the next command asks again.
  func forgetDescriptions() {
    descriptions.withLock { $0 = [:] }
    samples.withLock { $0 = [:] }
  }

  /// A resource with what was learnt of it from the server; nil if nothing was.
  public func learnt(_ name: String) -> ResourceDescription? {
    descriptions.withLock { $0[.live] }?.description.resource(named: name) ?? samples.withLock { $0[name] }
  }

  /// The description of the resource at a path; asks the server only where the adapter cannot know it.
  public func resource(_ path: ResourcePath) async throws(BackendError) -> ResourceDescription {
    try await known(path).resource
  }

  /// The same, and the resource with the proved facts of its fields only; nil if it has no others.
  func known(
    _ path: ResourcePath
  ) async throws(BackendError) -> (resource: ResourceDescription, proved: ResourceDescription?) {
    var all = try await kept(.known)
    var found = all.resource(named: path.name)
    if found == nil, path.parent == nil, let tried = all.description.resource(trying: path.name) {
      found = (resource: tried, proved: tried.proved)
    } else if found == nil, all.description.isOpen, all.description.others == nil {
      all = try await kept(.live)
      found = all.resource(named: path.name)
    }
    guard var found else {
      let names = all.description.resources.map(\.name)
      let nearest = SpellingSuggestion.suggestion(for: path.name, among: names).map { "did you mean \($0)?" }
      throw named(
        BackendError(
          .notFound, "unknown resource \"\(path.name)\"", effect: .notSent,
          hint: nearest ?? (names.isEmpty ? nil : "resources: \(names.joined(separator: ", "))")), nil, path)
    }
    if let parent = path.parent {
      let owner = all.description.resource(named: parent.resource)
      guard let owner, owner.children.contains(path.name) else {
        let children = owner?.children.joined(separator: ", ") ?? ""
        throw named(
          BackendError(
            .notFound, "unknown resource \"\(path.name)\" below \(parent.resource)", effect: .notSent,
            hint: children.isEmpty ? nil : "resources below it: \(children)"), nil, path)
      }
      do { try check(parent.id, owner) } catch { throw named(error, nil, path, parent.id) }
      if let below = found.resource.capabilities.operationsBelow {
        found.resource.capabilities.operations = below
        found.proved?.capabilities.operations = below
      }
    }
    return found
  }

  /// Returns whether a resource is described without a request.
  func hasDescribed(_ path: ResourcePath) -> Bool {
    descriptions.withLock { $0[.known] }?.resource(named: path.name) != nil
  }

  /// The path with the names of resources spelled as the backend spells them.
  public func spelled(_ path: ResourcePath) async throws(BackendError) -> ResourcePath {
    let places = path.parts.indices.filter { $0.isMultiple(of: 2) }
    var description = try await describe(.known)
    if description.isOpen, description.others == nil,
      places.contains(where: { description.resource(named: path.parts[$0]) == nil })
    {
      description = try await describe(.live)
    }
    var parts = path.parts
    for place in places { parts[place] = description.resource(named: parts[place])?.name ?? parts[place] }
    return ResourcePath(parts: parts) ?? path
  }

  func check(_ id: RecordID, _ resource: ResourceDescription) throws(BackendError) {
    if let complaint = resource.identifier.complaint(about: id) {
      throw .invalid(complaint)
    }
  }

  func require(_ operation: Capabilities.Operation, _ resource: ResourceDescription) throws(BackendError) {
    guard resource.capabilities.operations.contains(operation) else {
      if operation == .list, resource.identifier.form == .none {
        throw .unsupported(
          "\(resource.name) of \(name) is one record, not a list", hint: "get \(resource.name) shows it")
      }
      if !resource.identifier.namesRecords, [.get, .update, .delete].contains(operation) {
        throw .unsupported(
          "\(name) cannot \(operation.words) a record of \(resource.name): its records have no identifier",
          hint: "list \(resource.name) shows them")
      }
      if operation == .get, resource.capabilities.operations.contains(.list) {
        throw .unsupported(
          "\(name) has no path to a single record of \(resource.name)",
          hint: "list \(resource.name) shows the records; set paths: item in the description")
      }
      if resource.capabilities.operationsBelow?.contains(operation) == true {
        throw .unsupported(
          "\(name) cannot \(operation.words) \(resource.name) without the record that owns them",
          hint: "write OWNER/ID/\(resource.name)")
      }
      throw .unsupported("\(name) cannot \(operation.words) \(resource.name)")
    }
  }

  /// The error with the names of what was tried.
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
  /// Looks for a list under a name that no description has, by one request for its first record.
  ///
  /// False only if the service has nothing there, or an object that is no list. Throws what else the request meets: an
  /// error is no answer.
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
  /// The operation as people say it.
  public var words: String {
    switch self {
    case .deleteAll: "delete all of"
    default: rawValue
    }
  }
}

extension Client {
  /// Sends a request of the operator's own, past the adapter, and collects the response, whatever its status.
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

  /// Throws where an operation is not offered, so that nobody is asked in vain.
  public func check(_ operation: Capabilities.Operation, of resource: ResourceDescription) throws(BackendError) {
    do { try require(operation, resource) } catch {
      throw named(error, operation.rawValue, ResourcePath(name: resource.name))
    }
  }

  /// Throws where the backend cannot delete every record of a resource, so that nobody is asked in vain.
  public func canDeleteAll(_ resource: ResourceDescription) throws(BackendError) {
    do { try require(.deleteAll, resource) } catch {
      throw named(error, "delete", ResourcePath(name: resource.name))
    }
  }
}
