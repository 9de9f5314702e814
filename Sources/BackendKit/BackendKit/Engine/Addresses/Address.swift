/// The target of a request: a path, and a condition that narrows it to one record.
struct Address: Sendable {
  var path: RequestPath
  var query: [(String, String)] = []
}

extension RESTBackend {
  /// Returns the path at which a resource is read, or written.
  func path(of resource: Service.Resource, isWriting: Bool = false) throws(BackendError) -> RequestPath {
    var path = isWriting ? resource.writePath ?? resource.path : resource.path
    if resource.addressing.version == .path, let version = service.apiVersion {
      path = try path.filled(["version": version])
    }
    for part in path.segments { _ = try part.filledWhole([:]) }
    return path
  }

  /// The address of the records meant, below their owner if there is one.
  func address(of place: ResourceTarget, isWriting: Bool = false) throws(BackendError) -> Address {
    guard let owner = place.owner else { return Address(path: try path(of: place.resource, isWriting: isWriting)) }
    return try address(below: owner, place.resource, isWriting: isWriting)
  }

  /// The address at which one of the records meant is read, or written.
  func address(_ id: RecordID, _ place: ResourceTarget, isWriting: Bool = false) throws(BackendError) -> Address {
    let owner = place.owner.flatMap { owner in owner.fact.field.map { ($0, owner.id.text) } }
    return try address(id, place.resource, isWriting: isWriting, owner: owner)
  }

  /// The address at which a record is read, or written; `owner` is the field that names the owner, and its value.
  func address(
    _ id: RecordID, _ resource: Service.Resource, isWriting: Bool = false, owner: (field: String, id: String)? = nil
  ) throws(BackendError) -> Address {
    if let complaint = resource.identifier.complaint(about: id) { throw .invalid(complaint) }
    see(id, resource)
    let base = try path(of: resource, isWriting: isWriting)
    if id.isSole { return Address(path: base) }
    if let locate = service.hooks.locate { return Address(path: try base.appending(try locate(id, resource))) }
    if resource.addressing.item == .below { return Address(path: try base.appending([id.text])) }
    guard let parts = resource.parts(of: id) else {
      throw .invalid("\"\(id)\" is not an identifier of \(resource.name)", hint: resource.namingHint)
    }
    var values = owner.map { [$0.field: $0.id] } ?? [:]
    values["id"] = id.text
    for (name, value) in parts { values[name] = value }
    switch resource.addressing.item {
    case .below: return Address(path: base)
    case .key:
      let keys = parts.map { name, value in
        (name: parts.count > 1 ? name : nil, value: resource.key(name, value))
      }
      return Address(path: base.keyed(by: keys))
    case .root: return Address(path: try RequestPath(segments: id.text.split(separator: "/").map(String.init)))
    case .template(let text):
      let isMissing = { (field: String) in values[field] == nil && text.contains(text: "{\(field)}") }
      if let missing = resource.owners.first(where: { $0.field.map(isMissing) == true }) {
        throw .invalid(
          "the path of a record of \(resource.name) includes its record of \(missing.resource)",
          hint: "write \(missing.resource)/ID/\(resource.name) \(id)")
      }
      let halves = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
      let segments = try halves[0].split(separator: "/").map { part throws(BackendError) in
        try String(part).filledWhole(values)
      }
      let pairs = halves.dropFirst().flatMap { $0.split(separator: "&") }
      return Address(
        path: try RequestPath(segments: segments),
        query: try pairs.map { pair throws(BackendError) in
          let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
          return (String(sides[0]), try sides.count > 1 ? String(sides[1]).filledWhole(values) : "")
        })
    case .filter(let text): return Address(path: base, query: parts.map { ($0, text.filled(["value": $1])) })
    }
  }

  /// Returns the address to which a write of a record is sent: its own, or that of its resource.
  func address(writing id: RecordID, _ place: ResourceTarget, atResource: Bool) throws(BackendError) -> Address {
    let own = try address(id, place, isWriting: true)
    return atResource ? Address(path: try path(of: place.resource, isWriting: true)) : own
  }

  /// Returns the address of the records of an owner.
  func address(
    below owner: (fact: Service.Owner, resource: Service.Resource, id: RecordID), _ resource: Service.Resource,
    isWriting: Bool = false
  ) throws(BackendError) -> Address {
    let above = try address(owner.id, owner.resource)
    if let parameter = owner.fact.parameter {
      return Address(path: try path(of: resource, isWriting: isWriting), query: [(parameter, owner.id.text)])
    }
    guard above.query.isEmpty else {
      throw .unsupported("\(resource.name) cannot be found below a record of \(owner.resource.name)")
    }
    return Address(path: try above.path.appending(owner.fact.path ?? [resource.path.segments.last ?? resource.name]))
  }

  /// A request with what goes with every one of a resource.
  func request(
    _ method: String, _ address: Address, _ resource: Service.Resource, query: [(String, String)] = [],
    headers: [(String, String)] = [], body: [UInt8]? = nil, isItem: Bool = false, effect: RequestEffect
  ) -> HTTPRequest {
    let addressing = resource.addressing
    let isEnded = addressing.suffix.isEmpty || !address.path.suffix.isEmpty
    let path = isEnded ? address.path : address.path.ending(in: addressing.suffix)
    var fields = service.headers
    if effect == .read { fields.put(service.readingHeaders) }
    fields.put(resource.headers)
    if effect == .read { fields.put(resource.readingHeaders) }
    if isItem { fields.put(resource.itemHeaders) }
    var query = address.query + query
    switch (addressing.version, service.apiVersion) {
    case (.header(let name)?, let version?): fields.put([(name, version)])
    case (.accept(let type)?, let version?): fields.put([("Accept", type.filled(["version": version]))])
    case (.parameter(let name)?, let version?): query.append((name, version))
    default: break
    }
    fields.put(headers)
    return HTTPRequest(method, path, query: query, headers: fields, body: body, effect: effect)
  }
}

extension [(String, String)] {
  /// Adds header fields, each in the place of one of the same name.
  fileprivate mutating func put(_ fields: [(String, String)]) {
    guard !fields.isEmpty else { return }
    let names = Set(fields.map { $0.0.lowercased() })
    removeAll { names.contains($0.0.lowercased()) }
    self += fields
  }
}

extension Service.Resource {
  /// A value as OData writes it in a key.
  fileprivate func key(_ name: String, _ value: String) -> String {
    let kind = fields.named(name)?.kind
    let isNumber = identifier.form == .integer || kind == .integer || kind == .number
    if isNumber, Number(value) != nil { return value }
    return "'\(value.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''"))'"
  }

  /// A hint at the form of an identifier; nil if any text is one.
  var namingHint: String? {
    let parts = identifier.parts.map { $0.uppercased() }
    return parts.isEmpty ? nil : "it is written \(parts.joined(separator: identifier.separator))"
  }
}
