import BackendClient
import BackendKit

extension Law {
  static let paging: [Law] =
    [
      Law(
        "page sizes", .paging,
        "the list is the same for any page size: one record, one less than the list, the whole list, one more, and a size"
          + " that divides it; a page at the cap is full, no page exceeds the cap, and a page requested without a size"
          + " does not exceed the default size.",
        parts: [
          sizes("pages of one record") { _ in 1 }, sizes("pages one record short") { max(1, $0 - 1) },
          sizes("page of the whole list") { $0 }, sizes("page larger than list") { $0 + 1 },
          exactMultiple, atTheCap, aboveTheCap, defaultPageSize,
        ]),
      reportedPageSize, samePageTwice, skipping, pastTheEnd, foreignCursor, total, impossibleWindow,
    ] + shifting

  private static func sizes(_ name: String, size: @escaping @Sendable (Int) -> Int) -> Part {
    Part(name) { context throws(CheckStop) in
      let records = try await context.list(atLeast: 3)
      try await context.checkPages(of: size(records.count), records)
    }
  }

  private static let exactMultiple = Part("full last page") { context throws(CheckStop) in
    var records = try await context.list(atLeast: 4)
    if context.divisor(of: records.count) == nil { records = try await context.list(atLeast: records.count + 1) }
    guard let size = context.divisor(of: records.count) else {
      throw .notApplicable("no page size divides \(records.count) records")
    }
    try await context.checkPages(of: size, records)
  }

  private static let atTheCap = Part("page at the cap") { context throws(CheckStop) in
    let (cap, records) = try await context.listAboveTheCap()
    let page = try await context.page(context.query(pageSize: cap))
    try context.require(
      page.records.map(\.id) == records.prefix(cap).map(\.id),
      "a page of \(cap) records, the cap, was requested",
      expected: "the first \(min(cap, records.count)) records of \(records.count)",
      found: context.words(page.records.map(\.id)))
    try context.requireLonger(records, than: cap)
  }

  private static let aboveTheCap = Part("page above the cap") { context throws(CheckStop) in
    let (cap, records) = try await context.listAboveTheCap()
    try await context.checkPages(of: cap + 1, records)
    try context.requireLonger(records, than: cap)
  }

  private static let defaultPageSize = Part("default page size") { context throws(CheckStop) in
    guard let size = context.capabilities.defaultPageSize else { throw .notApplicable("no default size is declared") }
    try context.needs(.list)
    let page = try await context.page(context.query())
    let count = page.records.count
    try context.require(
      count <= size, "a page was requested without a size", expected: "at most \(size) records", found: "\(count)")
    if page.end.next == nil, count < size {
      throw .untried("the list has \(count) records, fewer than the default size of \(size)")
    }
  }

  private static let reportedPageSize = Law(
    "reported page size", .paging,
    "the end of a page reports a page size if, and only if, it differs from the one requested; no page is larger."
  ) { context throws(CheckStop) in
    let records = try await context.list(atLeast: 3)
    for asked in [nil, 1, 2, context.capabilities.pageCap.map { $0 + 1 }] {
      let query = context.query(pageSize: asked)
      let planned = try await context.plan(query).pageSize
      let page = try await context.page(query)
      let done = "the first page of \(context.words(query)) was requested"
      let reported = page.end.pageSize
      try context.require(
        reported == nil || reported != asked, done, expected: "no page size reported if it is the one requested",
        found: "\(reported ?? 0)")
      try context.require(
        reported.map { page.records.count <= $0 } ?? true, done,
        expected: "at most \(reported ?? 0) records, as its end reports",
        found: "\(page.records.count)")
      guard let asked, let planned, planned < asked, records.count > planned else { continue }
      try context.require(
        reported == planned, done, expected: "\(planned) records per page reported, as planned",
        found: reported.map { "\($0)" } ?? "nothing reported")
    }
  }

  private static let samePageTwice = Law(
    "cursor is repeatable", .paging, by: .engine,
    "while nothing is written, a cursor used twice returns the same page twice."
  ) { context throws(CheckStop) in
    let records = try await context.list(atLeast: 3)
    let query = context.query(pageSize: max(1, records.count / 3))
    guard let next = try await context.page(query).end.next else { throw .notApplicable("the list has one page") }
    let first = try await context.page(query, at: next)
    let second = try await context.page(query, at: next)
    try context.require(
      first.records == second.records && first.end.next == second.end.next,
      "the second page of \(context.words(query)) was requested twice", expected: "equal pages",
      found: "\(context.words(first.records.map(\.id))) and \(context.words(second.records.map(\.id)))")
  }

  private static let foreignCursor = Law(
    "invalid cursor", .paging, by: .engine, needs: [.list],
    "a cursor that this adapter did not create throws `invalid`, before any request is made unless the server creates"
      + " the cursors."
  ) { context throws(CheckStop) in
    for text in ["", "switchboard: no cursor", "-1", "1/-1", "-1/-1/-1", "1/2/3/4/5", "x/1/2/3"] {
      let done = "a page was requested with the cursor \"\(text)\""
      guard context.capabilities.paging == .cursor else {
        try await context.expectRefusal(done, [.invalid], of: context.calls.list(context.query(), at: Cursor(text)))
        continue
      }
      try await context.expectFailure(
        done, [.invalid], of: await context.backend.page(context.query(), at: Cursor(text)))
    }
  }

