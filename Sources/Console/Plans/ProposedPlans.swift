import BackendKit
import CommandLanguage
import ConsoleOutput
import ConsoleSystem
import Files

/// The user's commands on the plans of assistants.
struct ProposedPlans: CommandPart {
  let context: CommandContext

  var inbox: PlanInbox? { PlanInbox(state: stateFolder) }

  /// The path of the plan with a number. Throws if there is none.
  func path(_ number: Int) throws(UsageError) -> String {
    guard let inbox, inbox.size(number) > 0 else { throw Self.missing(number) }
    return inbox.path(number)
  }

  /// The plan that a command names by its number. Throws if there is none.
  func plan(_ number: Int) throws(UsageError) -> ProposedPlan {
    guard let plan = inbox?.plan(number) else { throw Self.missing(number) }
    return plan
  }

  static func missing(_ number: Int) -> UsageError {
    UsageError("the inbox has no plan \(number)", hint: "plans --all lists them; ./\(number) names a file")
  }

  /// Tells once of each plan that came since the last look.
  func announce(_ look: inout InboxLook) {
    guard let inbox, let changed = inbox.changed, changed != look.changed else { return }
    look.changed = changed
    let plans = inbox.plans.filter { plan in
      plan.outcome == nil && plan.isOpen && look.told.insert(plan.file.header.id).inserted
    }
    guard let plan = plans.last else { return }
    if plans.count > 1 {
      tell("\(counted(plans.count, "plan")) of assistants wait: plans lists them")
    } else {
      let number = plan.number
      tell(
        "an assistant proposes plan \(number): \(plan.writes) (plan show \(number), apply \(number), plan refuse \(number) REASON)"
      )
    }
    reporter.errors.flush()
  }

  /// Throws unless a person at a terminal can decide on a plan of an assistant.
  func check(_ file: PlanFile, _ invocation: Invocation) throws(UsageError) {
    guard file.header.proposal != nil else { return }
    if let outcome = inbox?.outcome(of: file), outcome.state != .partly {
      throw UsageError("the plan \(file.name) was \(outcome.state.rawValue)", hint: "ask for another plan")
    }
    if invocation.has("yes") {
      throw UsageError(
        "--yes does not apply the plan of an assistant",
        hint: "plan show lists its changes; apply asks for their number")
    }
    guard !invocation.has("dry-run"), run.rehearsal == nil, !Questions(context).canAsk else { return }
    throw UsageError("the plan of an assistant is applied at a terminal, where its number of writes can be typed")
  }

  /// Notes how far a plan was applied, for the assistant that asks.
  func noteProgress(of file: PlanFile, isUndone: Bool = false) {
    guard file.header.proposal != nil, let inbox else { return }
    do throws(FileFailure) {
      var progress = try PlanProgress(of: file, context)
      let journal = JournalEntries(context)
      try? progress.learn(undone: journal.undone()) { number in try journal.found(number) }
      let marks = file.rows.compactMap { progress[$0.mark] }
      let made = marks.count { $0 == .done }
      let state: PlanOutcome.State
      if made == file.rows.count {
        state = .applied
      } else if marks.contains(where: { $0 != .left }) {
        state = .partly
      } else {
        guard isUndone else { return }
        state = .undone
      }
      try inbox.note(PlanOutcome(state, made: made), of: file)
    } catch {
      warn("the outcome of the plan \(file.name) is not noted for the assistant: \(error.reason)")
    }
  }

  /// Notes for all applied plans how much of them is left.
  func noteUndone() {
    for plan in inbox?.plans ?? [] where plan.outcome?.state == .applied || plan.outcome?.state == .partly {
      noteProgress(of: plan.file, isUndone: true)
    }
  }
}
