import BackendClient
import BackendKit
import Synchronization

/// Laws of ``LawGroup/list`` about the sink and about what is shown.
extension Law {
  static let projection = Law(
    "projection", .list,
    "where a projection is planned `exact`, it returns the requested fields, as `get` returns them, and no others."
  ) { context throws(CheckStop) in
    let whole = try await context.list(atLeast: 1)
    let names = Array(whole[0].fields.names.filter { !context.resource.identifier.isHeld(by: $0) }.prefix(2))
    guard !names.isEmpty else { throw .notApplicable("records have no fields") }
    let query = ListQuery(context.path, fields: names.map { FieldPath($0) })
    let isPlanned = try await context.plan(query).fields == .exact
    let shown =
      isPlanned
      ? try await context.page(query).records : try await context.gather(ListRequest(query, limit: whole.count))
    let allowed = Set(names + (isPlanned ? whole[0].fields.names.filter(context.resource.identifier.isHeld) : []))
    for (record, full) in zip(shown, whole) {
      let extra = record.fields.names.first { !allowed.contains($0) }
      try context.require(
        extra == nil, "\(context.words(query)) was requested", expected: "no other field", found: "also \(extra ?? "")")
      for name in names where !full.unloaded.contains(name) {
        try context.require(
          record.id == full.id && record.fields[name] == full.fields[name],
          "\(context.words(query)) was requested", expected: "the record \(full.id?.text ?? "") with its \(name)",
          found: "the record \(record.id?.text ?? "") with \(record.fields[name].map(JSONWriter.compact) ?? "none")")
      }
    }
    if !isPlanned { throw .emulated }
  }

  static let enough = Law(
    "enough ends the list", .list, by: .engine, "when the sink returns `enough`, no further record is sent to it."
  ) { context throws(CheckStop) in
    _ = try await context.list(atLeast: 2)
    let batches = Mutex(0)
    let sink = RecordSink { _ in
      batches.withLock { $0 += 1 }
      return .enough
    }
    _ = try await context.attempt(
      "a list was requested whose sink returned \"enough\" immediately",
      await context.backend.list(context.query(), at: nil, to: sink))
    let count = batches.withLock { $0 }
    try context.require(
      count == 1, "a list was requested whose sink returned \"enough\" immediately", expected: "one batch of records",
      found: "\(count)")
  }

  static let givenUp = Law(
    "cursor of a stopped list", .list, by: .engine,
    "the cursor of a list that was stopped partway is accepted, and leads to none of the records already sent."
  ) { context throws(CheckStop) in
    _ = try await context.list(atLeast: 3)
    // Sends as few records at a time as possible.
    let backend = try context.faulty(.drip).backend
    let done = "the list was stopped after its first records"
    let beginning = try await context.attempt(done, await backend.page(context.query(), enough: 1))
    let sent = beginning.records.map(\.id)
    guard let cursor = beginning.end.next else { throw .notApplicable("a list that was stopped has no cursor") }
    let page = try await context.page(context.query(), at: cursor, of: backend)
    let again = page.records.map(\.id).filter { sent.contains($0) }
    try context.require(
      again.isEmpty, done + ", then continued from its cursor", expected: "none of the records already sent",
      found: context.words(again))
  }

  static let sinkError = Law(
    "sink error", .list, by: .engine, "an error thrown by the sink ends the list and is reported as the list's error."
  ) { context throws(CheckStop) in
    _ = try await context.list(atLeast: 1)
    let own = BackendError(.conflict, "the sink of the suite failed", effect: .rejected)
    let batches = Mutex(0)
    let sink = RecordSink { _ throws(BackendError) in
      batches.withLock { $0 += 1 }
      throw own
    }
    let error = try await context.expectFailure(
      "a list was requested whose sink failed", [.conflict],
      of: await context.backend.list(context.query(), at: nil, to: sink))
    let count = batches.withLock { $0 }
    try context.require(
      error.message == own.message && count == 1, "a list was requested whose sink failed",
      expected: "its error after one batch", found: "the error \(error) after \(count)")
  }

  static let cutShort = Law(
    "truncated list", .list, by: .engine,
    "a truncated response throws `badResponse`; what was sent to the sink before is not a complete page."
  ) { context throws(CheckStop) in
    _ = try await context.list(atLeast: 1)
    for count in [1, 12] {
      let backend = try context.faulty(.cutBody(after: count)).backend
      try await context.expectFailure(
        "a list was requested whose response ended after \(count) bytes", [.badResponse], effects: [.rejected],
        of: await backend.page(context.query()))
    }
  }
}

extension LawContext {
  func gather(_ request: ListRequest) async throws(CheckStop) -> [Record] {
    try await attempt("the console requested \(words(request.query))", await client.records(request)).records
  }
}
