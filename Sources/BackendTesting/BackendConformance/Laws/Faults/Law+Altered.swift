import BackendKit

/// Valid responses with a single alteration.
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
        try await context.requireFailure(
          of: call, .status(status), "the response had the status \(status)",
          [.unauthorized, .badResponse, .unavailable, .misconfigured])
      }
      // A backend without access to the server can still return its static description.
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
      guard let answer = try await context.answer(to: call) else { continue }
      replayed += 1
      for (status, codes) in [(400, [BackendError.Code.invalid]), (500, [.badResponse, .unavailable])] {
        let outcome = try await context.outcome(of: call, answer.changed(status: status))
        guard !outcome.befallen.isEmpty, !outcome.lookedAfter else { continue }
        try await context.require(
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
      _ = try await context.page(ListQuery(context.path, pageSize: 4, skip: 0), of: try context.backend(over: larger))
      guard larger.requests.count == 1, let request = larger.requests.first else {
        throw .notApplicable("a page takes several requests")
      }
      let backend = try context.backend(over: context.answering(as: request))
      let done = "\(context.words(asked)) was requested and a page of 4 was returned"
      let page = try await context.attempt(
        done, or: unreadable, expected: "the error \"badResponse\"", await backend.page(asked))
      guard let page else { continue }
      let (count, end) = (page.records.count, page.end)
      // A list from the start may have sent all of its records.
      let isLast = skip + count >= (skip == 0 ? min(4, records.count) : records.count)
      let isTold = count <= 2 || count <= (end.pageSize ?? 2) && (end.next != nil || isLast)
      try context.require(
        isTold, done, expected: "the error \"badResponse\", or a page size that is reported",
        found: "\(count) records and \(end.pageSize.map { "the page size \($0)" } ?? "no page size")")
    }
  }

  private static let alteredReceipt = Part("altered value in response") { context throws(CheckStop) in
    try await context.sandbox.needsWriting()
    let field = try await context.sandbox.template().markField
    var altered = false
    var calls: [(LawCall, Value?)] = []
    if context.operations.contains(.create) {
      let fields = try await context.sandbox.fields()
      calls.append((context.calls.create(fields), fields[field]))
    }
    if context.operations.contains(.update), let id = try await context.own.id() {
      let text = Value.string("\(context.sandbox.mark)-altered")
      calls.append((context.calls.update(id, .only(field, text)), text))
    }
    for (call, value) in calls {
      guard let text = value?.text, !text.isEmpty else { continue }
      let done = "the response showed a \(field) other than the one sent"
      let isAltered = try await context.requireTold(call, field, .string(text), done) { body in
        guard let place = body.utf8.firstRange(of: Array(text.utf8)) else { return nil }
        return String(body[..<place.lowerBound]) + "something else" + String(body[place.upperBound...])
      }
      altered = altered || isAltered
    }
    if !altered { throw .notApplicable("responses to writes do not contain what was sent") }
  }

  private static let leanReceipt = Part("missing value in response") { context throws(CheckStop) in
    try await context.sandbox.needsWriting()
    try context.needs(.update)
    guard let id = try await context.own.id() else { throw .notApplicable("the suite cannot create a record here") }
    let mark = try await context.sandbox.template().markField
    var values: [(String, Value)] = [(mark, .string("\(context.sandbox.mark)-lean"))]
    values += try await context.fields.writable().filter { $0.kind == .boolean }.prefix(1).map { ($0.name, false) }
    var lean = false
    for (field, value) in values {
      let call = LawCall(.update, "\(field) of the record \(id) was set to \(value.shown)") {
        backend throws(BackendError) in try await backend.update(id, [.set(field, value)])
      }
      let done = "the response was a record without it"
      let isLean = try await context.requireTold(call, field, value, done, mayShowNothing: true) { body in
        guard let whole = try? JSONReader.read(Array(body.utf8)), whole.without(field) != whole else { return nil }
        return JSONWriter.compact(whole.without(field))
      }
      lean = lean || isLean
    }
    if !lean { throw .notApplicable("responses to updates do not contain what was sent") }
  }

  private static let receiptOfAnother = Part("wrong record in response", needs: [.update]) {
    context throws(CheckStop) in
    let ids = try await context.sandbox.make(2)
    let field = try await context.sandbox.template().markField
    let calls = ids.map { context.calls.update($0, .only(field, .string("\(context.sandbox.mark)-another"))) }
    var answers: [FaultyExchange.Fault] = []
    for call in calls { if let answer = try await context.answer(to: call) { answers.append(answer) } }
    guard answers.count == 2, answers[0].body != answers[1].body else {
      throw .notApplicable("responses to updates do not contain the record")
    }
    let done = "the record \(ids[0]) was changed and the response was the record \(ids[1])"
    try await context.requireTold(calls[0], answers[1], done, expected: "a note, or an error") { !$0.notes.isEmpty }
  }
}

extension Value {
  /// The value without a member of all objects within.
  func without(_ name: String) -> Value {
    switch self {
    case .object(let object):
      .object(Object(object.members.filter { $0.0 != name }.map { ($0.0, $0.1.without(name)) }))
    case .array(let values): .array(values.map { $0.without(name) })
    default: self
    }
  }
}

extension LawContext {
  /// Makes a write, then again with an altered response, which it must report; false if there was nothing to alter.
  fileprivate func requireTold(
    _ call: LawCall, _ field: String, _ value: Value, _ circumstance: String, mayShowNothing: Bool = false,
    altering alter: (String) -> String?
  ) async throws(CheckStop) -> Bool {
    guard let answer = try await answer(to: call), let other = answer.body.flatMap(alter) else { return false }
    try await requireTold(
      call, answer.changed(body: other), "\(call.words) and \(circumstance)",
      expected: "a note that names \(field), or an error"
    ) { receipt in
      ValueSimilarity.isNoted(field, receipt.notes) || receipt.record?.fields[field] == value
        || (mayShowNothing && receipt.record == nil)
    }
    return true
  }

  /// Requires that a write reports that its response does not show what was sent.
  fileprivate func requireTold(
    _ call: LawCall, _ answer: FaultyExchange.Fault, _ done: String, expected: String,
    _ isTold: (WriteReceipt) -> Bool
  ) async throws(CheckStop) {
    let backend = try faulty(answer, writesOnly: true).backend
    switch await Result.of(try await call.write?(backend)) {
    case .success(let receipt):
      try require(receipt.map(isTold) == true, done, expected: expected, found: "success without a note")
    case .failure(let error):
      try require(error.code == .badResponse, done, expected: "the error \"badResponse\"", found: "the error \(error)")
      try require(
        error.effect == .unknown || error.effect == .applied, done,
        expected: "the effect \"unknown\" or \"applied\"", found: "the effect \"\(error.effect.rawValue)\" in \(error)")
    }
  }
}
