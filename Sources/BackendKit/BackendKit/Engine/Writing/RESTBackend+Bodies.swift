extension RESTBackend {
  /// The request that makes a record.
  func request(
    creating draft: Service.Draft, _ place: ResourceTarget, _ creating: Service.Creating, _ files: [FileInField] = []
  ) throws(BackendError) -> HTTPRequest {
    let resource = place.resource
    let chosen = resource.identify(.object(draft.fields), draft.fields)
    guard chosen != nil || !(creating.isAtItem || creating.extras.namesRecord) else {
      throw .invalid(
        "a new record of \(resource.name) needs its identifier", hint: "add \(resource.identifier.field ?? "id")=…")
    }
    var address = Address(path: try path(of: resource, isWriting: true))
    if let owner = place.owner, owner.fact.createsBelow {
      address = try self.address(below: owner, resource, isWriting: true)
    } else if creating.isAtItem, let chosen {
      address = try self.address(chosen, place, isWriting: true)
    }
    address.path = try address.path.appending(creating.extras.path, of: chosen, draft.fields)
    var fields = draft.fields
    if !creating.sendsNull { for (name, value) in fields.members where value == .null { fields[name] = nil } }
    for name in creating.dropped { fields[name] = nil }
    var headers = creating.extras.headers
    if let header = creating.idempotencyKey { headers.append((header, options.creationKey ?? RandomText.make())) }
    let (query, members) = creating.extras.naming(chosen, resource)
    return try send(
      try document(fields, of: nil, resource, in: creating.wrapping).adding(members), creating.body, creating.method,
      address, resource, query: query, headers: headers, effect: .write, files, in: creating.wrapping)
  }

  /// The request that changes a record.
  func request(
    changing sent: Service.Draft, _ method: String, _ address: Address, of id: RecordID, _ resource: Service.Resource,
    _ updating: Service.Updating, around: Object? = nil, replaces: Bool, at revision: String?,
    _ files: [FileInField] = []
  ) throws(BackendError) -> HTTPRequest {
    var fields = sent.fields
    var headers = updating.extras.headers
    let (named, members) = updating.extras.naming(id, resource)
    var query = named
    resource.revision?.insist(on: revision, &headers, &query, &fields)
    var document = try document(fields, of: id, resource, in: updating.wrapping, around: around).adding(members)
    if !replaces, files.isEmpty {
      switch updating.form {
      case .fields: break
      case .mergePatch: headers.append(("Content-Type", "application/merge-patch+json"))
      case .jsonPatch:
        headers.append(("Content-Type", "application/json-patch+json"))
        document = sent.operations(resource.written(fields))
      }
    }
    var address = address
    address.path = try address.path.appending(updating.extras.path, of: id, sent.fields)
    return try send(
      document, updating.body, method, address, resource, query: query, headers: headers, isItem: true,
      effect: updating.isRepeatable ? .repeatableWrite : .write, files, in: updating.wrapping)
  }

  /// The request that deletes a record. It is not repeated: a second response could not tell what was deleted from what
  /// never was, or was made anew.
  func request(
    deleting id: RecordID, _ place: ResourceTarget, _ deleting: Service.Deleting, at revision: String?
  ) throws(BackendError) -> HTTPRequest {
    let resource = place.resource
    var address = try self.address(writing: id, place, atResource: deleting.isAtResource)
    address.path = try address.path.appending(deleting.extras.path, of: id, Object())
    var (headers, none) = (deleting.extras.headers, Object())
    var query = deleting.extras.naming(id, resource).parameters
    resource.revision?.insist(on: revision, &headers, &query, &none)
    let (texts, whole) = resource.values(naming: id)
    return try send(
      deleting.body?.filled(texts, whole: whole), .json, deleting.method, address, resource, query: query,
      headers: headers, isItem: true, effect: .write)
  }

  /// The document that sends fields of a record.
  private func document(
    _ fields: Object, of id: RecordID?, _ resource: Service.Resource, in wrapping: [String]?, around: Object? = nil
  ) throws(BackendError) -> Value {
    let fields = resource.written(fields)
    if let form = resource.wrapping, isAsRead(wrapping, resource) { return form.wrapped(fields, in: around) }
    let wrapping = wrapping ?? []
    guard let wrap = service.hooks.wrap else {
      let document = resource.shape.document(fields, of: id, resource) { name in
        service.resources.first { $0.name == name }?.recordType ?? name
      }
      return document.wrapped(in: wrapping)
    }
    return try wrap(fields, id, resource).wrapped(in: wrapping)
  }

  /// Returns whether fields are written in the form in which a record is read.
  func isAsRead(_ wrapping: [String]?, _ resource: Service.Resource) -> Bool {
    guard let form = resource.wrapping, service.hooks.wrap == nil, resource.shape == .plain else { return false }
    return wrapping == nil || wrapping == form.member
  }

  /// A request that sends a document, or nothing.
  func send(
    _ document: Value?, _ form: Service.BodyForm, _ method: String, _ address: Address, _ resource: Service.Resource,
    query: [(String, String)] = [], headers: [(String, String)] = [], isItem: Bool = false, effect: RequestEffect,
    _ files: [FileInField] = [], in wrapping: [String]? = nil
  ) throws(BackendError) -> HTTPRequest {
    guard files.isEmpty else {
      let pairs = try FormPairs.of(document ?? .object(Object()))
      let form = MultipartForm(pairs, files.map { ($0.part(in: wrapping ?? []), $0.file) })
      var request = request(
        method, address, resource, query: query, headers: [("Content-Type", form.contentType)] + headers,
        isItem: isItem, effect: effect)
      (request.content, request.isLong) = (form.body, true)
      return request
    }
    guard let document else {
      return request(
        method, address, resource, query: query, headers: headers, isItem: isItem, effect: effect)
    }
    var body: [UInt8] = []
    var type = resource.contentType ?? service.contentType
    switch form {
    case .json: JSONWriter.write(document, to: &body)
    case .form:
      type = "application/x-www-form-urlencoded"
      body = Array(PercentEncoding.form(try FormPairs.of(document)).utf8)
    }
    return request(
      method, address, resource, query: query,
      headers: (headers.contains { $0.0 == "Content-Type" } ? [] : [("Content-Type", type)]) + headers, body: body,
      isItem: isItem, effect: effect)
  }
}

