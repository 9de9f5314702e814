import BackendKit

extension Law {
  static let planning: [Law] = [
    quietPlan,
    Law(
      "valid plan", .plan, by: .engine,
      "each filter has one fidelity, and `sort` and `skip` are never `superset`; a skip is planned `exact` only if"
        + " everything before it is; parts that the query does not have are `exact`; equal queries get equal plans; the"
        + " page size is valid; the first request is named on one line.",
      parts: [planShape, skipComesLast, stablePlan, plannedPageSize, readableRequest, nothingAskedIsExact]),
    searchAsDeclared,
    unplannedParts, explainedPlan, plannedRequest, nativeQuery, nativePaging, serverOrder, orderTold,
  ]

  private static let quietPlan = Law(
    "plan sends no request", .plan, by: .engine, "a plan makes no request."
  ) { context throws(CheckStop) in
    let (backend, traffic) = try context.deadEnd()
    for query in SampleQueries(context).all {
      _ = try await context.plan(query, of: backend)
      try context.require(
        traffic.count == 0, "\(context.words(query)) was planned", expected: "no request",
        found: "the request \(traffic.requests.first?.summary ?? "")")
    }
  }

  /// A part about the plan of each sample query, which may be changed first; `judge` returns the error in a plan.
  private static func planned(
    _ name: String, _ change: @escaping @Sendable (inout ListQuery) -> Void = { _ in },
    _ judge: @escaping @Sendable (ListQuery, QueryPlan) -> (expected: String, found: String)?
  ) -> Part {
    Part(name) { context throws(CheckStop) in
      for var query in SampleQueries(context).all {
        change(&query)
        guard let wrong = judge(query, try await context.plan(query)) else { continue }
        throw .breach("\(context.words(query)) was planned", expected: wrong.expected, found: wrong.found)
      }
    }
  }

  private static let planShape = planned("one fidelity per filter") { query, plan in
    guard plan.filters.count == query.filters.count else {
      return ("\(query.filters.count) fidelities for its filters", "\(plan.filters.count)")
    }
    return plan.sort == .superset || plan.skip == .superset ? ("no `superset` for sort and skip", "one") : nil
  }

  private static let skipComesLast = planned("exact skip comes last", { $0.skip = 2 }) { query, plan in
    let before = plan.filters + (query.sort.isEmpty ? [] : [plan.sort]) + (query.search == nil ? [] : [plan.search])
    return plan.skip != .exact || before.allSatisfy { $0 == .exact }
      ? nil : ("a skip that is left to the client, as other parts are", "one that is planned `exact`")
  }

  private static let stablePlan = Part("stable plan") { context throws(CheckStop) in
    for query in SampleQueries(context).all {
      let first = try await context.plan(query)
      let second = try await context.plan(query)
      try context.require(
        first == second, "\(context.words(query)) was planned twice", expected: "equal plans",
        found: "\(first.request) and \(second.request)")
    }
  }

  private static let plannedPageSize = Part("planned page size") { context throws(CheckStop) in
    let cap = context.capabilities.pageCap ?? .max
    for asked in [nil, 1, 2, 7, 1_000_000] {
      let plan = try await context.plan(context.query(pageSize: asked))
      let done = "a list \(asked.map { "with pages of \($0)" } ?? "with the default pages") was planned"
      if context.capabilities.paging == .none {
        try context.require(
          plan.pageSize == nil, done, expected: "no page size, since lists are not paged",
          found: "\(plan.pageSize ?? 0)")
      } else if let size = plan.pageSize {
        let most = min(asked ?? .max, cap)
        try context.require(
          size >= 1 && size <= most, done, expected: "a page size from 1 to \(most)", found: "\(size)")
      }
    }
  }

  private static let readableRequest = planned("request on one line") { _, plan in
    !plan.request.isEmpty && !plan.request.unicodeScalars.contains { $0.value < 0x20 }
      ? nil : ("a request on one line", "\"\(plan.request)\"")
  }

  private static let nothingAskedIsExact = planned("absent parts are exact") { query, plan in
    let left = [
      query.sort.isEmpty && plan.sort != .exact ? "sort" : nil,
      query.search == nil && plan.search != .exact ? "search" : nil,
      query.fields == nil && plan.fields != .exact ? "fields" : nil,
      query.skip == 0 && plan.skip != .exact ? "skip" : nil,
    ].compactMap(\.self)
    return left.isEmpty
      ? nil : ("`exact` for what was not requested", "another fidelity for \(left.joined(separator: ", "))")
  }

