import BackendKit
import Synchronization

/// Answers to listing and reading that are no such thing.
extension Law {
  static let faults: [Law] =
    [

      Law(
        "invalid responses", .faults,
        "a response other than the one expected throws `badResponse` and is neither an empty list nor an empty record:"
          + " truncated, an HTML page, other JSON, empty, excessively nested, endless, or a redirect.",
        parts: [cutRecord, webPage, noList, noRecord, emptyAnswer, nestedBomb, nestedValue, endlessAnswer, redirect]),
      wrongType, anotherRecord, dripping, asTheyArrive,
    ] + faultyStatuses + altered + faultyWrites

  static let page = """
    <!DOCTYPE html><html><head><title>Sign in</title></head><body><form method="post"></form></body></html>
    """
  static let unreadable: [BackendError.Code] = [.badResponse, .misconfigured]
  static let readEffects: [BackendError.Effect] = [.notSent, .rejected]

  private static let cutRecord = Part("truncated record", needs: [.get]) { context throws(CheckStop) in
    guard let id = try await context.anyID() else { throw .notApplicable("there is no record") }
    for count in [1, 12, 40] {
      let outcome = try await context.outcome(of: context.calls.get(id), .cutBody(after: count))
      try context.require(outcome, after: "the response ended after \(count) bytes", [.badResponse], readEffects)
    }
  }

  private static let webPage = Part("HTML response") { context throws(CheckStop) in
    for call in try await context.calls.reads() {
      let outcome = try await context.outcome(of: call, .answer(status: 200, type: "text/html", body: page))
      try context.require(outcome, after: "an HTML page was returned", unreadable, readEffects)
    }
  }

  private static let wrongType = Law(
    "wrong content type", .faults,
    "a response with the wrong content type throws `badResponse` or is read anyway."
  ) { context throws(CheckStop) in
    for call in try await context.calls.reads(pageSize: 3) {
      let whole = try await context.attempt(call.words, await call.make(context.backend))
      for type in ["text/html; charset=utf-8", "application/octet-stream"] {
        let outcome = try await context.outcome(of: call, .contentType(type))
        if case .success(let records) = outcome.result {
          try context.require(
            records == whole, "\(call.words) and the content type was \(type)", expected: "the records or an error",
            found: "\(records.count) records that differ")
        } else {
          try context.require(outcome, after: "the content type was \(type)", unreadable, readEffects)
        }
      }
    }
  }

  private static let noList = Part("JSON without a list", needs: [.list]) { context throws(CheckStop) in
    let bodies = [
      "null", "0", "true", #""ok""#, "[1]", "[null]", "[[]]", #"["a"]"#, #"{"error":{"code":500,"message":"later"}}"#,
    ]
    for body in bodies {
      let answer = FaultyExchange.Fault.answer(status: 200, type: "application/json", body: body)
      let outcome = try await context.outcome(of: context.calls.list(context.query()), answer)
      try context.require(outcome, after: "\(body) was returned", unreadable, readEffects)
    }
  }

  private static let noRecord = Part("JSON without a record", needs: [.get]) { context throws(CheckStop) in
    guard let id = try await context.anyID() else { throw .notApplicable("there is no record") }
    for body in ["null", "0", "true", #""ok""#, "[]", "[1]", "[null]"] {
      let answer = FaultyExchange.Fault.answer(status: 200, type: "application/json", body: body)
      let outcome = try await context.outcome(of: context.calls.get(id), answer)
      try context.require(outcome, after: "\(body) was returned", unreadable, readEffects)
    }
  }

  private static let emptyAnswer = Part("empty response") { context throws(CheckStop) in
    for call in try await context.calls.reads() {
      let empty = FaultyExchange.Fault.answer(status: 200, type: "application/json", body: "")
      let outcome = try await context.outcome(of: call, empty)
      try context.require(
        outcome, after: "status 200 was returned without a body", unreadable + [.notFound], readEffects)
      // To a list, 204 may be the server's way to say that there are no records.
      guard call.operation == .get else { continue }
      let silent = try await context.outcome(of: call, .answer(status: 204, type: "", body: ""))
      try context.require(silent, after: "status 204 was returned", unreadable + [.notFound], readEffects)
    }
  }

  private static let anotherRecord = Law(
    "wrong record returned", .faults, needs: [.list, .get],
    "a response with a record other than the requested one throws `badResponse`."
  ) { context throws(CheckStop) in
    let ids = try await context.list(atLeast: 2).prefix(2).compactMap(\.id)
    guard ids.count == 2 else { throw .notApplicable("records have no identifiers") }
    guard context.resource.identifier.field != nil else {
      throw .notApplicable("records do not show their identifier")
    }
    let counting = CountingExchange(context.traffic)
    _ = try? await context.backend(over: counting).get(ids[1])
    guard counting.requests.count == 1, let other = counting.requests.first else {
      throw .notApplicable("reading a record takes several requests")
    }
    let backend = try context.backend(over: context.answering(as: other))
    try await context.expectFailure(
      "the record \(ids[0]) was requested and the record \(ids[1]) was returned", unreadable, effects: readEffects,
      of: await backend.get(ids[0]))
  }
}
