/// The one backend of every REST service: what a ``Service`` says, carried out.
///
/// It makes the requests, reads the pages and the records, compares what came back with what was sent, and says what a
/// failure means. It sends nothing again and settles nothing: the HTTP client and the client do that, for every backend.
public struct RESTBackend: Backend {
  let service: Service
  let exchange: any HTTPExchange
  let memory = EngineMemory()
  private(set) var options = CallOptions()

  /// A backend of a service that is reached through an exchange.
  public init(_ service: Service, over exchange: any HTTPExchange) {
    self.service = service
    self.exchange = exchange
  }

  /// Throws `notFound` for a record that does not belong to the owner in the path. One that does not show its owner
  /// belongs to the one in its address.
  func checkOwner(of record: Record, _ id: RecordID, _ place: ResourceTarget) throws(BackendError) {
    guard let owner = place.owner, let field = owner.fact.field else { return }
    let shown = record.fields[field]
    guard RecordID(shown) != owner.id, shown != nil || !place.addressNamesOwner else { return }
    throw BackendError(.notFound, "not found", effect: .rejected)
  }

  /// The same backend, with the same memory.
  public func with(_ options: CallOptions) -> RESTBackend {
    var backend = self
    backend.options = options
    return backend
  }

  /// Reads one record, and asks for these of its fields only where the service can be asked so; below an owner, only one
  /// that belongs to it.
  public func get(
    _ id: RecordID, from resource: ResourcePath, fields: [FieldPath]?, embedding names: [String]
  ) async throws(BackendError) -> Record {
    let place = try place(resource)
    try place.require(.get)
    var sent = try place.resource.embedded(names)
    // Below an owner the field that names the owner is looked at, too.
    if place.owner == nil, let (projection, _, chosen) = fields.flatMap(place.resource.projected),
      projection.isForRecords
    {
      sent += chosen
    }
    let record = try await read(id, place, choosing: sent)
    try checkOwner(of: record, id, place)
    return record
  }
}

// MARK: Reading

extension RESTBackend {
  /// Reads a record of a resource, whoever owns it. A `fresh` one is asked of the server itself, and is `bare` where it is
  /// going to be sent back.
  func read(
    _ id: RecordID, _ place: ResourceTarget, isFresh: Bool = false, isBare: Bool = false,
    choosing fields: [(String, String)] = []
  ) async throws(BackendError) -> Record {
    try await readWhole(id, place, isFresh: isFresh, isBare: isBare, choosing: fields).record
  }

  /// The same with the object around the fields, if a member of the record holds them.
  func readWhole(
    _ id: RecordID, _ place: ResourceTarget, isFresh: Bool = false, isBare: Bool = false,
    choosing fields: [(String, String)] = []
  ) async throws(BackendError) -> (record: Record, around: Object?) {
    let resource = place.resource
    var around: Object?
    // A parameter of the request replaces the usual parameter of the same name.
    let usual = (isBare ? resource.updating?.reading ?? [] : resource.parameters)
      .filter { usual in !fields.contains { $0.0 == usual.0 } }
    let request = request(
      "GET", try address(id, place), resource, query: fields + usual,
      headers: isFresh ? [("Cache-Control", "no-cache")] : [], isItem: true, effect: .read)
    let answer = try await send(request, resource)
    guard answer.isSuccess else { throw await failure(answer, of: request, place, id) }
    var record: Record
    do {
      record = try await answer.reading { () throws(BackendError) in
        let document = id.isSole ? try await soleDocument(answer, resource) : try await itemDocument(answer, resource)
        if let refusal = refusal(in: document, answer, request, place, id) { throw refusal }
        if resource.wrapping != nil { around = document.at(any: resource.recordAt)?.object }
        return try decode(document, resource, answer, isBare: isBare)
      }
    } catch {
      // An identifier of slashes and dots alone leads to something else than a record.
      let leadsElsewhere = error.code == .badResponse && !id.isSole && id.text.unicodeScalars.allSatisfy(Self.isLost)
      guard error == .gone || leadsElsewhere else { throw error }
      let message = BackendError.message("not found", answer.status, saying: nil)
      throw BackendError(.notFound, message, effect: .rejected, httpStatus: answer.status)
    }
    if record.id == nil, fields.isEmpty, resource.isForeign(record.fields) {
      throw BackendError(
        .badResponse, "the response has no field of \(resource.name)", effect: .rejected,
        hint: "it may be an error with the status \(answer.status)")
    }
    record.id = id.isSole ? id : record.id ?? id
    if !isBare { resource.name(&record, id) }
    guard isSame(record.id, id, resource) else {
      // A service that reads identifiers generously finds another record where there is none: another case, a number spelled
      // otherwise, a slash at the end.
      guard let other = record.id, Self.isSpelling(id.text, of: other.text) else { throw .answeredWith(record.id) }
      throw BackendError(.notFound, "not found", effect: .rejected, hint: "there is \(other)")
    }
    return (record, around)
  }

