import BackendClient
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
    refusedData, explainedRefusals, uncertainOutcome, transportErrors, errorSentence,
  ]

  private static let uncertainOutcome = Law(
    "uncertain write outcome", .errors,
    "a write that may have been applied is never reported as not applied: if there was no response, or the response"
      + " was lost, truncated, empty, an HTML page, a redirect, or had the status 500.",
    parts: [
      Part(
        "create returns 500", needs: [.create],
        check: create(returning: [500], [.unavailable, .badResponse], [.unknown, .applied])),
      timedOut, lostAnswer, webPageForWrite, wordlessWrite, cutReceipt, redirectedWrite,
    ])

  private static func code(_ status: Int, _ codes: [BackendError.Code]) -> Part {
    Part("read returns \(status)") { context throws(CheckStop) in
      let hides = context.capabilities.missingStatuses.contains(status)
      let id = try await context.anyID() ?? context.plausibleID
      let reads = [context.calls.list(context.query()), context.calls.get(id)]
      for call in reads where context.operations.contains(call.operation) {
        try await context.requireFailure(
          of: call, .json("{}", status: status), "the server returned \(status)",
          hides && call.operation == .get ? [.notFound] : codes)
      }
    }
  }

  private static let refusedData = Law(
    "create returns 400 or 422", .errors, needs: [.create],
    "a 400 or 422 response to a create throws `invalid`, and nothing was changed.",
    check: create(returning: [400, 422], [.invalid], [.rejected]))

  private static func create(
    returning statuses: [Int], _ codes: [BackendError.Code], _ effects: [BackendError.Effect]
  ) -> Check {
    { context throws(CheckStop) in
      let call = context.calls.create(try await context.sandbox.fields())
      for status in statuses {
        try await context.requireFailure(
          of: call, .json("{}", status: status), "the server returned \(status)", codes, effects)
      }
    }
  }

  private static let explainedRefusals = Law(
    "refusals are explained", .errors, needs: [.create],
    "the error of a refused create has a sentence of the response, if that has any, and names the field if the response"
      + " does; a value that has to be unique and is taken is refused, and 409 is then `alreadyExists`."
  ) { context throws(CheckStop) in
    var trials = try await context.fields.wrong().map { (sent: $0, isTaken: false) }
    for field in try await context.fields.unmarked() where field.isUnique {
      let number = SeededGenerator.number(of: context.subject.run)
      let sent = Object.only(
        field.name, field.kind == .text ? .string(field.fitting("\(number)-suite")) : .int(number))
      if case .success = try await context.own.tried(sent).answer { trials.append((sent, true)) }
    }
    var judged = 0
    for (sent, isTaken) in trials {
      let (all, answer) = try await context.own.tried(sent)
      let done = "a record was created with \(context.words(sent))\(isTaken ? ", which another has" : "")"
      guard case .failure(let error) = answer else {
        try context.require(
          !isTaken, done, expected: "a refusal, since it is described as unique", found: "success")
        continue
      }
      guard error.effect != .notSent, let heard = context.meter.lastHeard.last, heard.request.mayWrite,
        (400..<500).contains(heard.status),
        let document = try? JSONReader.read(heard.body)
      else { continue }
      judged += 1
      try context.require(
        !isTaken || heard.status != 409 || error.code == .alreadyExists, done,
        expected: "the error \"alreadyExists\"", found: "the error \(error)")
      let texts = document.namesAndTexts.filter { text in !all.members.contains { $0.1.text == text } }
      let sentences = texts.filter { $0.utf8.count > 8 && $0.contains(" ") }
      let told = ["\(error)"] + error.fields.map(\.message)
      try context.require(
        sentences.isEmpty
          || sentences.contains { said in told.contains { $0.contains(text: String(said.prefix(30))) } },
        done, expected: "an error with the service's words, \"\(sentences.first ?? "")\"", found: "the error \(error)")
      let name = sent.names.first ?? ""
      // A response may also show the whole record.
      guard texts.contains(where: { $0 == name || $0.hasSuffix("/" + name) }), !all.names.allSatisfy(texts.contains)
      else { continue }
      try context.require(
        error.fields.contains { $0.field.split(separator: ".").contains(name[...]) }
          || told.contains { $0.contains(text: name) }, done,
        expected: "an error of the field \(name), which the response names",
        found: error.fields.isEmpty ? "an error of no field" : "one of \(error.fields.map(\.field))")
    }
    if judged == 0 { throw .notApplicable("the server refuses nothing that the suite sends, or does not say why") }
  }

  private static let transportErrors = Law(
    "transport errors", .errors, by: .engine,
    "a transport error keeps its code and its effect, which is `notSent` for a request that was never sent."
  ) { context throws(CheckStop) in
    let reads = try await context.calls.reads()
    let writes = context.calls.hasWrites ? try await context.calls.writes(unsent: true) : []
    for code in [BackendError.Code.unavailable, .timedOut, .unauthorized, .cancelled] {
      for (effect, calls) in [(BackendError.Effect.notSent, reads + writes), (.rejected, reads)] {
        let fault = FaultyExchange.Fault.error(BackendError(code, "the suite makes the transport fail", effect: effect))
        for call in calls {
          try await context.requireFailure(of: call, fault, "the transport failed", [code], [effect])
        }
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

extension Value {
  /// The texts within the value, and the names of members with texts or lists.
  fileprivate var namesAndTexts: [String] {
    switch self {
    case .string(let text): [text]
    case .array(let elements): elements.flatMap(\.namesAndTexts)
    case .object(let object):
      object.members.flatMap { ($0.1.text == nil && $0.1.array == nil ? [] : [$0.0]) + $0.1.namesAndTexts }
    default: []
    }
  }
}
