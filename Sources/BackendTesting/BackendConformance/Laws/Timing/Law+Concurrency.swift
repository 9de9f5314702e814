import BackendKit

/// Simultaneous calls of one adapter.
extension Law {
  static let concurrency: [Law] = [
    Law(
      "concurrent calls", .concurrency,
      "concurrent creates, updates, reads and lists each affect or return only their own records.",
      parts: [tenCreates, tenUpdates, concurrentReads, concurrentLists]),
    lostUpdate, deleteDuringGet, twoDeletions,
  ]

  private static let tenCreates = Part("ten concurrent creates") { context throws(CheckStop) in
    try await context.sandbox.needsWriting()
    let field = try await context.sandbox.template().markField
    var all: [Object] = []
    for _ in 0..<10 { all.append(try await context.sandbox.fields()) }
    let backend = try context.backend(over: context.meeting(all.count))
    let results = await LawCall.atOnce(all) { fields throws(BackendError) in
      try await context.own.create(fields, by: backend)
    }
    let receipts = try await context.answers(of: results, "ten records were created concurrently")
    let ids = receipts.compactMap(\.id)
    guard ids.count == receipts.count else {
      throw .notApplicable("the server does not report the identifiers of the records it creates")
    }
    try context.require(
      Set(ids).count == ids.count, "ten records were created concurrently", expected: "ten identifiers",
      found: "\(Set(ids).count): \(ids.map(\.text).joined(separator: ", "))")
    guard context.operations.contains(.get) else { return }
    try await context.requireOwn(field, all.map { $0[field] ?? .null }, of: ids, backend, "created")
  }

  private static let tenUpdates = Part("ten concurrent updates", needs: [.get, .update]) { context throws(CheckStop) in
    let ids = try await context.sandbox.make(10)
    let field = try await context.sandbox.template().markField
    var texts: [Value] = []
    for _ in ids { texts.append(try await context.sandbox.fields()[field] ?? .null) }
    let backend = try context.backend(over: context.meeting(ids.count))
    let results = await LawCall.atOnce(Array(zip(ids, texts))) { pair throws(BackendError) in
      try await backend.update(pair.0, [.set(field, pair.1)])
    }
    _ = try await context.answers(of: results, "ten records were changed concurrently")
    try await context.requireOwn(field, texts, of: ids, backend, "changed")
  }

  private static let lostUpdate = Law(
    "no lost updates", .concurrency, by: .mapping, needs: [.get, .update],
    "concurrent updates of different fields of one record are all kept, or refused with `conflict`, unless updates are"
      + " declared to replace records without revisions, or to overwrite one another."
  ) { context throws(CheckStop) in
    guard context.capabilities.update == .partial || context.capabilities.hasRevisions else {
      throw .notApplicable("the resource declares that updates replace records that have no revisions")
    }
    guard context.capabilities.updatesAreAtomic else {
      throw .notApplicable("the resource declares that concurrent updates may overwrite one another")
    }
    let draft = try await DraftRecords(context)
    let names = Array(draft.changeable.prefix(10))
    guard names.count > 1 else { throw try await context.fields.without("only one field can be changed") }
    for round in 0..<3 {
      let id = try await context.sandbox.make(1)[0]
      let changes = names.map { Change.set($0.name, draft.plainValue(of: $0, 10 + round)) }
      let backend = try context.backend(over: context.meeting(changes.count))
      let results = await LawCall.atOnce(changes) { change throws(BackendError) in
        try await backend.update(id, [change])
      }
      let record = try await context.attempt("a record changed by several updates was read", await backend.get(id))
      for (change, result) in zip(changes, results) {
        let done = "the field \(change.field) was changed while other fields were"
        let receipt = try await context.attempt(
          done, or: [.conflict], expected: "success or the error \"conflict\"", result.get())
        guard receipt != nil, case .set(let name, let value) = change else { continue }
        try context.require(
          ValueSimilarity.same(record.fields[name], value), done, expected: JSONWriter.compact(value),
          found: record.fields[name].map(JSONWriter.compact) ?? "none")
      }
    }
  }

  private static let concurrentReads = Part("concurrent reads", needs: [.list, .get]) { context throws(CheckStop) in
    let ids = try await context.list(atLeast: 2).prefix(5).compactMap(\.id)
    guard !ids.isEmpty else { throw .notApplicable("records have no identifiers") }
    let backend = context.backend
    var alone: [Record] = []
    for id in ids { alone.append(try await context.get(id)) }
    let results = await LawCall.atOnce(ids + ids) { id throws(BackendError) in try await backend.get(id) }
    for (index, result) in results.enumerated() {
      let id = ids[index % ids.count]
      let done = "the record \(id) was read while others were"
      let record = try await context.attempt(done, or: [], expected: "the record", result.get())
      try context.require(
        record == alone[index % ids.count], done, expected: "the record as read before",
        found: "the record \(record?.id?.text ?? "without an identifier") with other content")
    }
  }

