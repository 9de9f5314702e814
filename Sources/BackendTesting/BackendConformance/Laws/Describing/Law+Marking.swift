import BackendKit

/// Laws about how requests are marked: the transport repeats reads, and writes that say that they may be repeated.
extension Law {
  static let markedWrites = Law(
    "writes are marked", .refusal, by: .engine,
    "a request that may change something is marked as a write, and the request of a create as one that must not be"
      + " repeated."
  ) { context throws(CheckStop) in
    let writes: [Capabilities.Operation] = [.create, .update, .delete, .deleteAll]
    let declared = writes.filter(context.operations.contains)
    guard !declared.isEmpty else { throw .notApplicable("the resource declares no write") }
    for operation in declared {
      // Nothing reaches the server, so that any call is safe.
      for request in try await context.unsent(operation) where !["GET", "HEAD"].contains(request.method) {
        let done = "\(operation.rawValue) was called over a transport that sends nothing"
        try context.require(
          request.effect == .write || request.effect == .repeatableWrite || request.effect == .session, done,
          expected: "a request marked as a write",
          found: "\(request.summary) marked \"\(request.effect.rawValue)\"")
        try context.require(
          operation != .create || request.effect != .repeatableWrite, done,
          expected: "a request that is never repeated", found: "\(request.summary), which may be")
      }
    }
  }

  static let updateAsDeclared = Law(
    "partial or full update", .refusal, needs: [.update],
    "an update that sets a field sends only the changes where it is declared `partial`, and the whole record where it"
      + " is declared `replace`."
  ) { context throws(CheckStop) in
    let marked = try await context.sandbox.template().markField
    let others = try await context.fields.changeable().filter { $0.name != marked }
    guard let field = others.first else {
      throw try await context.fields.without("only the field with the suite's mark is writable")
    }
    let made = try await context.own.made()
    guard let text = made.sent[marked]?.text else { throw .notApplicable("the suite's mark is not text") }
    let (backend, exchange) = try context.withoutWrites()
    _ = try? await backend.update(made.id, [.set(field.name, field.second)])
    guard let body = exchange.requests.first?.body else { throw .notApplicable("an update has no body") }
    let isWhole = body.firstRange(of: Array(text.utf8)) != nil
    let declared = context.capabilities.update
    try context.require(
      isWhole == (declared == .replace), "\(field.name) was set, and an update is declared \"\(declared.rawValue)\"",
      expected: declared == .replace ? "the whole record to be sent" : "only the changes to be sent",
      found: isWhole ? "\(marked) is sent too" : "\(marked) is not sent")
  }
}

extension LawContext {
  /// The requests of a write that are withheld; reads before them are sent.
  fileprivate func unsent(_ operation: Capabilities.Operation) async throws(CheckStop) -> [HTTPRequest] {
    let (backend, exchange) = try withoutWrites()
    switch operation {
    case .create: _ = try? await backend.create(fields.unsent)
    case .update:
      guard let id = try await anyID(), let field = fields.updatable else { return [] }
      _ = try? await backend.update(id, [.set(field.name, field.samples[0])])
    case .delete:
      guard let id = try await anyID() else { return [] }
      _ = try? await backend.delete(.one(id))
    case .deleteAll: _ = try? await backend.delete(.all)
    case .list, .get: break
    }
    return exchange.requests
  }
}
