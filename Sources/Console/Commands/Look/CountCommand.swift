import BackendClient
import BackendKit
import CommandLanguage
import ConsoleOutput
import ConsoleSystem

extension Command {
  static let count = Command(
    "count", .look, "Count the records of a resource", arguments: [.optional(.target), .any(.predicate)],
    effects: .readsRecords,
    options: SharedOptions.query + SharedOptions.format,
    examples: [Example(line: "count todolist completed=true", says: "how many todos are done")]
  ) { invocation, context in
    var options = try await ListOptions(invocation, context)
    let resource = try await options.target.client.resource(options.target.path)
    try options.checkFields(resource, context)
    let total = try await ListOutput(context).count(options.request(), of: options.target, readsAhead: true)
    try FactOutput(context).present(total, named: "count", invocation)
  }

  static let explain = Command(
    "explain", .look, "Show the requests of a list or a SQL statement, and the work that is done locally",
    arguments: [.word(list.name)] + list.arguments, alternatives: [[.word(sql.name)] + sql.arguments],
    effects: .readsRecords,
    options: SharedOptions.list + sqlOnly + SharedOptions.output,
    examples: [
      Example(line: "explain list title~Moving --sort -id", says: "the plan of that list; no records are requested"),
      Example(
        line: "explain sql SELECT count(*) FROM todolist.todos WHERE completed;",
        says: "what is requested from each service, and what is done locally"),
    ]
  ) { invocation, context in
    let form = invocation.form == sql.name ? sql.options : SharedOptions.list + SharedOptions.output
    if let option = invocation.reading.options.first(where: { given in
      !form.contains { $0.name == given.syntax.name } && !SharedOptions.redirection.contains(given.syntax)
    }) {
      throw UsageError("--\(option.syntax.name) is not an option of \(invocation.form ?? list.name)")
    }
    if invocation.form == sql.name { return try await SQLRun(context).explain(invocation) }
    var options = try await ListOptions(invocation, context)
    try options.addShape(invocation)
    let resource = try await options.target.client.resource(options.target.path)
    let relations =
      invocation.has("with")
      ? try await RelationWords(context).relations(
        invocation, of: options.target, resource, maximumScan: options.maximumScan) : nil
    if let relations { options.query.fields = relations.needed(options.query.fields) }
    try options.checkFields(resource, context)
    let range = try ListRange(invocation, context)
    options.query.pageSize = range.isWhole ? nil : range.perPage
    var request = options.request(limit: range.limit)
    if range.page > 1 {
      request.start = try await options.target.client.position((range.page - 1) * range.perPage, of: options.query)
    }
    var plan = try await options.target.client.explain(request)
    if let place = options.target.client.outlined(options.target.path, resource) {
      plan.notes.append(ListSummary.mayBeSent(to: place))
    }
    let explanation = Explanation(
      query: options.query, plan: plan,
      blanked: { [words = context.words] in context.reporter.blanking.text($0, quoting: words) },
      unlisted: resource.capabilities.unlistedFields,
      relations: try await relations?.explained(pageSize: plan.pageSize) ?? [])
    try FactOutput(context).present(explanation.facts, invocation, text: explanation.text)
  }
}

/// The options that statements have and lists do not.
private let sqlOnly = SharedOptions.sql.filter { option in !SharedOptions.list.contains { $0.name == option.name } }

struct Explanation {
  let query: ListQuery
  let plan: QueryPlan
  let blanked: (String) -> String
  let unlisted: [String]
  let relations: [ExplainedRelation]

  /// The steps, each with the side that performs it.
  private var lines: [(String, String)] {
    var lines: [(String, String)] = []
    for (filter, fidelity) in zip(query.filters, plan.filters) {
      lines.append((words(fidelity), "filter \(filter)" + (query.ignoreCase ? ", ignoring case" : "")))
    }
    if let search = query.search { lines.append((words(plan.search), "search \"\(search)\"")) }
    if !query.sort.isEmpty {
      lines.append((words(plan.sort), "sort \(query.sort.map(\.description).joined(separator: ","))"))
    }
    if let fields = query.fields {
      lines.append((words(plan.fields), "fields \(fields.map(\.text).joined(separator: ","))"))
    }
    if plan.skip == .not { lines.append((words(.not), "skip to the page")) }
    for (name, value) in query.parameters.sorted(by: { $0.key < $1.key }) {
      lines.append((words(.exact), "parameter \(name)=\(value)"))
    }
    if let native = query.native { lines.append((words(.exact), "native \"\(native)\"")) }
    return lines.map { ($0, blanked($1)) }
  }

  private var notes: [String] {
    let loads =
      fetched.isEmpty
      ? nil : "a list does not load \(fetched.joined(separator: ", ")): each record is requested separately"
    return [loads].compactMap(\.self) + plan.notes + query.foreignRules(isSortedHere: plan.sort == .not)
  }

  var facts: Object {
    Object(facts: [
      ("request", blanked(plan.request)), ("pageSize", plan.pageSize), ("hasTotal", plan.countsRecords),
      ("parts", lines.map { Object(facts: [("who", $0.0), ("what", $0.1)]) }),
      ("with", relations.isEmpty ? nil : relations.map(\.facts)), ("notes", notes),
    ])
  }

  var text: EscapedText {
    let lines = lines
    // As wide as the labels of the other lines.
    let width = max(8, lines.map(\.0.count).max() ?? 0)
    var text: EscapedText = "request   \(blanked(plan.request))\n"
    if let size = plan.pageSize { text += "page      at most \(counted(size, "record")) per request\n" }
    text += "total     \(plan.countsRecords ? "reported by the server" : "not reported by the server")\n"
    for (who, what) in lines {
      text += "\(who)\(String(repeating: " ", count: width - who.count + 2))\(what)\n"
    }
    for relation in relations {
      text += "with\(String(repeating: " ", count: width - 2))\(relation.text)\n"
    }
    for note in notes { text += "note: \(note)\n" }
    return text
  }

  /// The requested fields that a list does not load.
  private var fetched: [String] {
    let isSearched = query.search != nil && plan.search != .exact
    let paths = query.sort.map(\.path) + (query.fields ?? []) + query.filters.flatMap(\.paths)
    let wanted = Set(paths.flatMap(\.holders))
    return unlisted.filter { isSearched || wanted.contains($0) }
  }

  private func words(_ fidelity: Fidelity) -> String {
    switch fidelity {
    case .exact: "server"
    case .superset: "server, checked again locally"
    case .not: "local"
    }
  }
}
