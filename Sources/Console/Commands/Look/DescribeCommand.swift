import BackendClient
import BackendKit
import CommandLanguage
import ConsoleOutput
import ConsoleSystem

extension Command {
  static let describe = Command(
    "describe", .look, "Show fields and capabilities of a resource, or the resources of a backend",
    arguments: [.optional(.target), .optional(ResourceSearch.kind)], effects: .readsRecords,
    options: [
      OptionSyntax(
        "output",
        value: .oneOf(OutputFormat.allCases.map(\.rawValue) + [RelationGraph.format], as: "FORMAT"),
        help: "format of the result; \(RelationGraph.format) is the graph of resources and relations for Graphviz",
        short: "o"),
      OptionSyntax("graph", help: "draw the resources and their relations"),
    ] + SharedOptions.format.filter { $0.name != "output" },
    examples: [
      Example(line: "describe", says: "the current resource"),
      Example(
        line: "describe placeholder", says: "the default resource of a backend, or all its resources if it has none"),
      Example(line: "describe placeholder --graph", says: "its resources and their relations as a drawing"),
      Example(line: "describe placeholder -o dot", says: "its resources and their relations as a graph"),
      Example(line: "describe placeholder ~photo", says: "its resources whose name or group contains a word"),
    ]
  ) { invocation, context in
    let search = try ResourceSearch(invocation.words)
    let format = invocation.value(of: "output")
    if invocation.has("graph"), let format {
      throw UsageError("--graph cannot be combined with -o \(format)", hint: "-o dot is the graph for programs")
    }
    if invocation.has("graph") || format == RelationGraph.format {
      let backend = try await GraphedBackend(context).backend(invocation).client
      let graph = RelationGraph(of: try await backend.describe(.live, refresh: true), named: backend.name)
      return invocation.has("graph") ? context.results.draw(graph) : context.results.output.write(graph.dot)
    }
    let whole =
      search == nil
      ? try await Subject(context).wholeBackend(of: invocation)
      : try await GraphedBackend(context).backend(invocation, isSearched: true)
    if let backend = whole {
      let known = try await backend.client.describe(.live, refresh: true)
      let text = BackendText(
        backend: backend, description: known, search: search?.word, width: context.results.output.width)
      context.page()
      return try FactOutput(context).present(text.facts, id: backend.client.name, invocation, text: text.text)
    }
    let (target, given) = try await Subject(context).target(of: invocation)
    if let word = given.word(ResourceSearch.kind) { throw await context.targets.unknown(word.text) }
    let backend = try await target.client.describe(.live, refresh: true)
    let resource: ResourceDescription
    if let live = backend.resource(named: target.path.name), target.path.parent == nil {
      resource = live
    } else {
      resource = try await target.client.sampled(try await target.client.resource(target.path))
    }
    context.page()
    let description = DescriptionText(
      target: target, backend: backend, resource: resource,
      decisions: try await QueryDecisions(of: resource, at: target))
    try FactOutput(context).present(description.facts, id: target.description, invocation, text: description.text)
  }
}

extension Results {
  /// Draws a graph in what a window has besides the prompt.
  fileprivate func draw(_ graph: RelationGraph) {
    let drawing = graph.drawing(
      columns: output.width ?? BarChart.standardWidth, rows: output.size.map { $0.rows - 2 },
      isASCII: Plot.isASCII(in: console.environment), theme: theme)
    output.write(drawing.text)
    drawing.note.map(reporter.note)
  }
}

/// The word with which `describe` searches the resources of a backend.
private struct ResourceSearch {
  static let kind = WordKind.free("~WORD")

  let word: String

  /// Finds it among the words of a command; nil if there is none. Throws for a word too many.
  init?(_ words: [Word]) throws(UsageError) {
    let searches = words.filter { $0.isBare && $0.text.hasPrefix("~") && $0.text.count > 1 }
    if words.count - searches.count > 1 || searches.count > 1, let word = words.last {
      throw UsageError("describe takes one target, not \"\(word.text)\" too", hint: "describe [TARGET] [~WORD]")
    }
    guard let search = searches.first else { return nil }
    word = String(search.text.dropFirst())
  }
}

/// The backend whose resources are searched, or whose relations are drawn.
private struct GraphedBackend: CommandPart {
  let context: CommandContext

