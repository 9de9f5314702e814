import BackendKit

extension Law {
  static let errors: [Law] = [
    Law(
      "status codes of reads", .errors,
      "a 401 response throws `unauthorized`, 403 `forbidden`, 429 `rateLimited`, 503 `unavailable`, and 500"
        + " `unavailable` or `badResponse`; in a read of one record, a status that is declared to mean that the record"
        + " does not exist throws `notFound`.",
      parts: [
        code(401, [.unauthorized]), code(403, [.forbidden]), code(429, [.rateLimited]), code(503, [.unavailable]),
        code(500, [.unavailable, .badResponse]),
      ]),
    refusedData, uncertainOutcome, transportErrors, errorSentence,
  ]

  private static let uncertainOutcome = Law(
    "uncertain write outcome", .errors,
    "a write that may have been applied is never reported as not applied: if there was no response, or the response"
      + " was lost, truncated, empty, an HTML page, a redirect, or had the status 500.",
    parts: [uncertainWrite, timedOut, lostAnswer, webPageForWrite, wordlessWrite, cutReceipt, redirectedWrite])

  private static func code(_ status: Int, _ codes: [BackendError.Code]) -> Part {
    Part("read returns \(status)") { context throws(CheckStop) in
      let backend = try context.faulty(.json("{}", status: status)).backend
      if context.operations.contains(.list) {
        try await context.expectFailure(
          "a list was requested and the server returned \(status)", codes, effects: [.rejected, .notSent],
          of: await backend.page(context.query()))
      }
      guard context.operations.contains(.get) else { return }
      let hides = context.capabilities.missingStatuses.contains(status)
      try await context.expectFailure(
        "a record was read and the server returned \(status)", hides ? [.notFound] : codes,
        effects: [.rejected, .notSent],
        of: await backend.get(context.plausibleID))
    }
  }

  private static let refusedData = Law(
    "create returns 400 or 422", .errors, needs: [.create],
    "a 400 or 422 response to a create throws `invalid`, and nothing was changed."
  ) { context throws(CheckStop) in
    let fields = try await context.sandbox.fields()
    for status in [400, 422] {
      let backend = try context.faulty(.json("{}", status: status), writesOnly: true).backend
      try await context.expectFailure(
        "a record was created and the server returned \(status)", [.invalid], effects: [.rejected],
        of: await backend.create(fields))
    }
  }

  private static let uncertainWrite = Part("500 or lost connection", needs: [.create]) { context throws(CheckStop) in
    let fields = try await context.sandbox.fields()
    let lost = BackendError(.unavailable, "the connection was closed", effect: .unknown)
    for fault in [.json("{}", status: 500), FaultyExchange.Fault.error(lost)] {
      let backend = try context.faulty(fault, writesOnly: true).backend
      try await context.expectFailure(
        "a record was created and the outcome was lost", [.unavailable, .badResponse], effects: [.unknown, .applied],
        of: await backend.create(fields))
    }
  }

  private static let transportErrors = Law(
    "transport errors", .errors, by: .engine, needs: [.list], "a transport error keeps its code and its effect."
  ) { context throws(CheckStop) in
    for code in [BackendError.Code.unavailable, .timedOut, .unauthorized, .cancelled] {
      for effect in [BackendError.Effect.notSent, .rejected] {
        let error = BackendError(code, "the suite makes the transport fail", effect: effect)
        let backend = try context.faulty(.error(error)).backend
        try await context.expectFailure(
          "a list was requested and the transport failed with \"\(code.rawValue)\"", [code], effects: [effect],
          of: await backend.page(context.query()))
      }
    }
  }

  private static let errorSentence = Law(
    "error message form", .errors, by: .engine, needs: [.list],
    "an error message is a clause that says what failed: not empty, on one line, without a period at its end."
  ) { context throws(CheckStop) in
    for status in [301, 400, 401, 403, 404, 405, 409, 418, 429, 500, 503] {
      let backend = try context.faulty(.json("{}", status: status)).backend
      let done = "a list was requested and the server returned \(status)"
      guard case .failure(let error) = await Result.of(try await backend.page(context.query())) else {
        throw .breach(done, expected: "an error", found: "success")
      }
      let message = error.message
      try context.require(
        !message.isEmpty && !message.hasSuffix(".") && !message.unicodeScalars.contains { $0.value < 0x20 }, done,
        expected: "a clause on one line", found: "\"\(message)\"")
    }
  }
}
