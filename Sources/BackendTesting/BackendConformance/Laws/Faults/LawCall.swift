import BackendKit

struct LawCall: Sendable {
  typealias Write = @Sendable (JudgedBackend) async throws(BackendError) -> WriteReceipt

  let operation: Capabilities.Operation
  let words: String
  /// The identifier that a creation chooses; nil if the server does.
  var chosen: RecordID?
  /// Makes the call; nil for reads.
  let write: Write?
  /// Makes the call and returns its records.
  let make: @Sendable (JudgedBackend) async throws(BackendError) -> [Record]

  init(
    _ operation: Capabilities.Operation, _ words: String,
    reading make: @escaping @Sendable (JudgedBackend) async throws(BackendError) -> [Record]
  ) {
    (self.operation, self.words, self.make, write) = (operation, words, make, nil)
  }

  init(_ operation: Capabilities.Operation, _ words: String, chosen: RecordID? = nil, writing write: @escaping Write) {
    (self.operation, self.words, self.chosen, self.write) = (operation, words, chosen, write)
    make = { backend throws(BackendError) in
      let receipt = try await write(backend)
      guard let record = receipt.record else { return receipt.id.map { [Record(id: $0, fields: Object())] } ?? [] }
      return [Record(id: receipt.id, fields: record.fields, unloaded: record.unloaded)]
    }
  }

  var isWrite: Bool { write != nil }

  func result(of backend: JudgedBackend) async -> Result<[Record], BackendError> {
    await Result.of(try await make(backend))
  }
}

struct CallOutcome: Sendable {
  let call: LawCall
  let result: Result<[Record], BackendError>
  /// The requests affected by the fault.
  let befallen: [HTTPRequest]
  /// True if the adapter has read from the server after the fault, and so may know what happened.
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
  /// Makes a call with a fault in every request, or for a write in every request that may write.
  func outcome(of call: LawCall, _ fault: FaultyExchange.Fault) async throws(CheckStop) -> CallOutcome {
    try await outcome(of: call, over: FaultyExchange(traffic, fault) { !call.isWrite || $0.mayWrite })
  }

  func outcome(of call: LawCall, over exchange: FaultyExchange) async throws(CheckStop) -> CallOutcome {
    let counting = CountingExchange(exchange)
    let result = await call.result(of: try backend(over: counting))
    let befallen = exchange.requests
    return CallOutcome(
      call: call, result: result, befallen: befallen,
      lookedAfter: !befallen.isEmpty && counting.requests.last.map { !$0.mayWrite } ?? false)
  }

  /// Requires that a call with a fault fails with one of these codes and effects. An adapter that has checked after a
  /// write may know that nothing was changed.
  func requireFailure(
    of call: LawCall, _ fault: FaultyExchange.Fault, _ circumstance: String, _ codes: [BackendError.Code],
    _ effects: [BackendError.Effect] = [.notSent, .rejected]
  ) async throws(CheckStop) {
    let outcome = try await outcome(of: call, fault)
    guard call.isWrite else { return try await require(outcome, after: circumstance, codes) }
    guard !outcome.befallen.isEmpty else { return }
    let mayKnow = outcome.lookedAfter && effects != [.notSent]
    try await require(outcome, after: circumstance, codes, mayKnow ? effects + [.rejected] : effects)
  }

  /// Requires that an outcome is a failure with one of these codes and effects.
  func require(
    _ outcome: CallOutcome, after circumstance: String, _ codes: [BackendError.Code],
    _ effects: [BackendError.Effect] = [.notSent, .rejected]
  ) async throws(CheckStop) {
    try await expectFailure(
      "\(outcome.call.words) and \(circumstance)", codes, effects: effects, of: outcome.result.get())
  }

  /// Requires that each read with a fault returns the same records, or fails with one of these codes.
  func requireSame(
    _ faults: [(FaultyExchange.Fault, String)], or codes: [BackendError.Code] = []
  ) async throws(CheckStop) {
    for call in try await calls.reads(pageSize: 3) {
      let whole = try await attempt(call.words, await call.make(backend))
      for (fault, words) in faults {
        let done = "\(call.words) and \(words)"
        let outcome = try await outcome(of: call, fault)
        let records = try await attempt(done, or: codes, expected: "the same records", outcome.result.get())
        try require(
          records == nil || records == whole, done, expected: "the \(counted(whole.count, "record")) as before",
          found: "\(counted(records?.count ?? 0, "record")) that differ")
      }
    }
  }

  /// Requires that a call fails without a request.
  func expectRefusal(
    _ done: String, _ codes: [BackendError.Code] = [.unsupported], of call: LawCall
  ) async throws(CheckStop) {
    let (backend, traffic) = try deadEnd()
    let outcome = await call.result(of: backend)
    try require(
      traffic.count == 0, done, expected: "no request", found: "the request \(traffic.requests.first?.summary ?? "")")
    try await expectFailure(done, codes, effects: [.notSent], of: outcome.get())
  }

  /// Makes a write and returns the server's response; nil if there was none.
  func answer(to call: LawCall) async throws(CheckStop) -> FaultyExchange.Fault? {
    let kept = KeptAnswers(traffic)
    let backend = try backend(over: kept)
    let records = try await attempt(call.words, await call.make(backend))
    if call.operation == .create { sandbox.adopt(records.first?.id) }
    return kept.last
  }
}
