import BackendClient
import BackendKit
import CommandLanguage
import ConsoleOutput

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
    let relations = try await RelationWords(context).relations(
      invocation, of: options.target, resource, maximumScan: options.maximumScan)
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
        pages: [request.start], next: summary.next, first: summary.first)
    }
    try ListOutput(context).report(
      summary, of: request, more: range.isWhole ? "--all or a higher --limit" : "next", isChosen: range.isChosen)
    await ListOutput(context).note(on: request.query, summary, of: options.target)
  }
}
