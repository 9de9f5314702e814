import BackendKit

/// Sound answers in which one thing is another than it should be.
extension Law {
  static let altered: [Law] = [

    Law(
      "status overrides body", .faults,
      "a response with an error status is an error, even if its body is valid, and even in response to a write; a"
        + " live description, too, fails on 500 and 503.",
      parts: [statusDecides, statusOfWriteDecides]),
    overfullPage, leanAnswers, leanRecords,
    Law(
      "mismatched write responses", .faults,
      "a write whose response shows a value other than the one sent, lacks one, or is a different record, is reported"
        + " by a note or `badResponse`, and never as not applied.",
      parts: [alteredReceipt, leanReceipt, receiptOfAnother]),

  ]

  private static let statusDecides = Part("read status overrides body") { context throws(CheckStop) in
    for status in [401, 500, 503] {
      for call in try await context.calls.reads() {
        let outcome = try await context.outcome(of: call, .status(status))
        try context.require(
          outcome, after: "the response had the status \(status)",
          [.unauthorized, .badResponse, .unavailable, .misconfigured], readEffects)
      }
      // A backend that may not read the server can still return its static description.
      guard status >= 500 else { continue }
      let (backend, exchange) = try context.faulty(.status(status))
      let description = await Result.of(try await backend.describe(.live))
      // A backend that needs nothing from the server sends no request.
      if exchange.requests.isEmpty { continue }
      try await context.expectFailure(
        "the backend was described live and every response had the status \(status)",
        [.badResponse, .unavailable, .misconfigured],
        of: description.get())
    }
  }

  private static let statusOfWriteDecides = Part("write status overrides body") { context throws(CheckStop) in
    try await context.sandbox.needsWriting()
    var replayed = 0
    for call in try await context.calls.writes() {
      guard case .answer(_, let type, let body, let headers)? = try await context.answer(to: call) else { continue }
      replayed += 1
      for (status, codes) in [(400, [BackendError.Code.invalid]), (500, [.badResponse, .unavailable])] {
        let answer = FaultyExchange.Fault.answer(status: status, type: type, body: body, headers: headers)
        let outcome = try await context.outcome(ofWrite: call, answer)
        guard !outcome.befallen.isEmpty, !outcome.lookedAfter else { continue }
        try context.require(
          outcome, after: "the success response had the status \(status)", codes,
          status < 500 ? [.rejected] : [.unknown])
      }
    }
    if replayed == 0 { throw .notApplicable("no write got a response") }
  }

  private static let overfullPage = Law(
    "oversized page", .faults,
    "if a server sends more records than requested for a page, they are refused with `badResponse`, or the end of the"
      + " page reports the larger size and no record is lost."
  ) { context throws(CheckStop) in
    guard context.capabilities.paging != .none else { throw .notApplicable("lists are not paged") }
    let records = try await context.list(atLeast: 5)
    for skip in [0, 1, 2] {
      let asked = ListQuery(context.path, pageSize: 2, skip: skip)
      guard try await context.plan(asked).skip == .exact else { continue }
      let larger = CountingExchange(context.traffic)
      _ = try await context.page(
        ListQuery(context.path, pageSize: 4, skip: 0), of: try context.backend(over: larger))
      guard larger.requests.count == 1, let request = larger.requests.first else {
        throw .notApplicable("a page takes several requests")
      }
      let backend = try context.backend(over: context.answering(as: request))
      let done = "\(context.words(asked)) was requested and a page of 4 was returned"
      switch await Result.of(try await backend.page(asked)) {
      case .success(let page):
        let (count, end) = (page.records.count, page.end)
        // One who asked from the beginning may have been sent all there was.
        let isLast = skip + count >= (skip == 0 ? min(4, records.count) : records.count)
        let isTold = count <= 2 || count <= (end.pageSize ?? 2) && (end.next != nil || isLast)
        try context.require(
          isTold, done, expected: "the error \"badResponse\", or a page size that is reported",
          found: "\(count) records and \(end.pageSize.map { "the page size \($0)" } ?? "no page size")")
      case .failure(let error):
        try context.require(
          unreadable.contains(error.code), done, expected: "the error \"badResponse\"", found: "the error \(error)")
      }
    }
  }

  private static let alteredReceipt = Part("altered value in response") { context throws(CheckStop) in
    try await context.sandbox.needsWriting()
    let field = try await context.sandbox.template().markField
    var altered = 0
    if context.operations.contains(.create) {
      let fields = try await context.sandbox.fields()
      altered += try await context.alter(context.calls.create(fields), fields[field]?.text ?? "", field) {
        backend throws(BackendError) in try await backend.create(fields)
      }
    }
    if context.operations.contains(.update), let id = try await context.own.id() {
      let text = "\(context.sandbox.mark)-altered"
      altered += try await context.alter(context.calls.update(id, .only(field, .string(text))), text, field) {
        backend throws(BackendError) in
        try await backend.update(id, [.set(field, .string(text))])
      }
    }
    if altered == 0 { throw .notApplicable("responses to writes do not contain what was sent") }
  }

