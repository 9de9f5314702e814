import BackendClient
import BackendKit
import CommandLanguage
import ConsoleOutput

extension Command {
  static let browse = Command(
    "browse", .look, "Walk through records on the whole screen, and edit them there",
    arguments: [.optional(.target), .any(.predicate)], effects: .readsRecords,
    options: SharedOptions.query
      + SharedOptions.list.filter { ["sort", "server-order", "fields", "per-page"].contains($0.name) },
    details: [
      "? shows all keys. Edits are only marked on the screen; w shows them as a plan and asks before it sends them, and the journal",
      "and undo treat them as those of any command. On a backend that is read only, there are no keys that edit.",
      "When you leave, the list command that shows the same is printed. Without a terminal, browse does what list does.",
      "At a terminal, b after a list shows the same records.",
    ],
    examples: [
      Example(line: "browse todolist completed=false --sort -order", says: "open todos, the highest order first")
    ]
  ) { invocation, context in
    guard Questions(context).canShowScreen else { return try await Command.list.run(invocation, context) }
    var options = try await ListOptions(invocation, context)
    try options.addShape(invocation)
    let resource = try await options.target.client.resource(options.target.path)
    try options.checkFields(resource, context)
    let columns = options.query.fields
    // Edits need whole records.
    options.query.fields = nil
    options.query.pageSize = try invocation.count(of: "per-page")
    guard let screen = await Questions(context).openScreen() else {
      return try await Command.list.run(invocation, context)
    }
    let line = await Browser(context).browse(
      options.request(), of: options.target, resource, columns: columns,
      words: words(of: invocation.reading, without: ["sort", "server-order"]), on: screen)
    context.reporter.errors.flush()
    context.results.output.write("\(line)\n")
    context.run.source?.history?.add(line)
  }

  /// The line that browses the records of a list; those of the current target after another command.
  static func browsing(after last: [Word]) -> String {
    guard last.first?.isPlain(list.name) == true else { return browse.name }
    let reading = CommandReading(last.dropFirst(), of: list)
    let targets = reading.bound { !Predicates.looksLikePredicate($1) }.arguments.filter { $0.kind == .target }
    return ([browse.name] + targets.map { Quoting.word($0.word.text) } + words(of: reading, without: [])).joined(
      separator: " ")
  }

  /// The conditions and options of a list as words, as far as both commands have them.
  private static func words(of reading: CommandReading, without names: Set<String>) -> [String] {
    let conditions = reading.bound { !Predicates.looksLikePredicate($1) }.arguments
      .filter { $0.kind == .predicate }.map { Quoting.word($0.word.text) }
    let known = Set(browse.options.map(\.name)).subtracting(names)
    let options = reading.options.filter { known.contains($0.syntax.name) }.flatMap { option in
      ["--\(option.syntax.name)"] + (option.value.map { [Quoting.word($0.text)] } ?? [])
    }
    return conditions + options
  }
}
