/// Reads single records of a resource.
struct RecordReader: ResourceWork {
  let place: ResourceTarget

  /// Reads a record; below an owner, only one that belongs to it.
  func readOwned(_ id: RecordID, choosing fields: [(String, String)] = []) async throws(BackendError) -> Record {
    let record = try await read(id, choosing: fields)
    try place.checkOwner(of: record)
    return record
  }

  /// Reads a record of any owner. A `fresh` one bypasses caches.
  func read(
    _ id: RecordID, isFresh: Bool = false, choosing fields: [(String, String)] = []
  ) async throws(BackendError) -> Record {
    try await readWhole(id, isFresh: isFresh, choosing: fields).record
  }

  /// Reads a record with the object around its fields, if these are nested. A `bare` one will be sent back.
  func readWhole(
    _ id: RecordID, isFresh: Bool = false, isBare: Bool = false, choosing fields: [(String, String)] = []
  ) async throws(BackendError) -> (record: Record, around: Object?) {
    guard resource.readsItems || id.isSole else { return (try await listed(id), nil) }
    var around: Object?
    // A parameter of the request replaces the usual parameter of the same name.
    let usual = (isBare ? resource.updating?.reading ?? [] : resource.parameters)
      .filter { usual in !fields.contains { $0.0 == usual.0 } }
    var address = try place.address(id)
    address.query += fields + usual
    let request = place.request(
      "GET", address, headers: isFresh ? [("Cache-Control", "no-cache")] : [], isItem: true, effect: .read)
    let answer = try await place.read(request, id)
    var record: Record
    do {
      record = try await answer.reading { () throws(BackendError) in
        let document = id.isSole ? try await soleDocument(answer) : try await itemDocument(answer)
        if let refusal = place.failures.refusal(in: document, answer, request, id) { throw refusal }
        if resource.wrapping != nil { around = document.at(any: resource.recordAt)?.object }
        let record: Record
        do throws(BackendError) { record = try decode(document, answer, isBare: isBare) } catch {
          throw (id.isSole ? nil : place.failures.undeclaredRefusal(in: document, answer, request)) ?? error
        }
        if record.id == nil, fields.isEmpty {
          if !id.isSole, let refusal = place.failures.undeclaredRefusal(in: document, answer, request) { throw refusal }
          if resource.isForeign(record.fields) {
            throw BackendError.badResponse(
              "the response has no field of \(resource.name)",
              hint: "it may be an error with the status \(answer.status)")
          }
        }
        return record
      }
    } catch {
      // An identifier of only slashes and dots leads to something other than a record.
      let leadsElsewhere = error.code == .badResponse && !id.isSole && id.text.unicodeScalars.allSatisfy(Self.isLost)
      guard error == .gone || leadsElsewhere else { throw error }
      let message = BackendError.message("not found", answer.status, saying: nil)
      throw BackendError(.notFound, message, effect: .rejected, httpStatus: answer.status)
    }
    record.id = id.isSole ? id : record.id ?? id
    if !isBare { resource.name(&record, id) }
    guard resource.isSame(record.id, id) else {
      // A lenient service finds another record if there is none: in another case, with a number spelled differently,
      // with a slash at the end.
      guard let other = record.id, Self.isSpelling(id.text, of: other.text) else { throw .answeredWith(record.id) }
      throw BackendError(.notFound, "not found", effect: .rejected, hint: "there is \(other)")
    }
    return (record, around)
  }

  /// Finds a record in the list, if single ones cannot be read.
  private func listed(_ id: RecordID) async throws(BackendError) -> Record {
    guard resource.hasList else { throw .unsupported("\(resource.name) cannot be read") }
    var cursor: Cursor?
    repeat {
      let page = BufferedPage()
      let end = try await place.backend.list(ListQuery(place.path), at: cursor, to: page.sink)
      if let found = await page.records.first(where: { resource.isSame($0.id, id) }) { return found }
      cursor = end.next
    } while cursor != nil
    throw BackendError(.notFound, "not found in the list", effect: .rejected)
  }

  /// Reads the record before a write if the service may confuse its identifier with another: it has characters at its
  /// ends that may not count (a slash, a dot, a space, a leading zero), or the resource seems not to have it. Throws if
  /// there is no such record.
  func checkSpelling(of id: RecordID) async throws(BackendError) {
    let ends = [id.text.unicodeScalars.first, id.text.unicodeScalars.last].compactMap(\.self)
    var rule = resource.identifier
    rule.likely = []
    let isNumber = Int64(id.text).map { String($0) != id.text } ?? false
    guard ends.contains(where: Self.isLost) || isNumber || rule.complaint(about: id) != nil else { return }
    _ = try await read(id)
  }

  /// Returns whether a service may strip this character from the ends of an identifier.
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

  /// The document of a record. Throws ``BackendError/gone`` if the service sends nothing instead.
  private func itemDocument(_ answer: HTTPResponse) async throws(BackendError) -> Value {
    guard resource.missing.isEmpty else { return try await answer.body.json() }
    guard let document = try await answer.body.jsonIfAny() else { throw .gone }
    let found = document.at(any: resource.recordAt) ?? .null
    if found == .null || found.array?.isEmpty == true || found.object?.isEmpty == true { throw .gone }
    return document
  }

  /// The document of a singleton. If it turns out to be a list, reading stops at once.
  private func soleDocument(_ answer: HTTPResponse) async throws(BackendError) -> Value {
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
    } catch { throw .badResponse("the response is not valid JSON: \(error)") }
  }

  /// The record with this identifier; nil if there is none.
  func find(_ id: RecordID) async throws(BackendError) -> Record? {
    do { return try await read(id, isFresh: true) } catch {
      if error.code == .notFound { return nil }
      throw error
    }
  }

  /// Returns whether a record exists: by a read and, if that finds none, by a list.
  func presence(of id: RecordID) async -> Presence {
    await place.backend.presence(in: place.path) { () async throws(BackendError) in try await read(id, isFresh: true) }
  }

  /// The record in the response to a successful write; nil if it is optional and missing.
  func written(_ answer: HTTPResponse, mayBeNothing: Bool) async throws(BackendError) -> Record? {
    guard mayBeNothing else { return try decode(try await answer.body.json(), answer) }
    guard let document = try await answer.body.jsonIfAny(), document != .null else { return nil }
    return try decode(document, answer)
  }
}

extension Service.Resource {
  /// Returns whether the identifier in a response is that of the requested record.
  func isSame(_ found: RecordID?, _ id: RecordID) -> Bool {
    found == id || id.isSole || (ignoresIdentifierCase && found?.text.lowercased() == id.text.lowercased())
  }
}
