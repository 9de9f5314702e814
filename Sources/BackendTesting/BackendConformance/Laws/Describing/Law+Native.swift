import BackendKit

/// Laws about queries in the server's own language.
extension Law {
  static let nativeQuery = Law(
    "native query", .plan, needs: [.list],
    "a query in the server's own language is part of the request that the plan names, or throws `unsupported` or"
      + " `invalid` before any request is made."
  ) { context throws(CheckStop) in
    var query = context.query()
    query.native = "switchboardProbe=1"
    let planned: QueryPlan
    do throws(BackendError) { planned = try await context.backend.plan(query) } catch {
      try await context.expectRefusal(
        "a list with a native query was requested", [.unsupported, .invalid], of: context.calls.list(query))
      throw .refused
    }
    let plain = try await context.plan(context.query())
    try context.require(
      planned.request != plain.request && planned.request.contains("switchboardProbe"),
      "a list with the native query \"switchboardProbe=1\" was planned", expected: "a request that contains it",
      found: planned.request)
    try await context.requireFirst(planned.request, of: query)
  }

  static let serverOrder = Law(
    "server sort order", .plan, needs: [.list],
    "where sorting by the server's own rules is planned `exact`, the descending list has the values of the ascending one"
      + " in reverse."
  ) { context throws(CheckStop) in
    // A server may refuse to sort by fields that only the configuration knows.
    let names = Set(try await context.page(context.query()).records.flatMap(\.fields.names))
    var judged = 0
    for field in SampleQueries(context).fields.filter({ names.contains($0.name) }).prefix(4) {
      var lists: [[String]] = []
      for isDescending in [false, true] {
        let key = SortKey(FieldPath(field.name), isDescending: isDescending)
        let query = ListQuery(context.path, sort: [key], serverOrder: true)
        guard try await context.plan(query).sort == .exact else { continue }
        // Its own order may ignore case.
        lists.append(
          try await context.walk(query).records.map { record in
            (record.fields[field.name].map(JSONWriter.compact) ?? "").lowercased()
          })
      }
      guard lists.count == 2 else { continue }
      judged += 1
      try context.require(
        lists[0] == lists[1].reversed(),
        "lists by \(field.name) in the server's order, in both directions, were requested",
        expected: "one to be the reverse of the other",
        found: "lists that begin with \(lists.map { $0.first ?? "nothing" })")
    }
    if judged == 0 { throw .emulated }
  }

  static let nativePaging = Law(
    "paging in native query", .plan,
    "a query in the server's own language that contains a paging parameter is refused, or loses no record."
  ) { context throws(CheckStop) in
    guard context.capabilities.paging != .none else { throw .notApplicable("lists are not paged") }
    let whole = try await context.list(atLeast: 3).map(\.id)
    let names = try await context.pagingParameters()
    guard !names.isEmpty else { throw .notApplicable("paging uses no parameter") }
    for name in names {
      var query = context.query(pageSize: 2)
      query.native = "\(name)=1"
      let done = "a list with pages of 2 and the native query \"\(name)=1\" was requested"
      guard let first = try? await context.backend.page(query) else { continue }
      let ids = first.records.map(\.id)
      // If the list differs, the server interprets the parameter as a condition.
      guard let next = first.end.next, !ids.isEmpty, Array(whole.prefix(ids.count)) == ids, ids.count < whole.count
      else {
        continue
      }
      let page = try await context.page(query, at: next)
      try context.require(
        page.records.first?.id == whole[ids.count], done,
        expected: "a refusal, or a page that continues where the previous one ended",
        found: "\(context.words(ids)), then \(context.words(page.records.map(\.id)))")
    }
  }
}

extension LawContext {
  /// The parameters of a list's first request that depend on the page size.
  fileprivate func pagingParameters() async throws(CheckStop) -> [String] {
    var asked: [[String: String]] = []
    for size in [2, 3] {
      let counting = CountingExchange(traffic)
      _ = try await page(query(pageSize: size), of: try backend(over: counting))
      asked.append(Dictionary(counting.requests.first?.query ?? []) { first, _ in first })
    }
    return asked[0].keys.filter { asked[1][$0] != nil && asked[1][$0] != asked[0][$0] }.sorted()
  }
}
