public import BackendKit
import Synchronization

/// The adapter of a ``ReferenceServer``, which keeps every law with any capabilities.
public final class ReferenceBackend: Backend {
  private let resources: [InMemoryResource]
  private let exchange: any HTTPExchange
  private let product: String?
  private let apiVersion: String?
  /// The findings about writes of resources for which the adapter did not know, by name.
  private let found = Mutex<[String: Capabilities.Writes]>([:])

  /// Creates an adapter for a server with these resources.
  public init(
    _ resources: [InMemoryResource], exchange: any HTTPExchange, product: String? = "records in memory",
    apiVersion: String? = nil
  ) {
    self.resources = resources
    self.exchange = exchange
    self.product = product
    self.apiVersion = apiVersion
  }

  /// Describes the resources; a live description proves that the server responds.
  public func describe(_ depth: DescriptionDepth) async throws(BackendError) -> BackendDescription {
    if depth == .live {
      let answer = try await ReferenceWire.json(try await answer(to: HTTPRequest("GET", .base, effect: .read)))
      guard answer.object?["resources"]?.array != nil else {
        throw .badResponse("the server does not name its resources")
      }
    }
    var described: [ResourceDescription] = []
    for resource in resources {
      described.removeAll { $0.name == resource.description.name }
      described.append(resource.description)
      described[described.count - 1].capabilities.writes = writes(resource)
      if depth == .live { described[described.count - 1] = try await sampled(described[described.count - 1]) }
    }
    return BackendDescription(product: product, apiVersion: apiVersion, resources: described)
  }

  /// Plans a query. Leaves everything to the client except paging and what ``InMemoryResource/filtering`` claims.
  public func plan(_ query: ListQuery) async throws(BackendError) -> QueryPlan {
    var plan = try resource(query.resource).plan(query)
    // Parts left to the client are not sent.
    var asked = query
    asked.filters = zip(query.filters, plan.filters).filter { $0.1 != .not }.map(\.0)
    if plan.search == .not { asked.search = nil }
    if plan.skip == .not { asked.skip = 0 }
    plan.request = try ReferenceBackend.request(asked, at: nil).summary
    return plan
  }

  /// Sends a page in batches of at most 100 records.
  public func list(_ query: ListQuery, at cursor: Cursor?, to sink: RecordSink) async throws(BackendError) -> PageEnd {
    let declared = try resource(query.resource, .list)
    try declared.checkPlanned(query)
    if let cursor { _ = try InMemoryPage.number(in: cursor, declared.description.capabilities.paging) }
    let answer = try await answer(to: try ReferenceBackend.request(query, at: cursor))
    let size = try declared.plan(query).pageSize
    var count = 0
    var isEnough = false
    let document = try await answer.body.elements(.at([["items"]]), limits: ReferenceWire.limits) {
      (values) throws(BackendError) in
      count += values.count
      guard count <= size ?? .max else {
        throw .badResponse("the server sent more records than fit on a page")
      }
      var rest = try values.map { value throws(BackendError) in try ReferenceBackend.listed(value) }[...]
      while !rest.isEmpty, !isEnough {
        if Task.isCancelled { throw BackendError(.cancelled, "the call was cancelled", effect: .rejected) }
        isEnough = try await sink.send(Array(rest.prefix(100))) == .enough
        rest = rest.dropFirst(100)
      }
      // The end of the page follows the records.
      return .more
    }
    let end = document?.object
    return PageEnd(
      next: end?["next"]?.text.map { Cursor($0) }, total: end?["total"]?.integer,
      pageSize: end?["pageSize"]?.integer)
  }

  /// Reads a complete record.
  public func get(
    _ id: RecordID, from resource: ResourcePath, fields: [FieldPath]?, embedding names: [String]
  ) async throws(BackendError) -> Record {
    guard names.isEmpty else { throw .unsupported("records of \(resource) embed nothing") }
    _ = try self.resource(resource, .get)
    let request = HTTPRequest("GET", try RequestPath(resource.name, id.text), effect: .read)
    return try await record(in: try await answer(to: request), expecting: id)
  }

  /// Creates a record at the end of the list.
  public func create(_ fields: Object, in resource: ResourcePath) async throws(BackendError) -> WriteReceipt {
    let declared = try self.resource(resource, .create)
    try declared.checkNew(fields)
    let request = HTTPRequest(
      "POST", try RequestPath(resource.name), body: ReferenceBackend.body(.object(fields)), effect: .write)
    let receipt = try await receipt(of: request, declared, sent: fields)
    return await settled(receipt, declared) { $0 == nil ? .echoed : .kept }
  }