  private static let concurrentLists = Part("concurrent lists") { context throws(CheckStop) in
    _ = try await context.list(atLeast: 5)
    let queries = (1...5).map { context.query(pageSize: $0) }
    var alone: [[Record]] = []
    for query in queries { alone.append(try await context.page(query).records) }
    let results = await LawCall.atOnce(queries + queries) { query throws(BackendError) in
      try await context.calls.list(query).make(context.backend)
    }
    for (index, result) in results.enumerated() {
      let done = context.words(queries[index % 5]) + " was requested while others were"
      let records = try await context.attempt(done, or: [], expected: "a page", result.get())
      try context.require(
        records == alone[index % 5], done, expected: "the \(alone[index % 5].count) records of its first page",
        found: "\(records?.count ?? 0) different records")
    }
  }

  private static let deleteDuringGet = Law(
    "delete during read", .concurrency, needs: [.get, .delete],
    "a record that is deleted while it is being read is returned whole or not found."
  ) { context throws(CheckStop) in
    try context.needsDeletedGone()
    for id in try await context.sandbox.make(3) {
      let backend = context.backend
      let before = try await context.get(id)
      let get = context.calls.get(id)
      let calls = [get, get, context.calls.delete(id), get, get]
      var results = await LawCall.atOnce(calls) { call throws(BackendError) in try await call.make(backend) }
      _ = try await context.answers(of: [results.remove(at: 2)], "the record \(id) was deleted while it was being read")
      for result in results {
        let done = "the record \(id) was read while it was being deleted"
        let records = try await context.attempt(
          done, or: [.notFound], expected: "the record or \"notFound\"", result.get())
        try context.require(
          records == nil || records == [before], done, expected: "the record as it was", found: "a different one")
      }
    }
  }

  private static let twoDeletions = Law(
    "concurrent deletes", .concurrency, by: .mapping, needs: [.delete],
    "of several concurrent deletes of one record, at least one succeeds, and the others succeed too or throw"
      + " `notFound`."
  ) { context throws(CheckStop) in
    let neighbours = try await context.sandbox.make(3)
    let backend = context.backend
    let results = await LawCall.atOnce([RecordID](repeating: neighbours[1], count: 4)) {
      id throws(BackendError) in
      try await backend.delete(.one(id))
    }
    let done = "a record was deleted by four concurrent calls"
    var made = 0
    for result in results {
      let receipt = try await context.attempt(
        done, or: [.notFound], expected: "success or \"notFound\"", result.get())
      if receipt != nil { made += 1 }
    }
    try context.require(made > 0, done, expected: "one success", found: "none")
    guard context.operations.contains(.get) else { return }
    for id in [neighbours[0], neighbours[2]] {
      _ = try await context.attempt("a record next to a deleted one was read", await backend.get(id))
    }
  }
}

extension LawCall {
  private static func result<Element, Answer>(
    _ element: Element, _ call: (Element) async throws(BackendError) -> Answer
  ) async -> Result<Answer, BackendError> { await Result.of(try await call(element)) }

  /// Makes a call for each element simultaneously. Returns the results in the order of the elements.
  static func atOnce<Element: Sendable, Answer: Sendable>(
    _ elements: [Element], _ call: @escaping @Sendable (Element) async throws(BackendError) -> Answer
  ) async -> [Result<Answer, BackendError>] {
    await withTaskGroup(of: (Int, Result<Answer, BackendError>).self) { group in
      for (place, element) in elements.enumerated() {
        group.addTask { (place, await result(element, call)) }
      }
      var results: [(Int, Result<Answer, BackendError>)] = []
      for await result in group { results.append(result) }
      return results.sorted { $0.0 < $1.0 }.map(\.1)
    }
  }
}

extension LawContext {
  /// Requires that each record has its own value of a field.
  fileprivate func requireOwn(
    _ field: String, _ values: [Value], of ids: [RecordID], _ backend: JudgedBackend, _ verb: String
  ) async throws(CheckStop) {
    for (id, value) in zip(ids, values) {
      let done = "the record \(id), one of ten \(verb) concurrently, was read"
      let found = try await attempt(done, await backend.get(id)).fields[field]
      try require(found == value, done, expected: "its \(field) \(value.shown)", found: found.shown)
    }
  }

  fileprivate func answers<Answer: Sendable>(
    of results: [Result<Answer, BackendError>], _ done: String
  ) async throws(CheckStop) -> [Answer] {
    var answers: [Answer] = []
    for result in results { answers.append(try await attempt(done, result.get())) }
    return answers
  }
}
