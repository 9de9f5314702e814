import BackendKit
import CommandLanguage
import ConsoleSetup
import ConsoleSystem
import Files

/// The plans that an assistant proposes through its session, and what became of them.
struct AssistantPlans {
  private static let mostShown = 20
  private static let mostChanges = AssistantPages.size / 2

  let session: Session

  private var inbox: PlanInbox {
    get throws(CommandFailure) {
      guard let inbox = ProposedPlans(session.ports).inbox else {
        throw CommandFailure(.configuration, "no plan can be proposed: \(FileFailure.noStateFolder.reason)")
      }
      return inbox
    }
  }

  /// Runs commands as a preview, and puts their writes into the user's inbox.
  func propose(_ commands: String, for purpose: String, by author: String) async throws -> Object {
    guard purpose.count <= PlanProposal.longest.purpose else {
      throw UsageError("for has more than \(PlanProposal.longest.purpose) characters")
    }
    session.execution.writes = Writes(line: commands)
    let inbox = try inbox
    return try await inbox.add { number in
      let draft = try PlanDraft(
        inbox.path(number), proposal: PlanProposal(by: author, for: purpose), session.ports)
      do {
        try await PreviewRun(session).plan(.command(commands), named: "a command", into: draft)
      } catch {
        draft.abandon()
        throw error
      }
      try draft.finish()
      return try Self.answer(number, draft.summary)
    }
  }

  private static func answer(_ number: Int, _ summary: PlanDraft.Summary) throws -> Object {
    var (changes, size) = ([Value](), 0)
    let lines = try summary.lines()
    for line in lines {
      size += line.utf8.count
      if size > mostChanges { break }
      changes.append(.string(line))
    }
    return Object(facts: [
      ("plan", number), ("state", "waiting"), ("writes", summary.counts.words), ("changes", changes),
      ("left", changes.count < lines.count ? lines.count - changes.count : nil),
      ("next", "nothing is written yet: a person decides at the console, by apply \(number) or plan refuse \(number)"),
    ])
  }

  /// The latest plans of the backends that this assistant may read, or one of them.
  func outcomes(only number: Int?) throws -> Object {
    let names = Set(session.targets.configuration.backends.map(\.name))
    let plans = try inbox.plans.filter { plan in
      plan.file.backends.allSatisfy { names.contains($0.name) } && (number ?? plan.number) == plan.number
    }
    if let number, plans.isEmpty { throw UsageError("there is no plan \(number)") }
    let shown = plans.suffix(Self.mostShown).reversed()
    return Object(facts: [
      ("plans", Value.array(shown.map { .object($0.facts) })),
      ("left", plans.count > shown.count ? plans.count - shown.count : nil),
    ])
  }
}
