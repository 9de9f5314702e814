import BackendKit
import Synchronization

/// Answers that come in an unusual way, or go elsewhere.
extension Law {
  static let dripping = Law(
    "dripping answer", .faults, "records that arrive byte by byte are those that arrive at once."
  ) { context throws(CheckStop) in
    for call in try await context.readCalls(pageSize: 5) {
      let whole = try await context.attempt(call.words) { () throws(BackendError) in
        try await call.make(context.backend)
      }
      let (backend, _) = try context.faulty(.drip)
      let done = "\(call.words) and came byte by byte"
      let dripped = try await context.attempt(done) { () throws(BackendError) in try await call.make(backend) }
      try context.require(
        dripped == whole, done, expected: "the \(whole.count) records that came at once",
        found: "\(dripped.count) records\(dripped.count == whole.count ? " that differ" : "")")
    }
    return .run
  }

  static let asTheyArrive = Law(
    "as they arrive", .faults, "records of a list that is not paged reach the sink before its last byte is there."
  ) { context throws(CheckStop) in
    try context.needs(.list)
    guard context.capabilities.paging == .none else { return .notApplicable("lists are paged") }
    _ = try await context.list(atLeast: 1)
    let (backend, exchange) = try context.faulty(.heldEnd)
    let isEarly = Mutex(false)
    // Only a list that waits for the end of the answer takes this long.
    let alarm = Task { [patience = context.subject.patience] in
      try? await Task.sleep(for: patience)
      exchange.release()
    }
    defer { alarm.cancel() }
    let done = "a list was asked for and the last byte of the answer was held back"
    _ = try await context.attempt(done) { () throws(BackendError) in
      try await backend.list(
        context.query(), at: nil,
        to: RecordSink { records in
          if !records.isEmpty, !exchange.isReleased { isEarly.withLock { $0 = true } }
          exchange.release()
          return .more
        })
    }
    try context.require(
      isEarly.withLock { $0 }, done, expected: "the first records", found: "none before the last byte")
    return .run
  }

  static let nestedBomb = Law(
    "nested bomb", .faults, "an answer nested without measure throws `badResponse` and ends only the call."
  ) { context throws(CheckStop) in
    let depth = 100_000
    let bombs = [
      String(repeating: "[", count: depth), String(repeating: #"{"a":"#, count: depth),
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth),
    ]
    for call in try await context.readCalls() {
      for bomb in bombs {
        let answer = FaultyExchange.Fault.answer(status: 200, type: "application/json", body: bomb)
        let outcome = try await context.outcome(of: call, answer)
        try context.require(outcome, after: "\(depth) levels of \(bomb.prefix(5)) came", unreadable, readEffects)
      }
    }
    return .run
  }

  static let nestedValue = Law(
    "nested value", .faults, "a value nested without measure in a record throws `badResponse`."
  ) { context throws(CheckStop) in
    guard let id = try await context.ownID() else { return .notApplicable("the suite can make no record here") }
    let marked = try await context.sandbox.template().markField
    var calls = try await context.readCalls()
    if context.operations.contains(.get) { calls = [context.getCall(id)] }
    let depth = 100_000
    let bomb = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    for call in calls {
      let records = try await context.attempt(call.words) { () throws(BackendError) in
        try await call.make(context.backend)
      }
      guard let text = records.first(where: { $0.id == id })?.fields[marked]?.text else { continue }
      let outcome = try await context.outcome(of: call, .replaced("\"\(text)\"", with: bomb))
      if case .success(let same) = outcome.result, same == records {
        return .notApplicable("the text of a record does not stand in the answer as it is")
      }
      try context.require(outcome, after: "\(marked) held \(depth) levels", unreadable, readEffects)
      return .run
    }
    return .notApplicable("the suite's record is not in the answer")
  }

  static let endlessAnswer = Law(
    "endless answer", .faults, "an answer that the transport stops as too long throws `badResponse`."
  ) { context throws(CheckStop) in
    for call in try await context.readCalls() {
      let outcome = try await context.outcome(of: call, .endless)
      try context.require(outcome, after: "the answer had no end", unreadable, readEffects)
    }
    return .run
  }

  static let redirect = Law(
    "redirect", .faults, "an answer that points to another server is not a success."
  ) { context throws(CheckStop) in
    let codes: [BackendError.Code] = [.badResponse, .misconfigured, .unavailable, .notFound, .invalid, .unsupported]
    let calls = try await context.readCalls()
    for status in [301, 302, 303, 307, 308] {
      let elsewhere = FaultyExchange.Fault.answer(
        status: status, type: "text/html", body: page, headers: [("Location", "http://elsewhere.invalid/")])
      for call in calls {
        let outcome = try await context.outcome(of: call, elsewhere)
        try context.require(outcome, after: "status \(status) pointed elsewhere", codes, readEffects)
      }
    }
    return .run
  }
}
