import BackendKit
import Synchronization

/// Answers that come in an unusual way, or go elsewhere.
extension Law {
  static let dripping = Law(
    "dripping answer", .faults, "records that arrive byte by byte are those that arrive at once."
  ) { bench throws(Halt) in
    for call in try await bench.readCalls(pageSize: 5) {
      let whole = try await bench.attempt(call.words) { () throws(BackendError) in try await call.make(bench.backend) }
      let (backend, _) = try bench.faulty(.drip)
      let done = "\(call.words) and came byte by byte"
      let dripped = try await bench.attempt(done) { () throws(BackendError) in try await call.make(backend) }
      try bench.require(
        dripped == whole, done, expected: "the \(whole.count) records that came at once",
        found: "\(dripped.count) records\(dripped.count == whole.count ? " that differ" : "")")
    }
    return .run
  }

  static let asTheyArrive = Law(
    "as they arrive", .faults, "records of a list that is not paged reach the sink before its last byte is there."
  ) { bench throws(Halt) in
    try bench.needs(.list)
    guard bench.capabilities.paging == .none else { return .notApplicable("lists are paged") }
    _ = try await bench.list(atLeast: 1)
    let (backend, exchange) = try bench.faulty(.heldEnd)
    let isEarly = Mutex(false)
    // Only a list that waits for the end of the answer takes this long.
    let alarm = Task { [patience = bench.subject.patience] in
      try? await Task.sleep(for: patience)
      exchange.release()
    }
    defer { alarm.cancel() }
    let done = "a list was asked for and the last byte of the answer was held back"
    _ = try await bench.attempt(done) { () throws(BackendError) in
      try await backend.list(
        bench.query(), at: nil,
        to: RecordSink { records in
          if !records.isEmpty, !exchange.isReleased { isEarly.withLock { $0 = true } }
          exchange.release()
          return .more
        })
    }
    try bench.require(isEarly.withLock { $0 }, done, expected: "the first records", found: "none before the last byte")
    return .run
  }

  static let nestedBomb = Law(
    "nested bomb", .faults, "an answer nested without measure throws `badResponse` and ends only the call."
  ) { bench throws(Halt) in
    let depth = 100_000
    let bombs = [
      String(repeating: "[", count: depth), String(repeating: #"{"a":"#, count: depth),
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth),
    ]
    for call in try await bench.readCalls() {
      for bomb in bombs {
        let answer = FaultyExchange.Fault.answer(status: 200, type: "application/json", body: bomb)
        let outcome = try await bench.outcome(of: call, answer)
        try bench.require(outcome, after: "\(depth) levels of \(bomb.prefix(5)) came", unreadable, readEffects)
      }
    }
    return .run
  }

  static let nestedValue = Law(
    "nested value", .faults, "a value nested without measure in a record throws `badResponse`."
  ) { bench throws(Halt) in
    guard let id = try await bench.ownID() else { return .notApplicable("the suite can make no record here") }
    let marked = try await bench.sandbox.template().markField
    var calls = try await bench.readCalls()
    if bench.operations.contains(.get) { calls = [bench.getCall(id)] }
    let depth = 100_000
    let bomb = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    for call in calls {
      let records = try await bench.attempt(call.words) { () throws(BackendError) in
        try await call.make(bench.backend)
      }
      guard let text = records.first(where: { $0.id == id })?.fields[marked]?.text else { continue }
      let outcome = try await bench.outcome(of: call, .replaced("\"\(text)\"", with: bomb))
      if case .success(let same) = outcome.result, same == records {
        return .notApplicable("the text of a record does not stand in the answer as it is")
      }
      try bench.require(outcome, after: "\(marked) held \(depth) levels", unreadable, readEffects)
      return .run
    }
    return .notApplicable("the suite's record is not in the answer")
  }

  static let endlessAnswer = Law(
    "endless answer", .faults, "an answer that the transport stops as too long throws `badResponse`."
  ) { bench throws(Halt) in
    for call in try await bench.readCalls() {
      let outcome = try await bench.outcome(of: call, .endless)
      try bench.require(outcome, after: "the answer had no end", unreadable, readEffects)
    }
    return .run
  }

  static let redirect = Law(
    "redirect", .faults, "an answer that points to another server is not a success."
  ) { bench throws(Halt) in
    let codes: [BackendError.Code] = [.badResponse, .misconfigured, .unavailable, .notFound, .invalid, .unsupported]
    let calls = try await bench.readCalls()
    for status in [301, 302, 303, 307, 308] {
      let elsewhere = FaultyExchange.Fault.answer(
        status: status, type: "text/html", body: page, headers: [("Location", "http://elsewhere.invalid/")])
      for call in calls {
        let outcome = try await bench.outcome(of: call, elsewhere)
        try bench.require(outcome, after: "status \(status) pointed elsewhere", codes, readEffects)
      }
    }
    return .run
  }
}
