import BackendClient
import BackendKit

extension Command {
  /// Shows the page after the one shown last.
  static let next = Command("next", .look, "Show the next page of the last list", effects: .readsRecords) {
    _, session in
    let list = try session.turnedList()
    guard let next = list.next else { throw UsageError("there are no more pages", hint: "prev and first go back") }
    try await session.turn(to: next, pages: list.pages + [next])
    return .done
  }

  /// Shows the page before the one shown last.
  static let prev = Command("prev", .look, "Show the page before", effects: .readsRecords) { _, session in
    let list = try session.turnedList()
    if list.pages.count > 1 {
      let pages = Array(list.pages.dropLast())
      try await session.turn(to: pages[pages.count - 1], pages: pages)
      return .done
    }
    guard list.first > 1 else { throw UsageError("this is the first page") }
    try await session.turn(toRow: max(0, list.first - 1 - list.perPage))
    return .done
  }

  /// Shows the first page of the last list.
  static let first = Command("first", .look, "Show the first page of the last list", effects: .readsRecords) {
    _, session in
    _ = try session.turnedList()
    try await session.turn(to: nil, pages: [nil])
    return .done
  }

  /// Shows the last page of the last list.
  static let last = Command(
    "last", .look, "Show the last page of the last list", effects: .readsRecords,
    details: ["Counts the records of the list first, as `count` does."]
  ) { _, session in
    let list = try session.turnedList()
    let total = try await session.count(list.request, of: session.open(list.backend).client)
    try await session.turn(toRow: max(0, total - 1) / list.perPage * list.perPage)
    return .done
  }

  /// Shows a page by its number.
  static let page = Command(
    "page", .look, "Show a page of the last list by its number", arguments: [.one(.number)], effects: .readsRecords,
    examples: [Example(line: "page 3", says: "the third page")]
  ) { invocation, session in
    let number = try Settings.count(invocation.words[0].text, "page", minimum: 1)
    let list = try session.turnedList()
    try await session.turn(toRow: (number - 1) * list.perPage)
    return .done
  }
}

extension Session {
  /// The list whose pages are turned, which only a run knows.
  fileprivate func turnedList() throws -> ListState {
    try endRehearsal()
    guard let list = state.lastList else {
      throw UsageError(
        "there is no list to page through", hint: "run list without --all and --limit first")
    }
    return list
  }

  /// Shows the page of the last list that begins after so many rows.
  func turn(toRow row: Int) async throws {
    guard let list = state.lastList else { return }
    let start = row == 0 ? nil : try await open(list.backend).client.position(row, of: list.request.query)
    try await turn(to: start, pages: [start])
  }

  /// Shows the page of the last list that begins at a position.
  func turn(to start: ListPosition?, pages: [ListPosition?]) async throws {
    guard var list = state.lastList else { return }
    let target = Target(backend: try open(list.backend), path: list.request.query.resource)
    work(on: target)
    let resource = try await target.client.resource(target.path)
    await list.relations?.forget()
    var request = list.request
    request.start = start
    var output = RecordOutput(format: list.format ?? .table, header: list.header)
    output.wraps = list.wraps
    output.isRaw = list.isRaw
    let summary = try await show(
      request, of: target, resource, output, columns: list.columns, with: list.relations)
    list.pages = pages
    list.next = summary.next
    list.first = summary.first
    keep(list: list)
    try report(summary, of: request, more: "next", isChosen: true)
  }
}
