import CommandLanguage
import ConsoleOutput
import ConsoleSystem

extension Command {
  static let undo = Command(
    "undo", .change, "Undo the last commands of this run", arguments: [.optional(.count(from: 1))],
    effects: [.readsRecords, .writesRecords, .usesJournal],
    options: [
      OptionSyntax("commands", value: .count(from: 1), help: "the writes of the last N commands"),
      OptionSyntax("writes", value: .count(from: 1), help: "the last N writes"),
      OptionSyntax(
        "since", value: .free("TIME"),
        help: "all writes since TIME, of every run: 10:30, 2026-11-22 or 2026-11-22T10:30"),
      OptionSyntax("entry", value: .count(from: 1), help: "the write with this number in the journal, of any run"),
      OptionSyntax("plan", value: .file(.read), help: "the writes of this plan, whichever runs have applied it"),
      OptionSyntax(
        "digest", value: .free("SHA-256"), help: "with --plan: the plan's digest, if the file is another user's"),
      OptionSyntax("all-runs", help: "count the commands or writes of every run, not only of this one"),
    ] + GateOptions.syntax + SharedOptions.attempts + SharedOptions.format,
    details: [
      "undo reverts all writes of the last command that wrote, or of the last N commands, on any backend, after showing a plan. Each",
      "command in a for or source counts. In a script, a number needs --commands or --writes.",
      "An update is reverted by an update, a create by a delete, and a delete by a create, usually with a new identifier.",
      "Only writes of this run are reverted. --all-runs, --since and --entry include those of other runs; the plan names each run.",
      "--plan FILE reverts an applied plan, in reverse order over all its backends, also if apply was resumed in several runs.",
      "undo needs the old values. They are recorded if the write read the record first: at a terminal (without --no-read), with",
      "--where, plan, edit or a revision, and always with \"journal\": \"full\" in the configuration or set journal full.",
      "Scripts need --yes, or --yes=N with the number of writes on a backend labeled production. The status is 5 if some writes could",
      "not be reverted.",
    ],
    examples: [
      Example(line: "undo --yes", says: "revert the last command without asking"),
      Example(line: "undo --writes 1 --yes", says: "revert the last write"),
      Example(line: "undo --entry 1 --yes", says: "revert entry 1 of the journal"),
      Example(line: "undo --all-runs --dry-run", says: "preview reverting the last command of any run"),
    ]
  ) { invocation, context in
    let selection = try UndoSelection(invocation, isTyped: context.run.isInteractive)
    try Restriction.current.checkSending()
    try context.run.endRehearsal()
    let chosen = try Undo(context).entries(
      selection, ofRun: invocation.has("all-runs") ? nil : context.run.console.journal?.run, invocation)
    guard !chosen.numbers.isEmpty || !chosen.unproved.isEmpty else { throw try Undo(context).nothingToUndo(invocation) }
    let output = try RecordOutput(invocation, context, default: .table)
    let plan = try await Undo(context).plan(of: chosen, invocation)
    guard let options = plan.options else {
      Gate(context).write(plan: plan.unproved)
      for step in plan.steps {
        Gate(context).write(plan: try plan.spool.stored(at: step.line).remarks)
      }
      throw plan.failure ?? CommandFailure(.failure, "undo: nothing can be undone")
    }
    var asked = try plan.asked()
    asked.showing = output.isForPeople || context.run.isInteractive ? .always : .never
    guard try await Gate(context).admits(asked, invocation) else { return }
    // Without the plan, report at least what cannot be undone.
    if options.isQuiet, invocation.has("yes"), let left = asked.headline { Gate(context).write(plan: [left]) }
    defer { ProposedPlans(context).noteUndone() }
    try await Undo(context).undo(plan, options, output, invocation)
  }
}