  private static let searchAsDeclared = Law(
    "search as declared", .plan, "a search is left to the client if, and only if, none is declared."
  ) { context throws(CheckStop) in
    let plan = try await context.plan(ListQuery(context.path, search: "conformance"))
    let isDeclared = context.capabilities.hasSearch
    try context.require(
      (plan.search != .not) == isDeclared, "a search was planned",
      expected: isDeclared ? "that the server searches" : "that the console searches",
      found: "the fidelity \"\(plan.search.rawValue)\"")
    if !isDeclared { throw .refused }
  }

  private static let explainedPlan = Law(
    "local work is explained", .plan, "a note gives a reason for everything that a plan leaves to the console."
  ) { context throws(CheckStop) in
    let plain = try await context.plan(context.query()).notes
    var left = 0
    for query in SampleQueries(context).all {
      let plan = try await context.plan(query)
      // Without pages there is nothing to explain.
      let skip = context.capabilities.paging == .none ? .exact : plan.skip
      guard (plan.filters + [plan.sort, plan.search, plan.fields, skip]).contains(.not) else { continue }
      left += 1
      let reasons = plan.notes.filter { !plain.contains($0) }
      try context.require(
        !reasons.isEmpty, "\(context.words(query)) was planned, and a part of it left to the console",
        expected: "a note that says why", found: "no note beyond those of a plain list")
    }
    if left == 0 { throw .notApplicable("the server does every part of a query") }
  }

  private static let plannedRequest = Law(
    "first request as planned", .plan, by: .engine, needs: [.list],
    "the first request of a list is the one that its plan names."
  ) { context throws(CheckStop) in
    for query in SampleQueries(context).all {
      let plan = try await context.plan(query)
      try await context.requireFirst(plan.request, of: query.without(what: plan))
    }
  }

  private static let orderTold = Law(
    "sort changes the request", .plan,
    "where an order is planned `exact`, changing a direction or adding a key changes the request."
  ) { context throws(CheckStop) in
    let paths = SampleQueries(context).fields.prefix(3).map { FieldPath($0.name) }
    var reported = 0
    for serverOrder in [false, true] {
      for (place, path) in paths.enumerated() {
        let others = paths.filter { $0 != paths[place] }
        var orders = [[SortKey(path)], [SortKey(path, isDescending: true)]]
        orders +=
          others.map { [SortKey(path), SortKey($0)] } + others.map { [SortKey(path), SortKey($0, isDescending: true)] }
        var requests: [String: String] = [:]
        for keys in orders {
          let query = ListQuery(context.path, sort: keys, serverOrder: serverOrder)
          let plan = try await context.plan(query)
          guard plan.sort == .exact else { continue }
          reported += 1
          let words = keys.map(\.description).joined(separator: ",")
          // After a unique key, other keys have no effect.
          if keys.count > 1, path.text == context.resource.identifier.field { continue }
          if let same = requests.updateValue(words, forKey: plan.request) {
            throw .breach(
              "a list by \(same) and one by \(words) were planned", expected: "two requests",
              found: "one, \(plan.request)")
          }
        }
      }
    }
    if reported == 0 { throw .emulated }
  }

  private static let unplannedParts = Law(
    "unplanned parts refused", .plan, by: .engine, needs: [.list],
    "a query with a condition, an order, a search or a skip that its plan leaves to the client throws `unsupported`"
      + " before any request is made."
  ) { context throws(CheckStop) in
    var refused = 0
    for query in SampleQueries(context).all where query.fields == nil {
      let plan = try await context.plan(query, of: try context.deadEnd().backend)
      guard (plan.filters + [plan.sort, plan.search, plan.skip]).contains(.not) else { continue }
      refused += 1
      let done = "\(context.words(query)) was requested although its plan leaves a part to the console"
      try await context.expectRefusal(done, of: context.calls.list(query))
    }
    throw refused > 0 ? .refused : .notApplicable("the server does every part of a query")
  }
}

extension LawContext {
  /// Requires that the first request of a list is the reported one.
  func requireFirst(_ request: String, of query: ListQuery) async throws(CheckStop) {
    let (backend, traffic) = try deadEnd()
    _ = try? await backend.page(query)
    guard let first = traffic.requests.first?.summary else { throw .notApplicable("a list sends no request") }
    try require(
      first == request, "\(words(query)) was planned and requested", expected: "the request \(request)",
      found: "the request \(first)")
  }
}

extension ListQuery {
  /// The query as sent by the client, without what the plan leaves to it.
  fileprivate func without(what plan: QueryPlan) -> ListQuery {
    var query = self
    query.filters = zip(filters, plan.filters).filter { $0.1 != .not }.map(\.0)
    if plan.sort == .not { query.sort = [] }
    if plan.search == .not { query.search = nil }
    if plan.fields == .not { query.fields = nil }
    if plan.skip == .not { query.skip = 0 }
    return query
  }
}