  /// Reads the record before a write of an identifier that a service may take for another one: something is around it that may not count
  /// (a slash, a dot, a blank, a zero before a number), or it is none of those that the resource seems to have. Throws where there is no
  /// such record.
  func checkSpelling(of id: RecordID, _ place: ResourceTarget) async throws(BackendError) {
    let ends = [id.text.unicodeScalars.first, id.text.unicodeScalars.last].compactMap(\.self)
    var rule = place.resource.identifier
    rule.likely = []
    let isNumber = Int64(id.text).map { String($0) != id.text } ?? false
    guard ends.contains(where: Self.isLost) || isNumber || rule.complaint(about: id) != nil else { return }
    _ = try await read(id, place)
  }

  /// Returns whether a service may drop this character from the beginning or end of an identifier.
  private static func isLost(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isWhitespace || "/.;?#".unicodeScalars.contains(scalar)
  }

  /// Returns whether a text is another spelling of an identifier: the same except for case, leading zeros or `+`, and
  /// characters at its ends that an address may lose.
  private static func isSpelling(_ text: String, of id: String) -> Bool {
    func plain(_ text: String) -> Substring {
      var rest = text.lowercased()[...]
      while let first = rest.unicodeScalars.first, first == "0" || first == "+" || isLost(first) {
        rest.unicodeScalars.removeFirst()
      }
      while let last = rest.unicodeScalars.last, isLost(last) { rest.unicodeScalars.removeLast() }
      return rest
    }
    return plain(text) == plain(id)
  }

  /// The document of a record. Throws ``BackendError/gone`` where the service says so by nothing in its place.
  private func itemDocument(
    _ answer: HTTPResponse, _ resource: Service.Resource
  ) async throws(BackendError) -> Value {
    guard resource.missing.isEmpty else { return try await answer.body.json() }
    guard let document = try await answer.body.jsonIfAny() else { throw .gone }
    let found = document.at(any: resource.recordAt) ?? .null
    if found == .null || found.array?.isEmpty == true || found.object?.isEmpty == true { throw .gone }
    return document
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
  func find(_ id: RecordID, _ place: ResourceTarget) async throws(BackendError) -> Record? {
    do { return try await read(id, place, isFresh: true) } catch {
      if error.code == .notFound { return nil }
      throw error
    }
  }

  /// Returns whether the identifier in a response is that of the requested record.
  func isSame(_ found: RecordID?, _ id: RecordID, _ resource: Service.Resource) -> Bool {
    found == id || id.isSole || (resource.ignoresIdentifierCase && found?.text.lowercased() == id.text.lowercased())
  }
}

// MARK: Requests

extension RESTBackend {
  /// Sends a request, as fast and as often as the service allows.
  func send(_ request: HTTPRequest, _ resource: Service.Resource) async throws(BackendError) -> HTTPResponse {
    guard resource.limits.perSecond != nil || resource.limits.concurrent != nil else {
      return try await exchange.send(request)
    }
    await memory.pace.enter(resource.limits.concurrent)
    defer { memory.pace.leave() }
    if let rate = resource.limits.perSecond, rate > 0 {
      do { try await memory.pace.wait(Duration.seconds(1) / rate) } catch {
        throw BackendError(.cancelled, "stopped before anything was sent", effect: .notSent)
      }
    }
    return try await exchange.send(request)
  }
}
