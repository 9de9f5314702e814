import BackendClient
import BackendKit
import ConsoleSetup

/// A backend of a plan: its name, and the service and user that it stood for.
struct PlanBackend: Sendable {
  let name: String
  let place: JournalPlace
  let label: String?

  init(_ target: Target, _ ports: CommandContext) {
    name = target.client.name
    place = Ledgers(ports).journalPlace(of: target.backend.configuration)
    label = target.backend.configuration.label
  }

  var facts: [(String, any Fact)] {
    [("backend", name), ("origin", place.origin), ("prefix", place.prefix), ("user", place.user), ("label", label)]
  }

  /// Reads the members of a line. Throws its error as a clause.
  init(_ line: Object) throws(PlanMistake) {
    name = try line.planText("backend")
    place = JournalPlace(
      origin: try line.planText("origin"), prefix: try line.planText("prefix"), user: line["user"]?.text)
    label = line["label"]?.text
  }
}

extension Object {
  /// The text of a member that a line of a plan must have.
  func planText(_ name: String) throws(PlanMistake) -> String {
    guard let text = self[name]?.text else { throw PlanMistake("it has no text member \"\(name)\"") }
    return text
  }
}
