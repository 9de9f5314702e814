import BackendKit

/// The operations that name one record.
enum Addressing: String, Sendable, CaseIterable {
  case get, update, delete

  var operation: Capabilities.Operation {
    switch self {
    case .get: .get
    case .update: .update
    case .delete: .delete
    }
  }
}

extension LawContext {
  /// Returns the outcome of a call that names one record, of this context's adapter or of another.
  func outcome(
    of addressing: Addressing, _ id: RecordID, of backend: any Backend, _ field: Changeable
  ) async -> Result<RecordID?, BackendError> {
    do throws(BackendError) {
      return switch addressing {
      case .get: .success(try await backend.get(id, from: path).id)
      case .update:
        .success(
          try await backend.update(id, in: path, changes: [.set(field.name, field.second)], revision: nil).id)
      case .delete: .success(try await backend.delete(.one(id), from: path).id)
      }
    } catch { return .failure(error) }
  }

  /// Makes a call that names one record over an exchange that sends nothing, and compares its requests with the ID.
  ///
  /// Returns whether anything would have been sent. Such a request could be harmless: it names the record, in one part
  /// of the path, in the query or in the body.
  func addressed(_ addressing: Addressing, _ id: RecordID) async throws(CheckStop) -> Bool {
    let (backend, traffic) = try deadEnd()
    let field = try await changeable()[0]
    let done = "\(addressing.rawValue) of the record \(ValueSimilarity.shown(.string(id.text))) was requested"
    let outcome = await outcome(of: addressing, id, of: backend, field)
    guard traffic.count > 0 else {
      try await expectFailure(done, [.invalid, .notFound, .unsupported], effects: [.notSent], of: outcome.get())
      return false
    }
    for request in traffic.requests where request.effect != .session && !request.names(id, resource.identifier) {
      let isWrite = request.effect != .read || request.method == "DELETE"
      try require(
        !isWrite, done, expected: "no write request that does not identify this record",
        found: request.summary)
      // An adapter that looks up a record before changing it may look through all of them.
      try require(
        request.path.segments.count > 0 && (addressing != .get || !isCollection(request.path)), done,
        expected: "no request for the whole resource", found: request.summary)
    }
    try require(
      traffic.requests.contains { $0.names(id, resource.identifier) || addressing != .get && isCollection($0.path) },
      done,
      expected: "a request that contains it whole, in one path segment, in its query or in its body",
      found: traffic.requests.first?.summary ?? "")
    return true
  }

  /// Returns whether a path is that of the resource itself, as far as its end shows.
  private func isCollection(_ path: RequestPath) -> Bool { path.segments.last == self.path.name }
}

extension HTTPRequest {
  /// Returns whether the request names a record, or each part of an identifier of several fields, whole.
  func names(_ id: RecordID, _ rule: IdentifierRule) -> Bool {
    names(id) || !rule.parts.isEmpty && rule.values(of: id)?.allSatisfy { names(RecordID($0.text)) } == true
  }

  /// Returns whether the request names a record: its identifier is a whole part of the path, or in the query or body.
  private func names(_ id: RecordID) -> Bool {
    if path.segments.contains(where: { RecordID($0) == id }) { return true }
    guard !id.text.isEmpty else { return false }
    // The key of an entity stands in parentheses, a text in quotes.
    let keys = ["(\(id.text))", "('\(id.text.replacing(text: "'", with: "''"))')"]
    if path.segments.contains(where: { part in keys.contains { part.hasSuffix($0) } }) { return true }
    if query.contains(where: { $0.1.utf8.elementsEqual(id.text.utf8) || $0.1.hasSuffix("." + id.text) }) { return true }
    guard let body, let value = try? JSONReader.read(body) else { return false }
    return value.holds(id)
  }
}

extension Value {
  /// Returns whether an identifier is this value or one within it.
  fileprivate func holds(_ id: RecordID) -> Bool {
    switch self {
    case .object(let object): object.members.contains { $0.1.holds(id) }
    case .array(let elements): elements.contains { $0.holds(id) }
    default: RecordID(self) == id
    }
  }
}
