import CommandLanguage
import ConsoleSystem

extension Command {
  static let apply = Command(
    "apply", .change, "Apply a plan if its records are unchanged", arguments: [.one(.file(.read))],
    effects: [.readsRecords, .writesRecords],
    options: [
      OptionSyntax("on", value: .backend, help: "the backend to write to, if it has another name than in the plan"),
      OptionSyntax(
        "key", value: .fields, help: "with --on: fields that match the records of the other service"),
      OptionSyntax(
        "digest", value: .free("SHA-256"), help: "the plan's digest, as plan show prints it; the plan may be anyone's"),
      OptionSyntax(
        "secret", value: .free("FIELD=VARIABLE"), help: "set a secret field of the records to the variable",
        isRepeatable: true),
    ] + SharedOptions.ordered
      + GateOptions.syntax + [SharedOptions.noWait] + SharedOptions.format,
    details: [
      "Each record is read again right before it is written. apply stops at the first record that has changed, and shows the difference.",
      "--dry-run compares the plan with the records as they are: unchanged, changed (which fields), gone. Status 1: apply would stop.",
      "After an interruption, run the same command again to resume. Writes that were undone in the meantime are applied again.",
      "A plan for another user, server or login is refused, and so is a backend that is not configured. --on BACKEND --key FIELDS applies",
      "the plan to another service: records are matched by field values, and the resulting plan is shown. --digest SHA-256 applies a",
      "plan that another person made, under your login: get the digest from its author, not with the file. An expired plan is refused",
      "unless it was begun. On a backend labeled production, confirm with the number of writes: --yes=N.",
      "apply N applies plan N of the inbox, which an assistant has made. It asks for the number of writes, and refuses --yes.",
    ],
    examples: []
  ) { invocation, context in
    let file = try PlanFile(invocation.one(.file(.read)), invocation, context)
    try ProposedPlans(context).check(file, invocation)
    let key = try invocation.word(of: "key").map { word throws(UsageError) in
      try ListOptions.fields(word, "--key").map(\.text)
    }
    if key != nil, !invocation.has("on") {
      throw UsageError("--key requires --on BACKEND")
    }
    if file.isOrdered, try invocation.count(of: "jobs") ?? 1 > 1 {
      throw UsageError("the writes of \(file.name) are applied one at a time, since later ones may need earlier ones")
    }
    let plan = try await PlanRun(context).plan(
      of: file, on: invocation.value(of: "on"), key, with: try PlanSecrets(invocation, context))
    guard !file.rows.isEmpty else { return context.tell("\(file.name) has no writes") }
    guard try await Gate(context).admits(plan.asked(), invocation) else { return }
    try await PlanRun(context).apply(plan, invocation)
    if !invocation.has("on") { KeptEdits(context).remove(applied: plan.file.name) }
  }
}
