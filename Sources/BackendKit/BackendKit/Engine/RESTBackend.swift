/// The one backend of every REST service: what a ``Service`` says, carried out.
///
/// It makes the requests, reads the pages and the records, compares what came back with what was sent, and says what a
/// failure means. It sends nothing again and settles nothing: the HTTP client and the client do that, for every backend.
public struct RESTBackend: Backend {
  let service: Service
  let exchange: any HTTPExchange
  let memory = EngineMemory()

  /// A backend of a service that is reached through an exchange.
  public init(_ service: Service, over exchange: any HTTPExchange) {
    self.service = service
    self.exchange = exchange
  }

  /// Reads one record; below an owner, only one that belongs to it.
  public func get(_ id: RecordID, from resource: ResourcePath) async throws(BackendError) -> Record {
    let place = try place(resource)
    try place.require(.get)
    let record = try await read(id, place)
    if let owner = place.owner, let field = owner.fact.field, RecordID(record.fields[field]) != owner.id {
      throw BackendError(.notFound, "there is no record \(id)", effect: .rejected)
    }
    return record
  }

  /// Reads one record, and asks for these of its fields only where the service can be asked so.
  public func get(
    _ id: RecordID, from resource: ResourcePath, fields: [FieldPath]
  ) async throws(BackendError) -> Record {
    let place = try place(resource)
    // Below an owner the field that names the owner is looked at, too.
    guard place.owner == nil, let projection = place.resource.projection, projection.isForRecords,
      let names = projection.names(fields, place.resource)
    else { return try await get(id, from: resource) }
    try place.require(.get)
    return try await read(id, place, choosing: (projection.parameter, names.joined(separator: ",")))
  }
}

// MARK: Reading

extension RESTBackend {
  /// Reads a record of a resource, whoever owns it. A `fresh` one is asked of the server itself, and is `bare` where it is
  /// going to be sent back.
  func read(
    _ id: RecordID, _ place: Place, isFresh: Bool = false, isBare: Bool = false,
    choosing fields: (String, String)? = nil
  ) async throws(BackendError) -> Record {
    let resource = place.resource
    let parameters = (fields.map { [$0] } ?? []) + (isBare ? [] : resource.parameters)
    var request = HTTPRequest(
      "GET", try path(id, resource, resource.path), query: parameters, headers: readingHeaders, effect: .read)
    if isFresh { request.headers.append(("Cache-Control", "no-cache")) }
    let answer = try await exchange.send(request)
    guard answer.isSuccess else { throw await failure(answer, of: request, place, id) }
    var record = try await answer.reading { () throws(BackendError) in
      let document = id.isSole ? try await soleDocument(answer, resource) : try await answer.body.json()
      return try decode(document, resource, answer)
    }
    record.id = id.isSole ? id : record.id ?? id
    guard isSame(record.id, id, resource) else {
      // A service that tells identifiers apart without case finds another record where there is none.
      guard let other = record.id, other.text.lowercased() == id.text.lowercased() else {
        throw .answeredWith(record.id)
      }
      throw BackendError(.notFound, "there is no record \(id)", effect: .rejected, hint: "there is \(other)")
    }
    return record
  }

  /// The document of the one record of a resource. One that turns out to be a list is given up at once.
  private func soleDocument(
    _ answer: HTTPResponse, _ resource: Service.Resource
  ) async throws(BackendError) -> Value {
    guard resource.identifier.isOptional else { return try await answer.body.json() }
    let list = BackendError(
      .invalid, "\(resource.name) has many records", effect: .rejected,
      hint: "add an identifier, or list \(resource.name)")
    var reader = JSONReader(items: .at([[]]))
    do {
      while let piece = try await answer.body.next() {
        _ = try reader.feed(piece)
        if reader.foundItems { throw list }
      }
      return try reader.finish()
    } catch let error as BackendError {
      throw error
    } catch { throw BackendError(.badResponse, "the response is not valid JSON: \(error)", effect: .rejected) }
  }

  /// The record with this identifier; nil where there is none.
  func find(_ id: RecordID, _ place: Place) async throws(BackendError) -> Record? {
    do { return try await read(id, place, isFresh: true) } catch {
      if error.code == .notFound { return nil }
      throw error
    }
  }

  /// The record in the document that a response to anything but a list consists of.
  func decode(
    _ document: Value, _ resource: Service.Resource, _ answer: HTTPResponse
  ) throws(BackendError) -> Record {
    guard let value = document.at(resource.recordAt) else {
      throw BackendError(
        .badResponse, "the response has no \(resource.recordAt.joined(separator: "."))", effect: .rejected)
    }
    return try record(value, resource, inList: false, answer)
  }

  /// The record in a JSON value, alone in a response or one of a list.
  func record(
    _ value: Value, _ resource: Service.Resource, inList: Bool, _ answer: HTTPResponse?
  ) throws(BackendError) -> Record {
    if let decode = service.hooks.decode {
      var record = try decode(value, resource, inList)
      record.revision = resource.revision?.read(record, answer)
      return record
    }
    guard let fields = resource.shape.fields(of: value, resource) else {
      throw BackendError(.badResponse, "the server has a \(value.kind) instead of a record", effect: .rejected)
    }
    var record = Record(id: resource.identifier.field.flatMap { RecordID(fields[$0]) }, fields: fields)
    record.revision = resource.revision?.read(record, answer)
    return record
  }

  /// Whether a response names the record that was asked for.
  func isSame(_ found: RecordID?, _ id: RecordID, _ resource: Service.Resource) -> Bool {
    found == id || id.isSole || (resource.ignoresIdentifierCase && found?.text.lowercased() == id.text.lowercased())
  }
}

// MARK: Requests

extension RESTBackend {
  /// Headers of a request that reads.
  var readingHeaders: [(String, String)] { service.headers + service.readingHeaders }

  /// The path of a record below one of its resource's paths.
  func path(_ id: RecordID, _ resource: Service.Resource, _ base: RequestPath) throws(BackendError) -> RequestPath {
    if let complaint = resource.identifier.complaint(about: id) { throw .invalid(complaint) }
    if id.isSole { return base }
    let segments = try service.hooks.locate?(id, resource) ?? [id.text]
    return try RequestPath(segments: base.segments + segments)
  }

  /// A request that sends fields of a record.
  func write(
    _ method: String, _ path: RequestPath, _ fields: Object, of id: RecordID? = nil, _ resource: Service.Resource,
    effect: EffectMark
  ) -> HTTPRequest {
    let document = service.hooks.wrap?(fields, id, resource) ?? resource.shape.document(fields, of: id, resource)
    return send(document, method, path, effect: effect)
  }

  /// A request that sends a document.
  func send(_ document: Value, _ method: String, _ path: RequestPath, effect: EffectMark) -> HTTPRequest {
    var body: [UInt8] = []
    JSONWriter.write(document, to: &body)
    return HTTPRequest(
      method, path, headers: service.headers + [("Content-Type", service.contentType)], body: body, effect: effect)
  }
}
