import BackendKit
import Synchronization

/// Answers that come in an unusual way, or go elsewhere.
extension Law {
  static let dripping = Law(
    "byte-by-byte response", .faults,
    "records that arrive byte by byte are the same as records that arrive all at once."
  ) { context throws(CheckStop) in
    for call in try await context.calls.reads(pageSize: 5) {
      let whole = try await context.attempt(call.words, await call.make(context.backend))
      let (backend, _) = try context.faulty(.drip)
      let done = "\(call.words) and the response arrived byte by byte"
      let dripped = try await context.attempt(done, await call.make(backend))
      try context.require(
        dripped == whole, done, expected: "the \(whole.count) records that arrived all at once",
        found: "\(dripped.count) records\(dripped.count == whole.count ? " that differ" : "")")
    }
  }

  static let asTheyArrive = Law(
    "records are streamed", .faults, needs: [.list],
    "records of an unpaged list reach the sink before the last byte of the response has arrived."
  ) { context throws(CheckStop) in
    guard context.capabilities.paging == .none else { throw .notApplicable("lists are paged") }
    _ = try await context.list(atLeast: 1)
    let (backend, exchange) = try context.faulty(.heldEnd)
    let isEarly = Mutex(false)
    // Only a list that waits for the end of the answer takes this long.
    let alarm = Task { [patience = context.subject.patience] in
      try? await Task.sleep(for: patience)
      exchange.release()
    }
    defer { alarm.cancel() }
    let done = "a list was requested and the last byte of the response was held back"
    let sink = RecordSink { records in
      if !records.isEmpty, !exchange.isReleased { isEarly.withLock { $0 = true } }
      exchange.release()
      return .more
    }
    _ = try await context.attempt(done, await backend.list(context.query(), at: nil, to: sink))
    try context.require(
      isEarly.withLock { $0 }, done, expected: "the first records", found: "none before the last byte")
  }

  static let nestedBomb = Part("deeply nested response") { context throws(CheckStop) in
    let depth = 100_000
    let bombs = [
      String(repeating: "[", count: depth), String(repeating: #"{"a":"#, count: depth),
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth),
    ]
    for call in try await context.calls.reads() {
      for bomb in bombs {
        let answer = FaultyExchange.Fault.answer(status: 200, type: "application/json", body: bomb)
        let outcome = try await context.outcome(of: call, answer)
        try context.require(
          outcome, after: "\(depth) levels of \(bomb.prefix(5)) were returned", unreadable, readEffects)
      }
    }
  }

  static let nestedValue = Part("deeply nested value") { context throws(CheckStop) in
    guard let id = try await context.own.id() else { throw .notApplicable("the suite cannot create a record here") }
    let marked = try await context.sandbox.template().markField
    var calls = try await context.calls.reads()
    if context.operations.contains(.get) { calls = [context.calls.get(id)] }
    let depth = 100_000
    let bomb = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    for call in calls {
      let records = try await context.attempt(call.words, await call.make(context.backend))
      guard let text = records.first(where: { $0.id == id })?.fields[marked]?.text else { continue }
      let outcome = try await context.outcome(of: call, .replaced("\"\(text)\"", with: bomb))
      if case .success(let same) = outcome.result, same == records {
        throw .notApplicable("the response does not contain the text of a record verbatim")
      }
      try context.require(outcome, after: "\(marked) had \(depth) levels", unreadable, readEffects)
      return
    }
    throw .notApplicable("the suite's record is not in the response")
  }

  static let endlessAnswer = Part("endless response") { context throws(CheckStop) in
    for call in try await context.calls.reads() {
      let outcome = try await context.outcome(of: call, .endless)
      try context.require(outcome, after: "the response did not end", unreadable, readEffects)
    }
  }

  static let redirect = Part("redirected read") { context throws(CheckStop) in
    let codes: [BackendError.Code] = [.badResponse, .misconfigured, .unavailable, .notFound, .invalid, .unsupported]
    let calls = try await context.calls.reads()
    for status in [301, 302, 303, 307, 308] {
      let elsewhere = FaultyExchange.Fault.answer(
        status: status, type: "text/html", body: page, headers: [("Location", "http://elsewhere.invalid/")])
      for call in calls {
        let outcome = try await context.outcome(of: call, elsewhere)
        try context.require(outcome, after: "status \(status) redirected to another server", codes, readEffects)
      }
    }
  }
}
