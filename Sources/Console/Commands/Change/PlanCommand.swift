import BackendClient
import BackendKit
import CommandLanguage
import ConsoleOutput
import ConsoleSetup
import ConsoleSystem

extension Command {
  static let plan = Command(
    "plan", .change, "Save the changes of a command or a script to a plan file instead of making them",
    arguments: [.one(.line)],
    alternatives: [
      [.word("show"), .one(.file(.read)), .any(.predicate)],
      [.word("refuse"), .one(.count(from: 1)), .one(.free("REASON"))],
    ], effects: .readsRecords,
    options: [
      OptionSyntax("to", value: .file(.written), help: "plan file to write, for apply"),
      OptionSyntax(
        "expires", value: .free("TIME"), help: "time for which apply accepts the plan, such as 3d; a day by default"),
    ]
      + SharedOptions.format,
    details: [
      "Options of plan go before the command. The file has one line per write, with the change and the current record.",
      "plan show FILE lists the changes, one row per field: verb, resource, id, field, before, after. Conditions and --where filter",
      "them; -o markdown prints them for a ticket. The file contains records, but no secrets; only its owner can read it (0600).",
      "plan show also prints the SHA-256 of the file: with apply --digest, another person can apply it.",
      "An assistant proposes plans into an inbox, which plans lists: plan show N shows one, apply N applies it, plan refuse N",
      "REASON refuses it. The assistant sees the reason.",
    ],
    examples: [
      Example(
        line: "plan --to /tmp/move.plan source move.sb", says: "all writes of a script, which reads see as if made"),
      Example(
        line: "plan --to /tmp/done.plan update todolist completed=true --where \"order < 3\"",
        says: "review it before apply /tmp/done.plan changes anything"),
    ]
  ) { invocation, context in
    let line = invocation.reading.line ?? []
    for command in [planShow, planRefuse] where !invocation.has("to") {
      guard line.first?.isPlain(String(command.name.dropFirst(5))) == true else { continue }
      return try await command.run(try Invocation(CommandReading(line.dropFirst(), of: command)), context)
    }
    guard let file = invocation.word(of: "to") else {
      throw UsageError("plan needs a file", hint: "plan --to FILE COMMAND, or plan show FILE")
    }
    guard let verb = line.first else {
      throw UsageError("plan needs a command", hint: "plan --to FILE COMMAND")
    }
    let effects = try CommandTable.command(named: verb).effects
    guard effects.contains(.handsOverWrites) || effects.contains(.runsScripts) else {
      let names = CommandTable.commands.filter {
        $0.effects.contains(.handsOverWrites) || $0.effects.contains(.runsScripts)
      }
      .map(\.name)
      throw UsageError(
        "\(verb.text) cannot be planned", hint: "these commands can: \(names.joined(separator: ", "))",
        column: verb.column)
    }
    let lifetime = try invocation.span(of: "expires") ?? PlanDraft.day
    guard lifetime.milliseconds <= PlanDraft.year.milliseconds else {
      throw UsageError("--expires takes at most 366d", column: invocation.word(of: "expires")?.column)
    }
    let draft =
      try ResultFile.isRehearsed(file, context.run.rehearsal)
      ? PlanDraft()
      : PlanDraft(file.text, lasting: lifetime, context)
    do { try await context.run.nested.planning(draft, Array(line)) } catch {
      draft.abandon()
      throw error
    }
    try draft.finish()
    try PlanOutput(context).present(draft.summary, file.text, invocation)
  }
}

private struct PlanOutput: CommandPart {
  let context: CommandContext

  func present(_ plan: PlanDraft.Summary, _ file: String, _ invocation: Invocation) throws {
    var backends: [OpenBackend] = []
    for target in plan.parts.map(\.place.target) where !backends.contains(where: { $0 === target.backend }) {
      backends.append(target.backend)
    }
    guard let first = backends.first else { return }
    let places = backends.map { backend in
      let label = backend.configuration.label.map { " (\($0))" } ?? ""
      return "\(backend.client.name)\(label) at \(backend.connection.address)"
    }
    let isOne = backends.count == 1
    let head = "planned \(plan.counts.words) of \(places.joined(separator: ", ")) in \(file)"
    let table = isOne ? "" : plan.counts.table(width: results.output.width)
    let text = EscapedText(lines: head) + table + EscapedText(lines: try plan.lines().joined(separator: "\n"))
    let others = plan.parts.compactMap { $0.others.map { Value.string($0) } }
    let facts: [(String, any Fact)] = [
      ("plan", file), ("backend", isOne ? first.client.name : nil), ("backends", isOne ? nil : plan.counts.facts),
      ("writes", plan.counts.total),
    ]
    let counts = plan.counts.verbs.map { ($0.verb, Value.int($0.count)) }
    try FactOutput(context).present(
      Object(Object(facts: facts).members + counts + (others.isEmpty ? [] : [("remarks", .array(others))])), invocation,
      text: text)
    for backend in backends where !targets.isConfigured(backend.client.name) {
      note(
        "apply writes only to configured backends, and \(backend.client.name) is not one"
          + (isOne
            ? ": use apply \(file) --on BACKEND to name the configured backend at \(backend.connection.address)" : ""))
    }
  }
}
