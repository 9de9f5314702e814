import BackendClient
import BackendKit

/// Calls that name exactly one record.
struct AddressTrial: Sendable {
  let context: LawContext

  var operations: [Capabilities.Operation] { [.get, .update, .delete].filter(context.operations.contains) }

  private func call(_ operation: Capabilities.Operation, _ id: RecordID) async throws(CheckStop) -> LawCall {
    let field = try await context.fields.changeable()[0]
    return switch operation {
    case .get: context.calls.get(id)
    case .delete: context.calls.delete(id)
    default: context.calls.update(id, [.set(field.name, field.second)])
    }
  }

  /// Makes a call for one record over an exchange that sends nothing, and checks that its requests name the record: in
  /// one part of the path, in the query or in the body. Returns false if there are none.
  func addressed(_ addressing: Capabilities.Operation, _ id: RecordID) async throws(CheckStop) -> Bool {
    let (backend, traffic) = try context.deadEnd()
    let done = "\(addressing.rawValue) of the record \(Value.string(id.text).shown) was requested"
    let outcome = await (try await call(addressing, id)).result(of: backend)
    guard traffic.count > 0 else {
      try await context.expectFailure(
        done, [.invalid, .notFound, .unsupported], effects: [.notSent], of: outcome.get())
      return false
    }
    let rule = context.resource.identifier
    for request in traffic.requests where request.effect != .session && !request.names(id, rule) {
      let isWrite = request.effect != .read || request.method == "DELETE"
      try context.require(
        !isWrite, done, expected: "no write request that does not identify this record", found: request.summary)
      // An adapter that looks up a record before an update may list all of them.
      try context.require(
        request.path.segments.count > 0 && (addressing != .get || !isCollection(request.path)), done,
        expected: "no request for the whole resource", found: request.summary)
    }
    try context.require(
      traffic.requests.contains { $0.names(id, rule) || addressing != .get && isCollection($0.path) }, done,
      expected: "a request that contains it whole, in one path segment, in its query or in its body",
      found: traffic.requests.first?.summary ?? "")
    return true
  }

  private func isCollection(_ path: RequestPath) -> Bool { path.segments.last == context.path.name }

  /// Returns whether a call may really be sent: it must not endanger records other than the suite's own.
  func mayTry(_ identifier: AwkwardIdentifier, _ addressing: Capabilities.Operation, _ own: Record?) -> Bool {
    if addressing == .get { return true }
    return own != nil && (identifier.meansOwn || context.subject.isSandbox)
  }

  /// Requires that a call for a missing record affects no other. A malformed identifier must be refused, or what a
  /// service takes it for.
  func expectNoRecord(
    _ addressing: Capabilities.Operation, _ id: RecordID, isRight: Bool
  ) async throws(CheckStop) {
    let codes: [BackendError.Code] = isRight ? [.notFound] : [.notFound, .invalid, .unsupported]
    let done = "\(addressing.rawValue) of the record \(Value.string(id.text).shown) was requested"
    switch await (try await call(addressing, id)).result(of: context.backend) {
    case .success(let records):
      let found = records.first?.id
      try context.require(
        addressing == .get && found == id, done, expected: "no record, or exactly that one",
        found: "success with the record \(found?.text ?? "")")
    case .failure(let error):
      let isRefused = !isRight && ((error.httpStatus ?? 0) >= 400 || addressing == .get && error.code == .badResponse)
      try context.require(
        isRefused || codes.contains(error.code), done,
        expected: "the error \(codes.prefix(2).map { "\"\($0.rawValue)\"" }.joined(separator: " or "))",
        found: "the error \(error)")
    }
  }
}

extension HTTPRequest {
  /// Returns whether the request contains an identifier as a whole, or each of its parts.
  func names(_ id: RecordID, _ rule: IdentifierRule) -> Bool {
    names(id) || !rule.parts.isEmpty && rule.values(of: id)?.allSatisfy { names(RecordID($0.text)) } == true
  }

  /// Returns whether the request contains an identifier as a part of the path, in its query or in its body.
  private func names(_ id: RecordID) -> Bool {
    if path.segments.contains(where: { RecordID($0) == id }) { return true }
    guard !id.text.isEmpty else { return false }
    // OData puts keys in parentheses, and texts in quotes.
    let keys = ["(\(id.text))", "('\(id.text.replacing(text: "'", with: "''"))')"]
    if path.segments.contains(where: { part in keys.contains { part.hasSuffix($0) } }) { return true }
    if query.contains(where: { $0.1.utf8.elementsEqual(id.text.utf8) || $0.1.hasSuffix("." + id.text) }) { return true }
    guard let body, let value = try? JSONReader.read(body) else { return false }
    return value.holds(id)
  }
}

extension Value {
  fileprivate func holds(_ id: RecordID) -> Bool {
    switch self {
    case .object(let object): object.members.contains { $0.1.holds(id) }
    case .array(let elements): elements.contains { $0.holds(id) }
    default: RecordID(self) == id
    }
  }
}

extension LawContext {
  var addresses: AddressTrial { AddressTrial(context: self) }
}
