import BackendClient
import BackendKit
import CommandLanguage
import ConsoleOutput
import ConsoleSystem

extension Command {
  static let next = Command("next", .look, "Show the next page of the last list", effects: .readsRecords) {
    _, context in
    let list = try PageTurn(context).list()
    guard let next = list.shown.next else {
      guard list.shown.end == .untested, !list.request.trustsEnd else {
        throw UsageError("there are no more pages", hint: "prev and first go back")
      }
      throw UsageError(
        "more records may exist, but the console does not know how to request another page",
        hint: "page: in the description says how; prev and first go back")
    }
    try await PageTurn(context).turn(list, to: next, pages: list.pages + [next])
  }

  static let prev = Command("prev", .look, "Show the previous page", effects: .readsRecords) { _, context in
    let list = try PageTurn(context).list()
    if list.pages.count > 1 {
      let pages = Array(list.pages.dropLast())
      return try await PageTurn(context).turn(list, to: pages[pages.count - 1], pages: pages)
    }
    guard list.shown.first > 1 else { throw UsageError("this is the first page") }
    try await PageTurn(context).turn(list, toRow: max(0, list.shown.first - 1 - list.perPage))
  }

  static let first = Command("first", .look, "Show the first page of the last list", effects: .readsRecords) {
    _, context in
    try await PageTurn(context).turn(try PageTurn(context).list(), to: nil, pages: [nil])
  }

  static let last = Command(
    "last", .look, "Show the last page of the last list", effects: .readsRecords,
    details: ["Counts the records of the list first, as `count` does."]
  ) { _, context in
    let list = try PageTurn(context).list()
    let total = try await ListOutput(context).count(list.request, of: try PageTurn(context).target(of: list))
    try await PageTurn(context).turn(list, toRow: max(0, total - 1) / list.perPage * list.perPage)
  }

  static let page = Command(
    "page", .look, "Show a page of the last list by its number", arguments: [.one(.count(from: 1))],
    effects: .readsRecords,
    examples: [Example(line: "page 3", says: "the third page")]
  ) { invocation, context in
    let number = try invocation.counts().first ?? 1
    let list = try PageTurn(context).list()
    try await PageTurn(context).turn(list, toRow: (number - 1) * list.perPage)
  }
}

private struct PageTurn: CommandPart {
  let context: CommandContext

  /// The list whose pages are turned. A check has none.
  func list() throws -> ListState {
    try run.endRehearsal()
    guard let list = run.lastList else {
      throw UsageError(
        "there is no list to page through", hint: "run list without --all and --limit first")
    }
    return list
  }

  func target(of list: ListState) throws -> Target {
    Target(backend: try targets.open(list.backend), path: list.request.query.resource)
  }

  /// Shows the page that begins after this number of rows.
  func turn(_ list: ListState, toRow row: Int) async throws {
    let start = row == 0 ? nil : try await target(of: list).client.position(row, of: list.request.query)
    try await turn(list, to: start, pages: [start])
  }

  func turn(_ list: ListState, to start: ListPosition?, pages: [ListPosition?]) async throws {
    var list = list
    let target = try target(of: list)
    targets.work(on: target)
    let resource = try await target.client.resource(target.path)
    await list.relations?.forget()
    var request = list.request
    request.start = start
    var output = RecordOutput(format: list.format ?? .table, header: list.header)
    output.wraps = list.wraps
    output.isRaw = list.isRaw
    let summary = try await ListOutput(context).show(
      request, of: target, resource, output, columns: list.columns, with: list.relations)
    let isCounted = start?.cursor == nil || [.offset, .pageNumber].contains(resource.capabilities.paging)
    if isCounted, pages.count > list.pages.count { warn(ofFall: list.shown, summary) }
    // Some services report it with their first page only.
    let total = summary.total ?? list.shown.total
    (list.pages, list.shown) = (pages, summary)
    list.shown.total = total
    change(.keepList(list))
    try ListOutput(context).report(summary, of: request, more: "next", isChosen: true)
  }

  /// Warns if the total is smaller than on the page before: if records before this page were deleted, others have moved
  /// from it to the page before.
  private func warn(ofFall before: ListSummary, _ now: ListSummary) {
    for case (let old?, let new?) in [(before.total, now.total), (before.mostTotal, now.mostTotal)] where new < old {
      return warn(
        "the total fell from \(old.grouped) to \(new.grouped), so \(counted(old - new, "record")) may have been missed; first reads the list again"
      )
    }
  }
}
