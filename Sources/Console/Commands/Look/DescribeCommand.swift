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
    let description = ResourceText(
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
