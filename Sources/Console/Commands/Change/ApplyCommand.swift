import CommandLanguage
import ConsoleSystem

extension Command {
  static let apply = Command(
    "apply", .change, "Apply a plan if its records are unchanged", arguments: [.one(.file(.read))],
    effects: [.readsRecords, .writesRecords],
    options: [
      OptionSyntax("on", value: .backend, help: "the configured backend to write to, if the plan names another one"),
      OptionSyntax(
        "key", value: .fields, help: "with --on: the fields that identify the same record in the other service"),
    ] + SharedOptions.ordered
      + GateOptions.syntax + [SharedOptions.noWait] + SharedOptions.format,
    details: [
      "Each record is read again right before it is written. Applying stops at the first record that has changed, and shows what changed.",
      "If interrupted, run the same command again to resume. A write that was undone since is made again.",
      "A plan of another user, server or login is refused. It applies to configured backends only; --on with --key matches its records",
      "in another service by field values, and shows the resulting plan. On a backend labeled production, confirm with the number of",
      "writes: --yes=N.",
    ],
    examples: []
  ) { invocation, context in
    let file = try PlanFile(invocation, context)
    let key = try invocation.word(of: "key").map { word throws(UsageError) in
      try ListOptions.fields(word, "--key").map(\.text)
    }
    if key != nil, !invocation.has("on") {
      throw UsageError("--key requires --on BACKEND")
    }
    let plan = try await PlanRun(context).plan(of: file, on: invocation.value(of: "on"), key)
    guard let target = plan.places.first?.target else {
      return context.tell("\(file.path) has no writes")
    }
    guard try await Gate(context).admits(plan.asked(of: target), invocation) else { return }
    try await PlanRun(context).apply(plan, target, invocation)
  }
}
