import BackendClient
import BackendKit
import CommandLanguage
import ConsoleOutput
import ConsoleSetup
import ConsoleSystem

extension Command {
  static let plugins = Command(
    "plugins", .connect, "List the plugins found, and why a plugin cannot be used",
    arguments: [.optional(.free("PLUGIN"))], effects: [],
    options: [
      OptionSyntax("schema", help: "print the JSON schema of the descriptions that PLUGIN reads")
    ] + SharedOptions.format,
    examples: [Example(line: "plugins rest --schema", says: "for an editor that checks descriptions")]
  ) { invocation, context in
    let name = invocation.word(.free("PLUGIN"))?.text
    if invocation.has("schema") { return try SchemaOutput(context).print(of: name) }
    var rows = [["NAME", "VERSION", "KIND", "FILE", "STATE"]]
    if let name { try context.targets.catalog.check(name) }
    for entry in context.targets.catalog.entries() where name == nil || entry.name == name {
      let result = Result { try context.targets.catalog.load(entry) }
      switch result {
      case .success(let plugin?): rows.append([entry.name, plugin.version, entry.kind.rawValue, entry.file, "loaded"])
      case .success(nil): rows.append([entry.name, "", entry.kind.rawValue, entry.file, "found"])
      case .failure(let failure): rows.append([entry.name, "", entry.kind.rawValue, entry.file, failure.sentence])
      }
    }
    let records = rows.dropFirst().map { row in
      Record(
        id: RecordID(row[0]),
        fields: Object([
          ("name", .string(row[0])), ("version", row[1].isEmpty ? .null : .string(row[1])), ("kind", .string(row[2])),
          ("file", .string(row[3])), ("state", .string(row[4])),
        ]))
    }
    try FactOutput(context).present(Array(records), isSingle: false, invocation, text: Columns.text(rows))
  }

  static let use = Command(
    "use", .connect, "Choose the current backend and resource", arguments: [.one(.target)],
    effects: [.readsRecords, .choosesTarget],
    examples: [
      Example(line: "use todolist", says: "its default resource"),
      Example(line: "use placeholder/users/1/todos", says: "the todos of one user"),
    ]
  ) { invocation, context in
    let word = try invocation.one(.target).text
    let targets = context.targets
    let given = try await targets.chosenReading(word)
    if let path = given?.path, let name = given?.backend {
      let target = try await targets.target(backend: name, path: path)
      _ = try await target.client.resource(target.path)
      return context.change(.choose(name, target.path))
    }
    // A backend with several resources can be chosen without one of them.
    if targets.configuration(of: word) != nil, try await !targets.isHidden(word) {
      let backend = try targets.open(word)
      return context.change(.choose(word, backend.configuration.resource.flatMap { ResourcePath($0) }))
    }
    guard let target = try await targets.target(named: word) else {
      throw await targets.unknown(word)
    }
    _ = try await target.client.resource(target.path)
    context.change(.choose(target.client.name, target.path))
  }

  static let ping = Command(
    "ping", .connect, "Read one record from a backend and print how long it took",
    arguments: [.optional(.target)],
    effects: .readsRecords,
    options: SharedOptions.format
  ) { invocation, context in
    var target: Target
    // Of a backend with several resources, the first that can be listed says as much as any other.
    if let backend = try await Subject(context).wholeBackend(of: invocation),
      let first = try await backend.client.describe(.known).resources.first(where: {
        $0.capabilities.operations.contains(.list)
      })
    {
      target = Target(backend: backend, path: ResourcePath(name: first.name))
    } else {
      target = try await Subject(context).target(of: invocation).0
    }
    let begin = context.run.console.now()
    _ = try await target.client.list(
      ListRequest(ListQuery(target.path), limit: 1), to: RecordSink { _ in .enough })
    let time = context.run.console.now() - begin
    try FactOutput(context).present(
      Object(facts: [
        ("backend", target.client.name), ("resource", target.path.description), ("answers", true),
        ("milliseconds", Int(time.rounded())), ("address", target.backend.connection.address),
      ]), id: target.description, invocation, text: "\(target.description) responds\n")
    context.reporter.errors.write("\(Int(time.rounded())) ms, \(target.backend.connection.address)\n")
  }
}

private struct SchemaOutput: CommandPart {
  let context: CommandContext

  /// Prints the JSON Schema of the descriptions that a plugin reads.
  func print(of name: String?) throws {
    guard let name else { throw UsageError("--schema needs a plugin", hint: "for example plugins rest --schema") }
    guard let format = try targets.catalog.load(name).descriptions else {
      throw UsageError(
        "the plugin \(name) does not read service descriptions", hint: "plugins rest --schema shows one that does")
    }
    results.output.write(EscapedText(lines: JSONWriter.indented(format.schema())))
  }
}
