import BackendClient
import BackendKit
import CommandLanguage
import ConsoleOutput
import ConsoleSystem

extension Command {
  static let list = Command(
    "list", .look, "Show the records of a resource, a page at a time",
    arguments: [.optional(.target), .any(.predicate)], effects: .readsRecords,
    options: SharedOptions.list + [
      OptionSyntax(
        "jobs", value: BulkOptions.jobsValue,
        help: "with --all: concurrent page requests (page-numbered services only)",
        short: "j"),
      OptionSyntax(
        "count-by", value: .field,
        help: "count the values of a field; FIELD:month (or year, day, hour, weekday) groups dates"),
    ] + SharedOptions.output,
    details: [
      "A predicate is one word: FIELD=VALUE, !=, >, >=, <, <=, or FIELD~TEXT for \"contains\". A record must match all of them.",
      "Filters and sorts that the server does not support are done locally; the output shows how many records were read for them.",
      "Without -n, --page, --limit or --all, list shows the first page; with --to, --append, |, for, capture or expect it reads all pages.",
    ],
    examples: [
      Example(line: "list", says: "the first page of the current resource"),
      Example(line: "list todolist completed=false --sort -order", says: "open todos, the highest order first"),
      Example(line: "list --all -o ndjson", says: "every record, one per line"),
      Example(line: "list todolist --count-by completed", says: "how many todos are done and how many are not"),
    ]
  ) { invocation, context in
    if let field = invocation.value(of: "count-by") { return try await Scan(context).countBy(field, invocation) }
    var options = try await ListOptions(invocation, context)
    try options.addShape(invocation)
    let resource = try await options.target.client.resource(options.target.path)
    let relations =
      invocation.has("with")
      ? try await RelationWords(context).relations(
        invocation, of: options.target, resource, maximumScan: options.maximumScan) : nil
    var shown = options.query.fields
    if let relations { options.query.fields = relations.needed(shown) }
    try options.checkFields(resource, context)
    if relations == nil { shown = options.query.fields }
    let output = try RecordOutput(invocation, context, default: .table)
    let range = try ListRange(invocation, context)
    let request = try await range.request(options, invocation)
    // The previous list is no longer current, whatever becomes of this one.
    var list: ListState?
    defer { context.change(.keepList(list)) }
    let summary = try await ListOutput(context).show(
      request, of: options.target, resource, output, columns: shown, with: relations, readsAhead: true)
    if !range.isWhole {
      list = ListState(
        backend: options.target.client.name, request: request, perPage: range.perPage, format: output.format,
        header: output.header, wraps: output.wraps, isRaw: output.isRaw, columns: shown, relations: relations,
        pages: [request.start], shown: summary)
    }
    try ListOutput(context).report(
      summary, of: request, more: range.isWhole ? "--all or a higher --limit" : "next", isChosen: range.isChosen)
    await ListOutput(context).note(on: request.query, summary, of: options.target)
  }
}

/// The part of a list to read.
///
/// `--limit`, `--page` and `--per-page` limit a list wherever its records go; together with `--all` or `--limit`,
/// `--per-page` is the page size of the requests. Without any of them, a list that is shown is its first page, and one
/// that is used (by `for`, `capture`, `expect`, `--to`, `--append` or `|`) is complete.
struct ListRange {
  let perPage: Int
  let page: Int
  let limit: Int?
  let isWhole: Bool
  let isChosen: Bool

  /// The range that a command requests. `isUsed` is true if its result is used rather than shown; nil takes that from
  /// the context.
  init(_ invocation: Invocation, _ ports: CommandContext, isUsed: Bool? = nil) throws(UsageError) {
    let isUsed = isUsed ?? ports.results.isUsed
    let size = try invocation.count(of: "per-page")
    perPage = size ?? ports.run.settings.perPage
    let page = try invocation.count(of: "page")
    let limit = try invocation.count(of: "limit")
    if page != nil && (invocation.has("all") || limit != nil) {
      throw UsageError("--page cannot be combined with --all or --limit", hint: "--page N --per-page M shows one page")
    }
    self.page = page ?? 1
    isChosen = invocation.has("all") || limit != nil || page != nil || size != nil
    isWhole = invocation.has("all") || limit != nil || (isUsed && !isChosen)
    self.limit = isWhole ? limit : perPage
  }

  func request(_ options: ListOptions, _ invocation: Invocation) async throws -> ListRequest {
    var query = options.query
    query.pageSize = isWhole && invocation.value(of: "per-page") == nil ? nil : perPage
    var request = options.request(query, limit: limit)
    request.isPage = !isWhole
    if invocation.has("jobs") { request.jobs = try BulkOptions(invocation, options.target).jobs }
    if page > 1 { request.start = try await options.target.client.position((page - 1) * perPage, of: query) }
    return request
  }
}
