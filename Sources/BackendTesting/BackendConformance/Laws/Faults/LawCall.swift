import BackendClient
import BackendKit

/// One call of an adapter that a law makes over a way on which something goes wrong.
struct LawCall: Sendable {
  let operation: Capabilities.Operation
  /// The action, as a clause.
  let words: String
  /// The identifier that a creation chooses; nil where the server does.
  var chosen: RecordID?
  /// Makes the call; gives the records that came of it.
  let make: @Sendable (any Backend) async throws(BackendError) -> [Record]

  var isWrite: Bool { operation != .list && operation != .get }

  /// Makes the call; gives what came of it.
  func result(of backend: any Backend) async -> Result<[Record], BackendError> {
    await Result.of(try await make(backend))
  }
}

/// The outcome of a call.
struct CallOutcome: Sendable {
  let call: LawCall
  let result: Result<[Record], BackendError>
  /// The requests that the fault befell.
  let befallen: [HTTPRequest]
  /// True if the adapter read from the server after the fault, so that it may know what happened to the data.
  let lookedAfter: Bool

  var error: BackendError? {
    if case .failure(let error) = result { error } else { nil }
  }

  var words: String {
    switch result {
    case .success(let records): call.isWrite ? "success" : "success with \(records.count) records"
    case .failure(let error): "the effect \"\(error.effect.rawValue)\" in the error \(error)"
    }
  }
}

extension LawContext {
  // MARK: Calls

  /// Listing and reading, as far as they are declared.
  func readCalls(pageSize: Int? = nil) async throws(CheckStop) -> [LawCall] {
    var calls: [LawCall] = []
    if operations.contains(.list) { calls.append(listCall(query(pageSize: pageSize))) }
    if operations.contains(.get), let id = try await anyID() { calls.append(getCall(id)) }
    guard !calls.isEmpty else { throw .notApplicable("the resource declares neither list nor get of a record") }
    return calls
  }

  /// Creating, changing and deleting a record, as far as declared. The record that is changed and deleted is the suite's
  /// own: a law that lets writes through has none to change where the suite can create none.
  ///
  /// With `unsent` no write is let through: any record will do, and the deletion of all is included; `clearing`
  /// includes the clearing of a field, for which an adapter may have to read first.
  func writeCalls(unsent: Bool = false, clearing: Bool = false) async throws(CheckStop) -> [LawCall] {
    var calls: [LawCall] = []
    if clearing, let call = try await clearingCall() { calls.append(call) }
    if unsent, operations.contains(.deleteAll) { calls.append(deleteAllCall()) }
    if operations.contains(.create) { calls.append(createCall(try await sandbox.fields())) }
    if !operations.isDisjoint(with: [.update, .delete]),
      let id = unsent ? try await unwrittenID() : try await ownID()
    {
      if operations.contains(.update) { calls.append(updateCall(id, try await sandbox.fields())) }
      if operations.contains(.delete) { calls.append(deleteCall(id)) }
    }
    guard !calls.isEmpty else { throw .notApplicable("the resource declares no write") }
    return calls
  }

  func listCall(_ query: ListQuery) -> LawCall {
    LawCall(operation: .list, words: words(query) + " was requested") { backend throws(BackendError) in
      try await backend.page(query).records
    }
  }

  func getCall(_ id: RecordID) -> LawCall {
    LawCall(operation: .get, words: "the record \(id) was read") { [path] backend throws(BackendError) in
      [try await backend.get(id, from: path)]
    }
  }

  func createCall(_ fields: Object) -> LawCall {
    let chosen = resource.identifier.identifier(in: fields)
    return LawCall(operation: .create, words: "a record was created", chosen: chosen) {
      [path] backend throws(BackendError) in
      LawCall.records(try await backend.create(fields, in: path))
    }
  }

  /// Changes the text that carries the mark to that of other fields.
  func updateCall(_ id: RecordID, _ fields: Object) -> LawCall {
    let marked = fields.members.filter {
      $0.1.text?.hasPrefix(Sandbox.prefix) == true && !resource.identifier.isHeld(by: $0.0)
    }
    return updateCall(id, marked.map { Change.set($0.0, $0.1) })
  }

  /// Changes one field that may hold a text.
  func updateCall(_ id: RecordID, changing field: String) -> LawCall {
    updateCall(id, [.set(field, "conformance")])
  }

  private func updateCall(_ id: RecordID, _ changes: [Change]) -> LawCall {
    LawCall(operation: .update, words: "the record \(id) was changed") { [path] backend throws(BackendError) in
      LawCall.records(try await backend.update(id, in: path, changes: changes, revision: nil))
    }
  }

