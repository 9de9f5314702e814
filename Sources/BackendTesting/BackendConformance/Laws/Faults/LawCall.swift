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
  let make: @Sendable (JudgedBackend) async throws(BackendError) -> [Record]

  var isWrite: Bool { operation != .list && operation != .get }

  /// Makes the call; gives what came of it.
  func result(of backend: JudgedBackend) async -> Result<[Record], BackendError> {
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
