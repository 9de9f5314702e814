import BackendKit

/// One page of a list as the server is asked for it.
struct GrailsPage: Sendable {
  // The server reads it as a 32-bit number and fails with status 500 on anything else.
  private static let lastOffset = Int(Int32.max)

  /// How many records; between 1 and the server's cap, so that fewer in the answer mean the end of the list.
  let max: Int
  /// How many records lie before it.
  let offset: Int
  /// The field the server sorts by, and the direction.
  let sort: SortKey

  /// The page of a query at a cursor; throws `invalid` for a cursor that this adapter did not make.
  init(_ query: ListQuery, at cursor: Cursor?) throws(BackendError) {
    max = Self.size(query)
    offset = try Self.offset(query, cursor)
    // Without an order the server asks its database for none, and pages may overlap.
    sort = query.sort.first ?? SortKey(FieldPath("id"))
  }

  /// How many records a page of this query has.
  static func size(_ query: ListQuery) -> Int {
    min(Swift.max(query.pageSize ?? GrailsResources.standardPageSize, 1), GrailsResources.pageCap)
  }

  /// Where the page behind this one begins, `count` records of which came.
  func next(after count: Int) -> Cursor { Cursor(String(offset + count)) }

  private static func offset(_ query: ListQuery, _ cursor: Cursor?) throws(BackendError) -> Int {
    guard let cursor else {
      guard (0...lastOffset).contains(query.skip) else {
        throw .invalid("\(query.skip) records cannot be skipped", hint: "the server counts to \(lastOffset)")
      }
      return query.skip
    }
    guard let offset = Int(cursor.text), String(offset) == cursor.text, (0...lastOffset).contains(offset) else {
      throw .invalid("\"\(cursor)\" is no page mark of this backend", hint: "list again from the beginning")
    }
    return offset
  }
}

/// Who does what of a query: the server pages and sorts by its identifier, the console does the rest.
enum GrailsPlan {
  /// The plan of a query whose first page is asked for with this request.
  static func plan(_ query: ListQuery, request: HTTPRequest) -> ListPlan {
    ListPlan(
      filters: query.filters.map { _ in .not }, sort: sorts(query) ? .exact : .not,
      search: query.search == nil ? .exact : .not, fields: query.fields == nil ? .exact : .not, skip: skip(of: query),
      pageSize: GrailsPage.size(query), countsRecords: false, request: request.summary, notes: notes(query))
  }

  /// Whether skipping can be left to the server: only where the server's list is the answer's.
  static func skip(of query: ListQuery) -> Fidelity {
    query.skip == 0 || (sorts(query) && query.search == nil && query.filters.isEmpty) ? .exact : .not
  }

  private static func sorts(_ query: ListQuery) -> Bool { query.sort.isEmpty || serves(query) }

  /// Whether the server can put a list in the order that the query wants.
  ///
  /// It sorts by one key, and titles without regard to case: that is its own order, not the console's.
  static func serves(_ query: ListQuery) -> Bool {
    guard query.sort.count == 1, let key = query.sort.first else { return false }
    return key.path.text == "id" || (query.serverOrder && key.path.text == "title")
  }

  private static func notes(_ query: ListQuery) -> [String] {
    var notes: [String] = []
    if !query.filters.isEmpty { notes.append("the server has no filters") }
    if query.search != nil { notes.append("the server has no search") }
    if query.fields != nil { notes.append("the server always sends all fields that a list has") }
    if !query.sort.isEmpty, !serves(query) {
      notes.append(
        query.serverOrder
          ? "the server sorts by id or title alone; this order is made here, by the console's rules"
          : "the server sorts by id, and by title only in its own order, without regard to case")
    }
    return notes
  }
}
