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
  /// The orders of resources in which their lists were not, although they were asked for: they are made here.
  let unordered = Mutex<Set<String>>([])
  /// The resources whose totals were seen to respect conditions.
  let respectful = Mutex<Set<ResourcePath>>([])
  private let tried = Mutex<[String: Bool]>([:])
  let exchange: (any HTTPExchange)?
  /// The limits on the cost of a list that is read whole.
  let budget: ListBudget
  /// Applied to each description of the backend before it is used.
  let adapt: @Sendable (BackendDescription) -> BackendDescription
  let descriptions = Mutex<[DescriptionDepth: KnownDescription]>([:])
  /// Descriptions learned from a first record, by name of the resource.
  let samples = Mutex<[String: ResourceDescription]>([:])

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

  /// Runs an operation of the adapter with a log of its attempts. The effect that it reports is limited to what the
  /// attempts prove, and its error has the status of the last response.
  func logged<Success: Sendable>(
    _ operation: () async throws(BackendError) -> Success
  ) async throws(BackendError) -> Success {
    // An enclosing log keeps counting the attempts.
    let log = AttemptLog(AttemptLog.current?.tell)
    let result: Result<Success, BackendError> = await AttemptLog.$current.withValue(log) {
      do throws(BackendError) { return .success(try await operation()) } catch { return .failure(error) }
    }
    do { return try result.get() } catch {
      var error = error
      if error.effect != .notSent { error.httpStatus = error.httpStatus ?? log.status }
      let effect = log.bounded(error.effect)
      guard effect != error.effect else { throw error }
      error.effect = effect
      guard effect == .unknown else { throw error }
      if log.isOpen, error.code != .cancelled {
        error.code = .unavailable
        error.message = "no response to a request that may have reached the server; after that: \(error.message)"
      }
      error.hint = "check the record before retrying"
      throw error
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
