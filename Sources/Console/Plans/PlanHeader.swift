import BackendClient
import BackendKit
import ConsoleSetup

/// The first line of a plan file: its backend, user and origin.
struct PlanHeader: Sendable {
  /// The only version of the format so far.
  static let version = 1
  private static let mark = "switchboardPlan"

  let id: String
  let backend: String
  let place: JournalPlace
  let label: String?
  /// The planned command, without secrets.
  let command: String
  let condition: String?
  let time: Int64

  init(_ target: Target, _ invocation: Invocation, _ ports: CommandContext) {
    let configuration = target.backend.configuration
    id = RunID.make() + RunID.make()
    backend = target.client.name
    place = Ledgers(ports).journalPlace(of: configuration)
    label = configuration.label
    command = Ledgers(ports).journaledCommand
    condition = (invocation.value(of: "where") ?? invocation.value(of: "search")).map {
      ports.reporter.blanking.text($0, quoting: ports.words)
    }
    time = JournalClock.now()
  }

  var line: Object {
    Object(facts: [
      (Self.mark, Self.version), ("id", id), ("backend", backend), ("origin", place.origin), ("prefix", place.prefix),
      ("user", place.user), ("label", label), ("command", command), ("condition", condition), ("time", time),
    ])
  }

  /// Reads the line. Throws its error as a clause.
  init(_ line: Object) throws(PlanMistake) {
    guard let version = line[Self.mark]?.integer else { throw PlanMistake("it is not a plan") }
    guard version == Self.version else {
      throw PlanMistake("it has version \(version), and this console reads version \(Self.version)")
    }
    func text(_ name: String) throws(PlanMistake) -> String {
      guard let text = line[name]?.text else { throw PlanMistake("its first line has no text member \"\(name)\"") }
      return text
    }
    id = try text("id")
    guard !id.isEmpty, id.utf8.count <= 64, id.utf8.allSatisfy({ (0x30...0x39) ~= $0 || (0x61...0x7A) ~= $0 }) else {
      throw PlanMistake("its \"id\" is not the ID of a plan")
    }
    backend = try text("backend")
    place = JournalPlace(origin: try text("origin"), prefix: try text("prefix"), user: line["user"]?.text)
    label = line["label"]?.text
    command = try text("command")
    condition = line["condition"]?.text
    guard let time = line["time"]?.integer else { throw PlanMistake("its first line has no number \"time\"") }
    self.time = Int64(time)
  }
}

struct PlanMistake: Error {
  let reason: String
  init(_ reason: String) { self.reason = reason }
}
