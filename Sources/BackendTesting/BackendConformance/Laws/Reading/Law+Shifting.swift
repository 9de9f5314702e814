import BackendKit

/// Laws of ``LawGroup/paging`` about pages while others write.
extension Law {
  static let shifting: [Law] = [
    Law(
      "paging during writes", .paging,
      "a record inserted or deleted while the pages are walked neither hides nor repeats any other, as far as the"
        + " declared stability promises.",
      parts: [
        insertionWhilePaging, deletion("delete on previous page", ofSeen: true),
        deletion("delete on later page", ofSeen: false),
      ])
  ]

  private static let insertionWhilePaging = Part("insert while paging") { context throws(CheckStop) in
    let turn = try await PageTurn(context)
    _ = try await context.sandbox.make(1)
    try await turn.goOn(
      missing: 0, repeated: context.capabilities.stability == .stable ? 0 : 1, "a record was inserted")
  }

  private static func deletion(_ name: String, ofSeen isSeen: Bool) -> Part {
    Part(name) { context throws(CheckStop) in
      let turn = try await PageTurn(context)
      let own = isSeen ? turn.own : turn.own.reversed()
      guard let id = own.first(where: { turn.seen.contains($0) == isSeen }) else {
        throw .notApplicable("none of the suite's records is on the \(isSeen ? "first" : "last") pages")
      }
      try await context.own.delete(id)
      try await turn.goOn(
        missing: isSeen && context.capabilities.stability != .stable ? 1 : 0, repeated: 0, without: id,
        "a record \(isSeen ? "already" : "not yet") seen was deleted")
    }
  }
}

/// A list read halfway, with the suite's own records around the boundary.
private struct PageTurn {
  let context: LawContext
  /// The suite's own records in the order of the list.
  let own: [RecordID]
  /// The records of the pages read so far.
  let seen: [RecordID]
  private let all: [RecordID]
  private let query: ListQuery
  private let next: Cursor

  init(_ context: LawContext) async throws(CheckStop) {
    self.context = context
    guard context.capabilities.paging != .none else { throw .notApplicable("lists are not paged") }
    try context.needs(.list, .delete)
    _ = try await context.list(atLeast: 0)
    let made = Set(try await context.sandbox.make(6))
    all = try await context.walk(context.query()).records.compactMap(\.id)
    own = all.filter(made.contains)
    // Only the last page has few records, so that the boundary is among those just created.
    let cap = min(context.capabilities.pageCap ?? .max, all.count - 1)
    let size = (2...max(2, cap)).reversed().first { [all] in (1...4).contains(all.count % $0) } ?? 2
    query = context.query(pageSize: size)
    let walk = try await context.walk(query, upTo: max(1, (all.count - 1) / size))
    guard let cursor = walk.pages.last?.end.next else { throw .notApplicable("the list has one page") }
    (seen, next) = (walk.records.compactMap(\.id), cursor)
  }

  /// Reads to the end, and counts missing and repeated records.
  func goOn(missing: Int, repeated: Int, without deleted: RecordID? = nil, _ event: String) async throws(CheckStop) {
    let found = seen + (try await context.walk(query, at: next, upTo: all.count + 20).records.compactMap(\.id))
    let known = Set(found)
    let missed = all.filter { !known.contains($0) && $0 != deleted }
    let twice = found.count - known.count
    let done = "\(event) between two pages of \(context.words(query))"
    try context.require(
      missed.count <= missing, done, expected: missing == 0 ? "no other record missed" : "at most \(missing) missed",
      found: "without \(context.words(missed))")
    try context.require(
      twice <= repeated, done, expected: repeated == 0 ? "no record twice" : "at most \(repeated) twice",
      found: "\(twice) twice")
  }
}