extension FileInField {
  /// The name of its part of a form, the other fields of which are members of members.
  fileprivate func part(in wrapping: [String]) -> String {
    if case .form(let part?)? = fact.upload { return part }
    let names = wrapping + [field]
    return names[0] + names.dropFirst().map { "[\($0)]" }.joined()
  }
}

extension RequestPath {
  /// The path with more parts, in which `{id}` is the identifier and `{FIELD}` a field of the record.
  fileprivate func appending(_ more: [String], of id: RecordID?, _ fields: Object) throws(BackendError) -> RequestPath {
    var values: [String: String] = [:]
    for (name, value) in fields.members { values[name] = value.plain }
    values["id"] = id?.text ?? values["id"]
    return try appending(try more.map { part throws(BackendError) in try part.filledWhole(values) })
  }
}

extension Service.Revision {
  /// Makes a write insist on a revision.
  func insist(
    on revision: String?, _ headers: inout [(String, String)], _ query: inout [(String, String)], _ fields: inout Object
  ) {
    guard let revision else { return }
    switch sending {
    case .header(let name): headers.append((name, revision))
    case .parameter(let name): query.append((name, revision))
    case .field(let name): fields[name] = Number(revision).map { .number($0) } ?? .string(revision)
    }
  }

  /// Returns whether a request insists on a revision.
  func isInsisted(by request: HTTPRequest) -> Bool {
    switch sending {
    case .header(let name): request.headers.contains { $0.0.lowercased() == name.lowercased() }
    case .parameter(let name): request.query.contains { $0.0 == name }
    case .field(let name): request.body.flatMap { try? JSONReader.read($0) }?.has(name) == true
    }
  }
}

extension Value {
  /// Returns whether an object has a member, alone or within what holds its fields.
  fileprivate func has(_ name: String) -> Bool {
    object?.members.contains { $0.0 == name && $0.1 != .null || $0.1.object?[name] != nil } == true
  }
}

extension Service.Draft {
  /// The operations of a JSON Patch that make the changes.
  fileprivate func operations(_ fields: Object) -> Value {
    func pointer(_ name: String) -> Value {
      .string("/" + name.map { $0 == "~" ? "~0" : $0 == "/" ? "~1" : String($0) }.joined())
    }
    let sets = fields.members.map { name, value -> Value in
      .object(Object([("op", "add"), ("path", pointer(name)), ("value", value)]))
    }
    return .array(sets + removed.map { .object(Object([("op", "remove"), ("path", pointer($0))])) })
  }
}

/// Texts that nobody has used before.
enum RandomText {
  /// 32 hexadecimal digits.
  static func make() -> String {
    var source = SystemRandomNumberGenerator()
    return (0..<2).map { _ in String(hex: source.next(), digits: 16) }.joined()
  }
}