  private static let total = Law(
    "total count", .paging,
    "a total is the number of records of the list, or absent; where it is declared, the first page has it."
  ) { context throws(CheckStop) in
    let records = try await context.list(atLeast: 3)
    let query = context.query(pageSize: max(1, records.count / 2))
    let isPromised = try await context.plan(query).countsRecords
    try context.require(
      isPromised == context.capabilities.hasTotal, "\(context.words(query)) was planned",
      expected: context.capabilities.hasTotal ? "a count, as declared" : "no count, as declared",
      found: isPromised ? "a count" : "none")
    let walk = try await context.walk(query, upTo: 10)
    for (number, page) in walk.pages.enumerated() {
      // A service may only count for the first page.
      let isPromised = isPromised && number == 0
      try context.require(
        page.end.total.map { $0 == records.count } ?? !isPromised, "\(context.words(query)) was walked",
        expected: isPromised ? "the total \(records.count)" : "the total \(records.count) or none",
        found: page.end.total.map { "\($0)" } ?? "none")
    }
    if !context.capabilities.hasTotal { throw .refused }
  }

  private static let skipping = Law(
    "skip records", .paging,
    "a list that skips records is the rest of the list, whether the server or the console skips them."
  ) { context throws(CheckStop) in
    let ids = try await context.list(atLeast: 3).map(\.id)
    var isPlanned = true
    // Includes pages that are larger than the server permits.
    let windows = [(2, 1), (2, 2), (2, ids.count - 1), (7, 7), (12, 12)].filter { $0.1 < ids.count }
    for (size, skip) in windows {
      let query = ListQuery(context.path, pageSize: size, skip: skip)
      let isExact = try await context.plan(query).skip == .exact
      isPlanned = isPlanned && isExact
      let found =
        isExact
        ? try await context.walk(query, upTo: 3).ids : try await context.gather(ListRequest(query, limit: 6)).map(\.id)
      let wanted = Array(ids.dropFirst(skip))
      try context.require(
        found == Array(wanted.prefix(found.count)) && (found.count == wanted.count || found.count >= 3),
        "\(context.words(query)) was requested", expected: context.words(wanted, unlike: found),
        found: context.words(found, unlike: wanted))
    }
    if !isPlanned { throw .emulated }
  }

  private static let pastTheEnd = Law(
    "skip past the end", .paging, by: .engine,
    "a list that skips all its records, or more than it has, is empty and has no next page."
  ) { context throws(CheckStop) in
    let count = try await context.list(atLeast: 1).count
    var isPlanned = true
    for skip in [count, count + 5] {
      let query = ListQuery(context.path, skip: skip)
      guard try await context.plan(query).skip == .exact else {
        isPlanned = false
        let found = try await context.gather(ListRequest(query))
        try context.require(
          found.isEmpty, "\(context.words(query)) was requested", expected: "no record",
          found: context.words(found.map(\.id)))
        continue
      }
      let page = try await context.page(query)
      try context.require(
        page.records.isEmpty && page.end.next == nil, "\(context.words(query)) was requested",
        expected: "an empty page without a next page",
        found: context.words(page.records.map(\.id)) + (page.end.next.map { " and the cursor \"\($0)\"" } ?? ""))
    }
    if !isPlanned { throw .emulated }
  }
}

extension LawContext {
  private static let smallPages = 40

  /// Reads the list in pages of this size, and compares it with the whole list.
  func checkPages(of size: Int, _ records: [Record]) async throws(CheckStop) {
    let query = query(pageSize: size)
    let most = try await plan(query).pageSize ?? .max
    let walk = try await walk(query, upTo: LawContext.smallPages)
    let largest = walk.pages.map(\.records.count).max() ?? 0
    try require(
      largest <= min(most, capabilities.pageCap ?? .max), "\(words(query)) was walked",
      expected: "at most \(most) records on a page", found: "\(largest)")
    let wanted = walk.isWhole ? records : Array(records.prefix(walk.records.count))
    try require(
      walk.ids == wanted.map(\.id), "\(words(query)) was walked",
      expected: words(wanted.map(\.id), unlike: walk.ids), found: words(walk.ids, unlike: wanted.map(\.id)))
  }

  /// A page size above one and below the cap that divides the records evenly into several pages.
  func divisor(of count: Int) -> Int? {
    let most = min(count / 2, capabilities.pageCap ?? .max)
    return most < 2 ? nil : (2...most).reversed().first { count % $0 == 0 && count / $0 <= 10 }
  }

  /// The cap and the list, which is longer than the cap if the suite can create enough records.
  func listAboveTheCap() async throws(CheckStop) -> (cap: Int, records: [Record]) {
    guard let cap = capabilities.pageCap else { throw .notApplicable("pages have no cap") }
    guard cap <= LawContext.walkedRecords else { throw .untried("a page at the cap of \(cap) is too large to request") }
    if cap <= 120, let records = try await ifApplicable(await list(atLeast: cap + 1)) { return (cap, records) }
    return (cap, try await list(atLeast: 1))
  }

  /// Ends the law as untried unless the list is longer than the cap, since the service may have a smaller one.
  func requireLonger(_ records: [Record], than cap: Int) throws(CheckStop) {
    guard records.count <= cap else { return }
    throw .untried("the list has \(records.count) records, not more than the cap of \(cap)")
  }
}