  func deleteCall(_ id: RecordID) -> LawCall {
    LawCall(operation: .delete, words: "the record \(id) was deleted") { [path] backend throws(BackendError) in
      LawCall.records(try await backend.delete(.one(id), from: path))
    }
  }

  /// Clears a field of a new record; nil where that cannot be done here.
  private func clearingCall() async throws(CheckStop) -> LawCall? {
    guard operations.contains(.update), operations.contains(.create), capabilities.canClear, !subject.isReadOnly,
      capabilities.writes != .echoed,
      let field = try await writable().first(where: { $0.kind == .text && !$0.isRequired })
    else { return nil }
    let value = Object.only(field.name, LawContext.samples(of: field)[0])
    guard let id = try await ifApplicable(await made(value).id) else { return nil }
    let done = "\(field.name) of the record \(id) was cleared"
    return LawCall(operation: .update, words: done) { [path] backend throws(BackendError) in
      LawCall.records(try await backend.update(id, in: path, changes: [.unset(field.name)], revision: nil))
    }
  }

  private func deleteAllCall() -> LawCall {
    LawCall(operation: .deleteAll, words: "all records were deleted") { [path] backend throws(BackendError) in
      LawCall.records(try await backend.delete(.all, from: path))
    }
  }

  /// A record of the list, or of the suite's own where there is none.
  func anyID() async throws(CheckStop) -> RecordID? {
    if operations.contains(.list), let id = try await page(query(pageSize: 1)).records.first?.id { return id }
    return try await ownID()
  }

  /// A record of the suite's own, or nil where it can make none.
  func ownID() async throws(CheckStop) -> RecordID? {
    try await ifApplicable(await sandbox.make(1)[0])
  }

  /// A record that calls may name of which no write is let through: of the suite's own, or any where it can make none.
  private func unwrittenID() async throws(CheckStop) -> RecordID? {
    if let id = try await ownID() { return id }
    guard operations.contains(.list) else { return nil }
    return try await page(query(pageSize: 1)).records.first?.id
  }

  // MARK: Outcomes

  /// Makes a call over a way on which a fault befalls every request.
  func outcome(of call: LawCall, _ fault: FaultyExchange.Fault) async throws(CheckStop) -> CallOutcome {
    try await outcome(of: call, over: FaultyExchange(traffic, fault))
  }

  /// Makes a call over a way on which a fault that sends nothing befalls every request that may write.
  func outcome(ofWrite call: LawCall, _ fault: FaultyExchange.Fault) async throws(CheckStop) -> CallOutcome {
    try await outcome(of: call, over: FaultyExchange(traffic, fault, when: LawCall.mayWrite))
  }

  func outcome(of call: LawCall, over exchange: FaultyExchange) async throws(CheckStop) -> CallOutcome {
    let counting = CountingExchange(exchange)
    let backend = try backend(over: counting)
    let result = await call.result(of: backend)
    let befallen = exchange.requests
    return CallOutcome(
      call: call, result: result, befallen: befallen,
      lookedAfter: !befallen.isEmpty && counting.requests.last.map { !LawCall.mayWrite($0) } ?? false)
  }

  /// Ends the law as broken unless an outcome is a failure with one of these codes and one of these effects.
  func require(
    _ outcome: CallOutcome, after circumstance: String, _ codes: [BackendError.Code], _ effects: [BackendError.Effect]
  ) throws(CheckStop) {
    let done = "\(outcome.call.words) and \(circumstance)"
    let names = codes.map { "\"\($0.rawValue)\"" }.joined(separator: " or ")
    guard let error = outcome.error else {
      throw .breach(done, expected: "the error \(names)", found: outcome.words)
    }
    try require(codes.contains(error.code), done, expected: "the error \(names)", found: "the error \(error)")
    let words = effects.map { "\"\($0.rawValue)\"" }.joined(separator: " or ")
    try require(effects.contains(error.effect), done, expected: "the effect \(words)", found: outcome.words)
  }
}

extension LawCall {
  /// Returns whether a request may change data.
  static func mayWrite(_ request: HTTPRequest) -> Bool {
    request.effect != .read || (request.method != "GET" && request.method != "HEAD")
  }

  static func records(_ receipt: WriteReceipt) -> [Record] {
    if let record = receipt.record { return [Record(id: receipt.id, fields: record.fields, unloaded: record.unloaded)] }
    return receipt.id.map { [Record(id: $0, fields: Object())] } ?? []
  }
}
