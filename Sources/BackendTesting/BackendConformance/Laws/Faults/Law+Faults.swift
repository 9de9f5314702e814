import BackendKit

/// Invalid responses to lists and reads.
extension Law {
  static let faults: [Law] =
    [
      Law(
        "invalid responses", .faults,
        "a response other than the one expected throws `badResponse` and is neither an empty list nor an empty record:"
          + " truncated, an HTML page, other JSON, empty, excessively nested, endless, or a redirect.",
        parts: [
          reading(
            "truncated record", only: .get, codes: [.badResponse],
            [1, 12, 40].map { (.cutBody(after: $0), "the response ended after \($0) bytes") }),
          reading("HTML response", [(.html, "an HTML page was returned")]),
          reading(
            "JSON without a list", only: .list,
            [
              "null", "0", "true", #""ok""#, "[1]", "[null]", "[[]]", #"["a"]"#,
              #"{"error":{"code":500,"message":"later"}}"#,
            ].map { (.json($0), "\($0) was returned") }),
          reading(
            "JSON without a record", only: .get,
            ["null", "0", "true", #""ok""#, "[]", "[1]", "[null]"].map { (.json($0), "\($0) was returned") }),
          emptyAnswer,
          reading(
            "deeply nested response", bombs.map { (.json($0), "\(depth) levels of \($0.prefix(5)) were returned") }),
          nestedValue,
          reading("endless response", [(.endless, "the response did not end")]),
          reading("redirected read", codes: elsewhere, redirects),
        ]),
      wrongType, anotherRecord, dripping, asTheyArrive, statusesOfWrites,
    ] + altered + faultyWrites

  /// The codes for invalid responses.
  static let unreadable: [BackendError.Code] = [.badResponse, .misconfigured]
  /// The codes for redirects to another server.
  static let elsewhere: [BackendError.Code] = [
    .badResponse, .misconfigured, .unavailable, .notFound, .invalid, .unsupported,
  ]
  static let redirects: [(FaultyExchange.Fault, String)] = [301, 302, 303, 307, 308].map { status in
    let fault = FaultyExchange.Fault.answer(
      status: status, type: "text/html", body: FaultyExchange.Fault.page,
      headers: [("Location", "http://elsewhere.invalid/")])
    return (fault, "status \(status) redirected to another server")
  }

  private static let depth = 100_000
  private static let bombs = [
    String(repeating: "[", count: depth), String(repeating: #"{"a":"#, count: depth),
    String(repeating: "[", count: depth) + String(repeating: "]", count: depth),
  ]

  /// Faults in all declared reads, or in one of them, which must fail.
  private static func reading(
    _ name: String, only: Capabilities.Operation? = nil, codes: [BackendError.Code] = unreadable,
    _ faults: [(FaultyExchange.Fault, String)]
  ) -> Part {
    Part(name) { context throws(CheckStop) in
      let calls = try await context.calls.reads(only: only)
      for (fault, words) in faults {
        for call in calls { try await context.requireFailure(of: call, fault, words, codes) }
      }
    }
  }

  private static let emptyAnswer = Part("empty response") { context throws(CheckStop) in
    for call in try await context.calls.reads() {
      let codes = unreadable + [.notFound]
      try await context.requireFailure(of: call, .json(""), "status 200 was returned without a body", codes)
      // A list with status 204 may be the server's empty list.
      guard call.operation == .get else { continue }
      try await context.requireFailure(
        of: call, .answer(status: 204, type: "", body: ""), "status 204 was returned", codes)
    }
  }

  private static let nestedValue = Part("deeply nested value") { context throws(CheckStop) in
    guard let id = try await context.own.id() else { throw .notApplicable("the suite cannot create a record here") }
    let marked = try await context.sandbox.template().markField
    var calls = try await context.calls.reads()
    if context.operations.contains(.get) { calls = [context.calls.get(id)] }
    for call in calls {
      let records = try await context.attempt(call.words, await call.make(context.backend))
      guard let text = records.first(where: { $0.id == id })?.fields[marked]?.text else { continue }
      let outcome = try await context.outcome(of: call, .replaced("\"\(text)\"", with: bombs[2]))
      if case .success(let same) = outcome.result, same == records {
        throw .notApplicable("the response does not contain the text of a record verbatim")
      }
      try await context.require(outcome, after: "\(marked) had \(depth) levels", unreadable)
      return
    }
    throw .notApplicable("the suite's record is not in the response")
  }

  private static let wrongType = Law(
    "wrong content type", .faults, "a response with the wrong content type throws `badResponse` or is read anyway."
  ) { context throws(CheckStop) in
    let types = ["text/html; charset=utf-8", "application/octet-stream"]
    try await context.requireSame(types.map { (.contentType($0), "the content type was \($0)") }, or: unreadable)
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
      "the record \(ids[0]) was requested and the record \(ids[1]) was returned", unreadable,
      of: await backend.get(ids[0]))
  }

  /// Error statuses in response to every declared call.
  private static let statusesOfWrites = Law(
    "status codes of writes", .faults,
    "each error status in response to a write throws its code; from 500 up, except for 501, the effect is `unknown`,"
      + " and otherwise nothing was changed.",
    parts: [
      status("write returns 401", [401], [.unauthorized]), status("write returns 403", [403], [.forbidden]),
      status("404 response", [404], [.notFound, .misconfigured], reads: true),
      status("write returns 409", [409], [.conflict, .alreadyExists]),
      status("400 or 422 response", [400, 422], [.invalid], reads: true),
      status("write returns 429", [429], [.rateLimited]),
      status("write returns 500", [500], [.badResponse, .unavailable], [.unknown]),
      status("write returns 502 to 504", [502, 503, 504], [.unavailable, .timedOut], [.unknown]),
    ])

  private static func status(
    _ name: String, _ statuses: [Int], _ codes: [BackendError.Code],
    _ effects: [BackendError.Effect] = [.rejected], reads: Bool = false
  ) -> Part {
    Part(name) { context throws(CheckStop) in
      let readCalls = reads ? try await context.calls.reads() : []
      // A resource without writes is only judged by its reads.
      let writeCalls = context.calls.hasWrites ? try await context.calls.writes(unsent: true, clearing: true) : []
      guard !(readCalls + writeCalls).isEmpty else { throw .notApplicable("the resource declares no write") }
      for status in statuses {
        for call in readCalls + writeCalls {
          try await context.requireFailure(
            of: call, .json("{}", status: status), "status \(status) was returned", codes, effects)
        }
      }
    }
  }
}