  /// The backend of all resources, also where the words name one of them.
  func backend(_ invocation: Invocation, isSearched: Bool = false) async throws -> OpenBackend {
    let word = invocation.reading.open.flatMap { isSearched && $0.text.hasPrefix("~") ? nil : $0 }
    let isNamed =
      word.map { targets.configuration(of: $0.text) != nil || targets.adHocBackend($0.text) != nil } ?? isSearched
    if isNamed { return try await Subject(context).backend(of: invocation).0 }
    return try await Subject(context).target(of: invocation).0.backend
  }
}

struct DescriptionText {
  let target: Target
  let backend: BackendDescription
  let resource: ResourceDescription
  /// The sides that decide conditions and orders; nil if the adapter cannot say it.
  let decisions: QueryDecisions?

  var whole: BackendText { BackendText(backend: target.backend, description: backend) }

  var text: EscapedText {
    var head = whole.head
    head.append(["resource", target.path.description])
    let others = backend.resources.map(\.name).filter { $0 != resource.name }
    let outlined = backend.outlined?.outlines.count ?? 0
    if !others.isEmpty || backend.isOpen || outlined > 0 {
      let more = outlined > 0 ? " and \(outlined) in its document" : ""
      head.append(["others", others.joined(separator: ", ") + more + (backend.isOpen ? " (more may exist)" : "")])
    }
    if let note = backend.note { head.append(["note", note]) }
    if !resource.children.isEmpty {
      let form = backend.form(below: resource)
      head.append([
        "below one", resource.children.map { "\(form)/\(resource.shortName(of: $0))" }.joined(separator: ", "),
      ])
    }
    if resource.isOnlyBelow, let form = backend.form(of: resource.name) { head.append(["written", form]) }
    let identifier = resource.identifier
    let form =
      switch identifier.form {
      case .integer: ", whole number"
      case .text: ", text"
      case .none: ""
      }
    let made = identifier.parts.isEmpty ? nil : identifier.parts.joined(separator: identifier.separator)
    let field =
      identifier.form == .none
      ? "none: it is one record"
      : identifier.namesRecords ? made ?? identifier.field ?? "not among the fields" : "none: records are only listed"
    let address = identifier.address.map { "; a record's \($0) also works" } ?? ""
    let pattern = identifier.pattern.map { ", matches \($0)" } ?? ""
    head.append(["identifier", identifier.namesRecords ? field + form + pattern + address : field])
    for (index, relation) in backend.relations(of: resource).enumerated() {
      head.append([index == 0 ? "relations" : "", relation.description])
    }
    for (index, words) in capabilities.enumerated() { head.append([index == 0 ? "can" : "", words]) }
    head += decisions?.rows ?? []
    var text = Columns.text(head)
    guard !resource.fields.isEmpty || !resource.actions.isEmpty else { return text + "fields are not known\n" }
    var rows = [["FIELD", "KIND", "", "NOTE"]]
    rows += resource.fields.flatMap { $0.rows(below: "") }
    text +=
      "\n" + Columns.text(rows) + "fields known from: \(source)\(resource.isOpen ? "; records may have others" : "")\n"
    guard !resource.actions.isEmpty else { return text }
    text += "\n" + Columns.text([["ACTION", "OF", "TAKES", "NOTE"]] + resource.actions.map(\.row))
    return text
  }

  private var source: String {
    switch resource.source {
    case .adapter: "the adapter"
    case .schema: "the server's schema"
    case .configuration: "the configuration"
    case .sample: "a record"
    case .unknown: "nothing"
    }
  }

  private var pages: [String] {
    let can = resource.capabilities
    var words: [String] = []
    let cap = can.pageCap.map { ", at most \($0) records per page" } ?? ""
    switch can.paging {
    case .none where can.listEnd == .untested:
      words.append("the console does not know how to request a second page: a list may be incomplete")
    case .none: words.append("returns every record at once; the console divides it into pages")
    case .offset: words.append("pages by offset\(cap)")
    case .pageNumber: words.append("pages by number\(cap)")
    case .cursor: words.append("pages by cursor\(cap)")
    }
    if can.paging != .none && can.stability == .shifting {
      words.append("pages shift while others insert or delete")
    }
    words.append(can.hasTotal ? "reports the total" : "does not report the total")
    return words
  }

