import BackendKit

/// Responses without something that all responses of the server have.
extension Law {
  static let leanAnswers = Law(
    "missing values in lists", .faults,
    "if a value or a header that every response had is removed, the list is refused with `badResponse`, or is still the"
      + " same list, with its total or without one."
  ) { context throws(CheckStop) in
    let records = try await context.list(atLeast: 5)
    var isLean = false
    // The last page is the second, or a later one.
    for pages in [2, 3] {
      let query = context.query(pageSize: max(2, (records.count + pages - 1) / pages))
      isLean = try await context.requireSame(query, atMost: records.count) || isLean
    }
    if !isLean {
      throw .notApplicable("responses contain only records, or the list cannot be walked with small pages")
    }
  }

  static let leanRecords = Law(
    "missing members in records", .faults, by: .mapping,
    "if a member that every record had is removed, the list is refused with `badResponse`, or has as many records as"
      + " before; each record's identifier then still equals the field that holds it, or both are missing."
  ) { context throws(CheckStop) in
    let field = try context.fields.identifier()
    _ = try await context.list(atLeast: 2)
    let looking = MissingValueExchange(context.traffic, without: nil)
    let whole = try await context.page(context.query(), of: try context.backend(over: looking)).records
    for part in looking.recordParts {
      let done = "\(context.words(context.query())) was requested and \(part.words) was missing from every record"
      let outcome = await context.records(over: MissingValueExchange(context.traffic, without: part))
      guard case .success(let records) = outcome else {
        try await context.expectFailure(done, unreadable, of: outcome.get())
        continue
      }
      try context.require(
        records.count == whole.count, done, expected: "\(whole.count) records", found: "\(records.count)")
      for record in records where !record.unloaded.contains(field) {
        try context.require(
          RecordID(record.fields[field]) == record.id, done,
          expected: "\(record.id.map(\.quoted) ?? "nothing") in the field \(field)",
          found: record.fields[field].map(JSONWriter.compact) ?? "no such field")
      }
    }
    if looking.recordParts.isEmpty { throw .notApplicable("responses contain no list of objects") }
  }
}

extension LawContext {
  /// Requires the same list, or a refusal, without any one of its values and header fields; false if there are none.
  fileprivate func requireSame(_ query: ListQuery, atMost count: Int) async throws(CheckStop) -> Bool {
    let looking = MissingValueExchange(traffic, without: nil)
    guard let whole = try? await walk(query, atMost: count, over: looking) else { return false }
    for part in looking.parts {
      let done = "\(words(query)) was walked and \(part.words) was missing from every response"
      let walk = try await attempt(
        done, or: Law.unreadable, expected: "the error \"badResponse\"",
        await walk(query, atMost: count, over: MissingValueExchange(traffic, without: part)))
      guard let walk else { continue }
      try require(walk.ids == whole.ids, done, expected: "the same list, or an error", found: words(walk.ids))
      let wrong = walk.totals.first { $0 != whole.ids.count }
      try require(wrong == nil, done, expected: "the total \(whole.ids.count), or none", found: "\(wrong ?? 0)")
    }
    return !looking.parts.isEmpty
  }

  fileprivate func records(over exchange: MissingValueExchange) async -> Result<[Record], BackendError> {
    await Result.of(try await subject.make(exchange).page(query()).records)
  }

  fileprivate func walk(
    _ query: ListQuery, atMost count: Int, over exchange: MissingValueExchange
  ) async throws(BackendError) -> (ids: [RecordID?], totals: [Int]) {
    var (ids, totals): ([RecordID?], [Int]) = ([], [])
    let backend = try subject.make(exchange)
    var cursor: Cursor?
    repeat {
      let page = try await backend.page(query, at: cursor)
      ids += page.records.map(\.id)
      if let total = page.end.total { totals.append(total) }
      cursor = page.end.next
    } while cursor != nil && ids.count <= count
    return (ids, totals)
  }
}
