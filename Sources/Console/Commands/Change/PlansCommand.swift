import BackendKit
import CommandLanguage
import ConsoleOutput
import ConsoleSystem
import Files

extension Command {
  static let plans = Command(
    "plans", .change, "List the plans that assistants propose", effects: [],
    options: [OptionSyntax("all", help: "also those that were decided or have expired")] + SharedOptions.format,
    details: [
      "An assistant proposes plans with switchboard mcp --plans. plan show N shows the changes of one; apply N and plan refuse N decide.",
      "BY and FOR are the assistant's own words. A decided plan is kept until the inbox has 100.",
    ],
    examples: [Example(line: "plans --all -o json", says: "every plan of the inbox, with the outcome, for a program")]
  ) { invocation, context in
    if Restriction.current.isOn { throw Restriction.current.refusal("the inbox cannot be read") }
    let plans = (ProposedPlans(context).inbox?.plans ?? []).filter { invocation.has("all") || $0.isOpen }
    let records = plans.map { Record(id: RecordID(String($0.number)), fields: $0.facts) }
    context.count(records: records.count)
    let rows = plans.map { plan in
      [
        "\(plan.number)", plan.state, ClockTime.shown(plan.file.header.time), plan.writes,
        plan.proposal.author, plan.proposal.purpose,
      ]
    }
    let head = ["PLAN", "STATE", "PROPOSED", "WRITES", "BY", "FOR"]
    try FactOutput(context).present(
      records, isSingle: false, invocation,
      text: rows.isEmpty ? "no plan is waiting\n" : Columns.table([head] + rows, width: context.results.output.width))
  }

  /// Refuses a plan of the inbox: `plan refuse`, a form of the command `plan`.
  static let planRefuse = Command(
    "plan refuse", .change, "Refuse a plan of an assistant",
    arguments: [.one(.count(from: 1)), .one(.free("REASON"))], effects: []
  ) { invocation, context in
    try context.run.endRehearsal()
    try Restriction.current.check(changing: "the inbox")
    let number = try invocation.counts().first ?? 0
    let plan = try ProposedPlans(context).plan(number)
    guard plan.outcome == nil else {
      throw UsageError("plan \(number) is \(plan.state)", hint: "only a plan that waits can be refused")
    }
    let reason = try invocation.one(.free("REASON")).text
    do throws(FileFailure) {
      try ProposedPlans(context).inbox?.note(PlanOutcome(.refused, reason: reason), of: plan.file)
    } catch { throw CommandFailure(.failure, "plan \(number) cannot be refused: \(error.reason)") }
    context.tell("plan \(number) is refused")
  }
}