  private var capabilities: [String] {
    let can = resource.capabilities
    let operations = resource.isOnlyBelow ? can.operationsBelow ?? [] : can.operations
    let verbs = Capabilities.Operation.allCases.filter { operations.contains($0) }.map {
      $0 == .deleteAll ? "delete --all" : $0.rawValue
    }
    var words = [verbs.joined(separator: ", ")]
    if resource.identifier.form != .none { words += pages }
    if can.operations.contains(.update) {
      words.append(
        can.update == .partial
          ? "an update sends only what changed" : "an update reads, changes and replaces the record")
      words.append(can.canClear ? "a field can be cleared" : "a field cannot be cleared")
      if !can.updatesAreAtomic { words.append("concurrent updates may be lost") }
      if can.mergesObjects { words.append("an update merges an object into the existing one") }
    }
    let named = [
      can.hasRevisions && can.operations.contains(.update) ? "an update" : nil,
      can.deletesAtRevision && can.operations.contains(.delete) ? "a deletion" : nil,
    ]
    let writes = named.compactMap(\.self)
    if !writes.isEmpty {
      words.append(
        "\(writes.joined(separator: " and ")) \(can.needsRevision ? "has to" : "can") name the revision of the record")
    }
    switch can.writes {
    case .kept: break
    case .echoed: words.append("writes are accepted but not stored")
    case .unknown: words.append("whether writes are stored is determined by the first write")
    }
    for dependents in resource.dependents {
      if let suffix = dependents.orphanSuffix {
        words.append(
          "deleting any record also deletes all records whose field ...\(suffix) refers to a missing record")
        continue
      }
      words.append(
        "deleting a record also deletes "
          + (dependents.resource.map { "records of \($0) that refer to it in \(dependents.field ?? "a field")" }
            ?? "every record of the resource it names"))
    }
    if !can.unlistedFields.isEmpty {
      let verb = can.unlistedIsLikely ? "may omit" : "omits"
      words.append("a list \(verb) \(can.unlistedFields.joined(separator: ", "))")
    }
    if !can.onlyListedFields.isEmpty { words.append("only a list has \(can.onlyListedFields.joined(separator: ", "))") }
    if can.omitsRecords { words.append("a list leaves out some records") }
    if can.takesIdentifiers { words.append("create may choose the identifier") }
    if can.takesCreationKeys { words.append("create is idempotent (idempotency key)") }
    if can.hasSearch { words.append("the server can search") }
    for (name, value) in can.listParameters.members {
      words.append(
        value.text.map { "a list is requested with \(name)=\($0), unless --param gives another value" }
          ?? "a list requires --param \(name)=VALUE")
    }
    if let embedding = can.embedding {
      let names = embedding.names.joined(separator: ", ")
      words.append("--embed shows \(names.isEmpty ? "what the server knows" : names) within records")
    }
    return words
  }
}

extension FieldDescription {
  /// Returns the row of the field, followed by those of the fields within it.
  fileprivate func rows(below path: String) -> [[String]] {
    let marks = [
      isRequired ? "required" : nil, isReadOnly ? "read-only" : nil, isUnique ? "unique" : nil,
      isSecret ? "secret" : nil, isHidden ? "hidden" : nil, file == nil ? nil : "file",
    ]
    let doubts = FieldDescription.Fact.allCases.filter(likely.contains).map(\.rawValue)
    let doubt: String? = doubts.isEmpty ? nil : "not verified: \(doubts.joined(separator: ", "))"
    let notes =
      [title.map { "\"\($0)\"" }] + constraints + [
        defaultValue.map { "default \($0.plainText)" }, serverDefault.map { "server default \($0.plainText)" },
        suggestion.map { "suggested \($0.words)" },
        reference?.words, file?.words(for: self.name), note, doubt,
      ]
    let name = path + name
    let row = [
      name, kind.rawValue, marks.compactMap(\.self).joined(separator: ", "),
      notes.compactMap(\.self).joined(separator: "; "),
    ]
    return [row] + fields.flatMap { $0.rows(below: "\(name).") }
  }
}

extension ActionDescription {
  fileprivate var row: [String] {
    let inputs = fields.map { $0.isRequired ? "\($0.name)=" : "[\($0.name)=]" }
    let notes = [effect == .read ? "changes nothing" : nil, note].compactMap(\.self)
    return [
      name, subject == .record ? "a record" : "the collection", inputs.joined(separator: " "),
      notes.joined(separator: "; "),
    ]
  }
}

extension SuggestedValue {
  var words: String {
    switch self {
    case .value(let value): value.plainText
    case .count: "the number of records"
    case .now: "the present time"
    }
  }
}

extension RecordReference {
  var words: String { "a record of \(resource)\(key.map { " by its \($0)" } ?? "")" }
}
