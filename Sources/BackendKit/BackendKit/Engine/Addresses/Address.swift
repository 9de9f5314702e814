/// The target of a request: a path, and parameters that narrow it to one record.
struct Address: Sendable {
  var path: RequestPath
  var query: [(String, String)] = []
}

extension ResourceTarget {
  /// Returns the path at which the resource is read, or written.
  private func basePath(isWriting: Bool) throws(BackendError) -> RequestPath {
    var path = isWriting ? resource.writePath ?? resource.path : resource.path
    if resource.addressing.version == .path, let version = service.apiVersion {
      path = try path.filled(["version": version])
    }
    for part in path.segments { _ = try part.filledWhole([:]) }
    return path
  }

  /// The address of the collection: below its owner if there is one, unless all records are wanted.
  func address(isWriting: Bool = false, ofAll: Bool = false) throws(BackendError) -> Address {
    guard !ofAll, let owner else { return Address(path: try basePath(isWriting: isWriting)) }
    let above = try owner.place.address(owner.id)
    if let parameter = owner.fact.parameter {
      return Address(path: try basePath(isWriting: isWriting), query: [(parameter, owner.id.text)])
    }
    guard above.query.isEmpty else {
      throw .unsupported("\(resource.name) cannot be found below a record of \(owner.place.resource.name)")
    }
    return Address(path: try above.path.appending(owner.fact.path ?? [resource.path.segments.last ?? resource.name]))
  }

  /// The address for writing a record: its own, or that of its resource.
  func address(writing id: RecordID, atResource: Bool) throws(BackendError) -> Address {
    let own = try address(id, isWriting: true)
    return atResource ? try address(isWriting: true, ofAll: true) : own
  }

  /// The address at which a record is read, or written.
  func address(_ id: RecordID, isWriting: Bool = false) throws(BackendError) -> Address {
    if let complaint = resource.identifier.complaint(about: id) { throw .invalid(complaint) }
    engine.see(id, resource)
    let isBelow = owner?.fact.itemsBelow == true
    let base = isBelow ? try address(isWriting: isWriting).path : try basePath(isWriting: isWriting)
    if id.isSole { return Address(path: base) }
    if let locate = service.hooks.locate { return Address(path: try base.appending(try locate(id, resource))) }
    // Parts with slashes between them are segments below an owner, where no template can name its variables.
    let isDeep = isBelow && resource.identifier.parts.count > 1 && resource.identifier.separator == "/"
    if resource.addressing.item == .below, !isDeep { return Address(path: try base.appending([id.text])) }
    guard let parts = resource.parts(of: id) else {
      throw .invalid("\"\(id)\" is not an identifier of \(resource.name)", hint: resource.namingHint)
    }
    var values: [String: String] = [:]
    if let owner, let field = owner.fact.field { values[field] = owner.id.text }
    values["id"] = id.text
    for (name, value) in parts { values[name] = value }
    switch resource.addressing.item {
    case .below: return Address(path: try base.appending(parts.map(\.text)))
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

  /// A request with the headers of the resource.
  func request(
    _ method: String, _ address: Address, headers: [(String, String)] = [], _ body: RequestBody? = nil,
    isItem: Bool = false, effect: RequestEffect
  ) -> HTTPRequest {
    let addressing = resource.addressing
    let isEnded = addressing.suffix.isEmpty || !address.path.suffix.isEmpty
    let path = isEnded ? address.path : address.path.ending(in: addressing.suffix)
    var fields = service.headers
    if effect == .read { fields.put(service.readingHeaders) }
    fields.put(resource.headers)
    if effect == .read { fields.put(resource.readingHeaders) }
    if isItem { fields.put(resource.itemHeaders) }
    var query = address.query
    switch (addressing.version, service.apiVersion) {
    case (.header(let name)?, let version?): fields.put([(name, version)])
    case (.accept(let type)?, let version?): fields.put([("Accept", type.filled(["version": version]))])
    case (.parameter(let name)?, let version?): query.append((name, version))
    default: break
    }
    fields.put(body?.headers(beside: headers) ?? headers)
    var request = HTTPRequest(method, path, query: query, headers: fields, body: body?.bytes, effect: effect)
    (request.content, request.isLong) = (body?.content, body?.content != nil)
    return request
  }
}

extension [(String, String)] {
  /// Sets header fields, replacing those of the same names.
  fileprivate mutating func put(_ fields: [(String, String)]) {
    guard !fields.isEmpty else { return }
    let names = Set(fields.map { $0.0.lowercased() })
    removeAll { names.contains($0.0.lowercased()) }
    self += fields
  }
}

extension Service.Resource {
  /// A value in the syntax of an OData key.
  fileprivate func key(_ name: String, _ value: String) -> String {
    let kind = fields.named(name)?.kind
    let isNumber = identifier.form == .integer || kind == .integer || kind == .number
    if isNumber, Number(value) != nil { return value }
    return "'\(value.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''"))'"
  }

  /// A hint about the form of identifiers; nil if any text is one.
  var namingHint: String? {
    let parts = identifier.parts.map { $0.uppercased() }
    return parts.isEmpty ? nil : "it is written \(parts.joined(separator: identifier.separator))"
  }
}
