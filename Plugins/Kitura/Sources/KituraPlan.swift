import BackendKit

/// The part of the list that is handed on. The server always sends the whole.
struct KituraPage: Sendable {
  /// How many records come before it.
  let offset: Int

  /// The page at a cursor; throws `invalid` for a cursor that this adapter did not make.
  init(at cursor: Cursor?) throws(BackendError) {
    guard let cursor else {
      offset = 0
      return
    }
    guard let offset = Int(cursor.text), String(offset) == cursor.text, offset > 0 else {
      throw .invalid("\"\(cursor)\" is no page mark of this backend", hint: "list again from the beginning")
    }
    self.offset = offset
  }

  /// Where a list goes on of which `count` records came before it was given up.
  func rest(after count: Int) -> Cursor { Cursor(String(count)) }
}

/// Who does what of a query: the server ignores every query text, so the console does it all.
enum KituraPlan {
  /// The plan of a query whose only page is asked for with this request.
  static func plan(_ query: ListQuery, request: HTTPRequest) -> ListPlan {
    ListPlan(
      filters: query.filters.map { _ in .not }, sort: query.sort.isEmpty ? .exact : .not,
      search: query.search == nil ? .exact : .not, fields: query.fields == nil ? .exact : .not,
      skip: query.skip == 0 ? .exact : .not, pageSize: nil, countsRecords: true, request: request.summary,
      notes: notes(query))
  }

  private static func notes(_ query: ListQuery) -> [String] {
    var notes = ["the server sends every record at once"]
    if !query.filters.isEmpty || query.search != nil { notes.append("the server has no filters and no search") }
    if query.fields != nil { notes.append("the server always sends every field") }
    if !query.sort.isEmpty {
      notes.append(
        query.serverOrder
          ? "the server sorts by nothing; this order is made here, by the console's rules"
          : "the server sorts by nothing: its order is that of creation")
    }
    return notes
  }
}