  /// Updates a record by its changes or by a replacement, depending on the capabilities.
  public func update(
    _ id: RecordID, in resource: ResourcePath, changes: [Change], revision: String?
  ) async throws(BackendError) -> WriteReceipt {
    let declared = try self.resource(resource, .update)
    try declared.check(changes, revision)
    let path = try RequestPath(resource.name, id.text)
    var request = HTTPRequest("PATCH", path, effect: .repeatableWrite)
    request.body = ReferenceBackend.body(ReferenceWire.body(changes))
    var revision = revision
    if declared.description.capabilities.update == .replace {
      let read = try await record(in: try await answer(to: HTTPRequest("GET", path, effect: .read)), expecting: id)
      request.method = "PUT"
      request.body = ReferenceBackend.body(.object(read.fields.changed(changes)))
      // Changes made by others since the read must not be lost.
      revision = revision ?? read.revision
    }
    if let revision { request.headers.append(("If-Match", revision)) }
    let before = writes(declared) == .unknown ? try? await get(id, from: resource).fields : nil
    let set = changes.compactMap { if case .set(let name, let value) = $0 { (name, value) } else { nil } }
    let receipt = try await receipt(of: request, declared, sent: Object(set), expecting: id)
    return await settled(receipt, declared) { after in
      // An update that changes nothing proves nothing.
      guard let before, let after, before.changed(changes) != before else { return .unknown }
      return after.fields == before ? .echoed : .kept
    }
  }

  private static func request(_ query: ListQuery, at cursor: Cursor?) throws(BackendError) -> HTTPRequest {
    HTTPRequest(
      "GET", try RequestPath(query.resource.name), query: ReferenceWire.parameters(query, at: cursor), effect: .read)
  }

  private static func listed(_ value: Value) throws(BackendError) -> Record {
    guard let record = try? Record(wire: value), record.id != nil else {
      throw .badResponse("the response contains a record without an identifier")
    }
    return record
  }

  static func body(_ value: Value) -> [UInt8] { Array(JSONWriter.compact(value).utf8) }
}

extension ReferenceBackend {
  func resource(
    _ path: ResourcePath, _ operation: Capabilities.Operation? = nil
  ) throws(BackendError) -> InMemoryResource {
    guard path.parent == nil, let found = resources.last(where: { $0.description.name == path.name }) else {
      throw BackendError(.notFound, "there is no resource \"\(path)\"", effect: .notSent)
    }
    if let operation, !found.description.capabilities.operations.contains(operation) {
      throw .unsupported("\(path) does not offer \(operation.rawValue)")
    }
    return found
  }

  func receipt(
    of request: HTTPRequest, _ resource: InMemoryResource, sent: Object, expecting id: RecordID? = nil
  ) async throws(BackendError) -> WriteReceipt {
    let answer = try await answer(to: request)
    do throws(BackendError) {
      let record = try Record(wire: try await ReferenceWire.json(answer))
      guard id == nil || record.id == id else { throw .answeredWith(record.id) }
      let altered = sent.members.filter { !(record.fields[$0.0] ?? .null).isSame(as: $0.1) }.map(\.0)
      return WriteReceipt(
        id: record.id, record: record, writes: writes(resource),
        notes: altered.map { "the server returned a different \($0)" })
    } catch {
      var error = error
      // The server reported success, but its response could not be read.
      error.effect = .applied
      throw error
    }
  }

  // MARK: Persistence

  /// Returns whether the server keeps writes, as declared or found.
  func writes(_ resource: InMemoryResource) -> Capabilities.Writes {
    let declared = resource.description.capabilities.writes
    return declared == .unknown ? found.withLock { $0[resource.description.name] ?? .unknown } : declared
  }

  /// Returns a receipt that says whether the write was kept; if possible, reads the record to find out.
  func settled(
    _ receipt: WriteReceipt, _ resource: InMemoryResource, _ judge: (Record?) -> Capabilities.Writes
  ) async -> WriteReceipt {
    guard receipt.writes == .unknown, let id = receipt.id, resource.description.capabilities.operations.contains(.get)
    else { return receipt }
    var receipt = receipt
    do throws(BackendError) {
      receipt.writes = judge(try await get(id, from: ResourcePath(name: resource.description.name)))
    } catch {
      guard error.code == .notFound else { return receipt }
      receipt.writes = judge(nil)
    }
    found.withLock { [receipt] in $0[resource.description.name] = receipt.writes }
    return receipt
  }

  /// The record in a response. Throws `badResponse` if there is none, or another one.
  private func record(in answer: HTTPResponse, expecting id: RecordID) async throws(BackendError) -> Record {
    let value = try await ReferenceWire.json(answer)
    guard let record = try? Record(wire: value), record.id == id else {
      throw .badResponse("the response does not contain the record \(id)")
    }
    return record
  }

  /// Sends a request and returns its response, which must be a success.
  func answer(to request: HTTPRequest) async throws(BackendError) -> HTTPResponse {
    let answer = try await exchange.send(request)
    let isWrite = request.effect != .read
    guard answer.isSuccess else {
      let said = try? await ReferenceWire.json(answer).object?["error"]?.text
      throw BackendError(
        ReferenceWire.code(of: answer.status), said ?? "the server returned \(answer.status)",
        effect: isWrite && answer.status >= 500 ? .unknown : .rejected,
        hint: answer.status == 404 ? "check the backend's address" : nil, cause: request.summary)
    }
    guard answer.status == 204 || answer.header("Content-Type")?.hasPrefix("application/json") == true else {
      throw BackendError(
        .badResponse, "the server's response is not JSON", effect: isWrite ? .unknown : .rejected,
        hint: "check the backend's address", cause: request.summary)
    }
    return answer
  }
}

extension Object {
  func changed(_ changes: [Change]) -> Object {
    var changed = self
    for change in changes {
      switch change {
      case .set(let field, let value): changed[field] = value
      case .unset(let field): changed[field] = nil
      }
    }
    return changed
  }
}
