import BackendKit

/// Writes with a fault, which must not be reported wrongly.
extension Law {
  static let faultyWrites: [Law] = [createdOnce, unreadReceipt]

  /// Faults in all declared writes, which must fail.
  private static func writing(
    _ name: String, effects: [BackendError.Effect] = [.unknown],
    _ faults: [(FaultyExchange.Fault, String, [BackendError.Code])]
  ) -> Part {
    Part(name) { context throws(CheckStop) in
      let calls = try await context.calls.writes(unsent: true)
      for (fault, words, codes) in faults {
        for call in calls { try await context.requireFailure(of: call, fault, words, codes, effects) }
      }
    }
  }

  private static let unanswered = [BackendError.Code.timedOut, .unavailable].map { code in
    (FaultyExchange.Fault.error(BackendError(code, "the server did not respond", effect: .unknown)), code)
  }

  static let timedOut = writing("write without response", unanswered.map { ($0, "no response arrived", [$1]) })

  static let lostAnswer = Part("lost write response") { context throws(CheckStop) in
    try await context.sandbox.needsWriting()
    for call in try await context.calls.writes() {
      let kept = KeptAnswers(context.traffic)
      let exchange = FaultyExchange(kept, .lostAnswer, when: \.mayWrite)
      let outcome = try await context.outcome(of: call, over: exchange)
      if call.operation == .create { try await context.adopt(kept.last, of: call) }
      try context.requireUncertain(outcome, "the response was lost")
    }
  }

  private static let createdOnce = Law(
    "create is sent once", .faults, needs: [.create], "`create` sends its request once, whatever the response."
  ) { context throws(CheckStop) in
    let call = context.calls.create(try await context.sandbox.fields())
    let answers = [429, 500, 502, 503, 504].map {
      FaultyExchange.Fault.answer(status: $0, type: "application/json", body: "{}", headers: [("Retry-After", "0")])
    }
    for fault in answers + unanswered.map(\.0) {
      let outcome = try await context.outcome(of: call, fault)
      try context.require(
        outcome.befallen.count <= 1, "\(call.words) and \(fault.words)", expected: "one write request",
        found: "\(outcome.befallen.count): \(outcome.befallen.map(\.summary).joined(separator: ", "))")
    }
  }

  static let webPageForWrite = writing(
    "HTML response to write", [(.html, "an HTML page was returned", unreadable)])

  static let wordlessWrite = Part("empty response to write") { context throws(CheckStop) in
    for call in try await context.calls.writes(unsent: true) {
      for status in [200, 204] {
        let outcome = try await context.outcome(of: call, .json("", status: status))
        try context.requireUncertain(outcome, "status \(status) was returned without a body")
      }
    }
  }

  private static let unreadReceipt = Law(
    "unreadable create response", .faults, by: .mapping, needs: [.create],
    "a create that is accepted, but whose response has no readable record, throws `badResponse` with the effect"
      + " `applied`; where responses are declared to have none, it yields a receipt with a note that says so, but never"
      + " with an identifier that was not chosen."
  ) { context throws(CheckStop) in
    let fields = try await context.sandbox.fields()
    let chosen = context.resource.identifier.identifier(in: fields)
    for status in [200, 201] {
      for body in ["", "null", "{}", "0", #""ok""#, "[]", "[1]", #"{"a":"#] {
        let (backend, exchange) = try context.faulty(.json(body, status: status), writesOnly: true)
        let done = "a record was created and status \(status) was returned with \(body.isEmpty ? "no body" : body)"
        let result = await Result.of(try await backend.create(fields))
        guard !exchange.requests.isEmpty else { continue }
        switch result {
        case .success(let receipt):
          // The response may be described as empty or without meaning.
          try context.require(
            receipt.id == chosen && (chosen != nil || !receipt.notes.isEmpty), done,
            expected: "the error \"badResponse\", or a note that no response has the identifier",
            found: "a receipt with \(receipt.id.map { "the identifier \($0)" } ?? "\(receipt.notes.count) notes")")
        case .failure(let error):
          try context.require(
            error.code == .badResponse && error.effect == .applied, done,
            expected: "the error \"badResponse\" with the effect \"applied\"",
            found: "the effect \"\(error.effect.rawValue)\" in the error \(error)")
        }
      }
    }
  }

  static let cutReceipt = Part("truncated write response") { context throws(CheckStop) in
    try await context.sandbox.needsWriting()
    var cut = 0
    for call in try await context.calls.writes() {
      guard let answer = try await context.answer(to: call), let body = answer.body, body.utf8.count > 2 else {
        continue
      }
      cut += 1
      for count in [1, body.utf8.count / 2] {
        let replay = FaultyExchange(context.traffic, answer, when: \.mayWrite)
        let outcome = try await context.outcome(
          of: call, over: FaultyExchange(replay, .cutBody(after: count), when: \.mayWrite))
        try context.requireUncertain(outcome, "the response ended after \(count) bytes")
      }
    }
    if cut == 0 { throw .notApplicable("responses to writes have no body") }
  }

  static let redirectedWrite = writing(
    "redirected write", effects: [.rejected, .unknown], redirects.map { ($0, $1, elsewhere) })
}

extension LawContext {
  /// Requires that a write that may have been executed is not reported as failed.
  fileprivate func requireUncertain(_ outcome: CallOutcome, _ circumstance: String) throws(CheckStop) {
    guard let error = outcome.error, !outcome.befallen.isEmpty else { return }
    // An adapter that checked afterwards may know that nothing was changed.
    let isTrue =
      error.effect == .unknown || error.effect == .applied || (outcome.lookedAfter && error.effect == .rejected)
    try require(
      isTrue, "\(outcome.call.words) and \(circumstance)",
      expected: "success, or the effect \"unknown\" or \"applied\"",
      found: outcome.words)
  }

  /// Registers a record whose response was lost, by its chosen identifier, or by repeating the same response.
  fileprivate func adopt(_ answer: FaultyExchange.Fault?, of call: LawCall) async throws(CheckStop) {
    guard let answer else { return }
    sandbox.adopt(possible: call.chosen)
    let again = try await outcome(of: call, answer)
    if case .success(let records) = again.result { sandbox.adopt(records.first?.id) }
  }
}