  private static let leanReceipt = Part("missing value in response") { context throws(CheckStop) in
    try await context.sandbox.needsWriting()
    try context.needs(.update)
    guard let id = try await context.own.id() else { throw .notApplicable("the suite cannot create a record here") }
    let mark = try await context.sandbox.template().markField
    var values: [(String, Value)] = [(mark, .string("\(context.sandbox.mark)-lean"))]
    values += try await context.fields.writable().filter { $0.kind == .boolean }.prefix(1).map { ($0.name, false) }
    var lean = 0
    for (field, value) in values {
      let call = LawCall(
        operation: .update, words: "\(field) of the record \(id) was set to \(ValueSimilarity.shown(value))"
      ) { backend throws(BackendError) in
        LawCall.records(try await backend.update(id, [.set(field, value)]))
      }
      guard case .answer(let status, let type, let body, let headers)? = try await context.answer(to: call),
        let whole = try? JSONReader.read(Array(body.utf8)), whole.without(field) != whole
      else { continue }
      lean += 1
      let replay = FaultyExchange(
        context.traffic,
        .answer(status: status, type: type, body: JSONWriter.compact(whole.without(field)), headers: headers),
        when: LawCall.mayWrite)
      let backend = try context.backend(over: replay)
      let done = "\(call.words) and the response was a record without it"
      let outcome = await Result.of(
        try await backend.update(id, [.set(field, value)]))
      try context.requireTold(outcome, field, value, done, mayShowNothing: true)
    }
    if lean == 0 { throw .notApplicable("responses to updates do not contain what was sent") }
  }

  private static let receiptOfAnother = Part("wrong record in response", needs: [.update]) {
    context throws(CheckStop) in
    let ids = try await context.sandbox.make(2)
    let field = try await context.sandbox.template().markField
    let change = Change.set(field, .string("\(context.sandbox.mark)-another"))
    var bodies: [String] = []
    var answer: FaultyExchange.Fault?
    for id in ids {
      let call = context.calls.update(id, .only(field, .string("\(context.sandbox.mark)-another")))
      answer = try await context.answer(to: call)
      if case .answer(_, _, let body, _)? = answer { bodies.append(body) }
    }
    guard let answer, bodies.count == 2, bodies[0] != bodies[1] else {
      throw .notApplicable("responses to updates do not contain the record")
    }
    let replay = try context.backend(over: FaultyExchange(context.traffic, answer, when: LawCall.mayWrite))
    let done = "the record \(ids[0]) was changed and the response was the record \(ids[1])"
    let outcome = await Result.of(try await replay.update(ids[0], [change]))
    switch outcome {
    case .success(let receipt):
      try context.require(
        !receipt.notes.isEmpty, done, expected: "a note, or an error", found: "success without a note")
    case .failure(let error): try context.requireUnreadable(error, done)
    }
  }
}

extension Value {
  /// The value with no member of this name, at any depth.
  fileprivate func without(_ name: String) -> Value {
    switch self {
    case .object(let object):
      .object(Object(object.members.filter { $0.0 != name }.map { ($0.0, $0.1.without(name)) }))
    case .array(let values): .array(values.map { $0.without(name) })
    default: self
    }
  }
}

extension LawContext {
  /// The server's answer to a write, which is made; nil where there was none.
  func answer(to call: LawCall) async throws(CheckStop) -> FaultyExchange.Fault? {
    let kept = KeptAnswers(traffic)
    let backend = try backend(over: kept)
    let records = try await attempt(call.words, await call.make(backend))
    if call.operation == .create { sandbox.adopt(records.first?.id) }
    return kept.last
  }

  /// Makes a write, and again with its answer altered: 1 where there was anything to alter.
  fileprivate func alter(
    _ call: LawCall, _ text: String, _ field: String,
    _ write: (JudgedBackend) async throws(BackendError) -> WriteReceipt
  ) async throws(CheckStop) -> Int {
    guard !text.isEmpty, case .answer(let status, let type, let body, let headers)? = try await answer(to: call),
      let place = body.utf8.firstRange(of: Array(text.utf8))
    else { return 0 }
    let other = String(body[..<place.lowerBound]) + "something else" + String(body[place.upperBound...])
    let replay = FaultyExchange(
      traffic, .answer(status: status, type: type, body: other, headers: headers), when: LawCall.mayWrite)
    let backend = try backend(over: replay)
    let done = "\(call.words) and the response showed a \(field) other than the one sent"
    let outcome = await Result.of(try await write(backend))
    try requireTold(outcome, field, .string(text), done)
    return 1
  }

  /// Ends the law as broken unless a write says that its answer does not show what was sent.
  fileprivate func requireTold(
    _ outcome: Result<WriteReceipt, BackendError>, _ field: String, _ value: Value, _ done: String,
    mayShowNothing: Bool = false
  ) throws(CheckStop) {
    switch outcome {
    case .success(let receipt):
      let isTold =
        ValueSimilarity.isNoted(field, receipt.notes) || receipt.record?.fields[field] == value
        || (mayShowNothing && receipt.record == nil)
      try require(isTold, done, expected: "a note that names \(field), or an error", found: "success without a note")
    case .failure(let error): try requireUnreadable(error, done)
    }
  }

  /// Ends the law as broken unless an error says that the answer to a write made no sense.
  fileprivate func requireUnreadable(_ error: BackendError, _ done: String) throws(CheckStop) {
    try require(error.code == .badResponse, done, expected: "the error \"badResponse\"", found: "the error \(error)")
    try require(
      error.effect == .unknown || error.effect == .applied, done,
      expected: "the effect \"unknown\" or \"applied\"", found: "the effect \"\(error.effect.rawValue)\" in \(error)")
  }
}
