import BackendClient
import BackendKit
import ConsoleSetup

/// The first line of a plan file: its first backend, and its origin.
struct PlanHeader: Sendable {
  /// The newest version of the format, of plans with several backends or with names for new records.
  static let newest = 2
  private static let mark = "switchboardPlan"

  var version = 1
  let id: String
  let backend: PlanBackend
  /// The planned command, without secrets.
  let command: String
  let condition: String?
  let time: Int64

  init(_ backend: PlanBackend, command: String, condition: String?) {
    id = RunID.make() + RunID.make()
    self.backend = backend
    self.command = command
    self.condition = condition
    time = JournalClock.now()
  }

  var line: Object {
    Object(
      facts: [(Self.mark, version), ("id", id)] + backend.facts + [
        ("command", command), ("condition", condition), ("time", time),
      ])
  }

  /// Reads the line. Throws its error as a clause.
  init(_ line: Object) throws(PlanMistake) {
    guard let version = line[Self.mark]?.integer else { throw PlanMistake("it is not a plan") }
    guard (1...Self.newest).contains(version) else {
      throw PlanMistake("it has version \(version), and this console reads versions 1 to \(Self.newest)")
    }
    self.version = version
    id = try line.planText("id")
    guard !id.isEmpty, id.utf8.count <= 64, id.utf8.allSatisfy({ (0x30...0x39) ~= $0 || (0x61...0x7A) ~= $0 }) else {
      throw PlanMistake("its \"id\" is not the ID of a plan")
    }
    backend = try PlanBackend(line)
    command = try line.planText("command")
    condition = line["condition"]?.text
    guard let time = line["time"]?.integer else { throw PlanMistake("it has no number \"time\"") }
    self.time = Int64(time)
  }
}

struct PlanMistake: Error {
  let reason: String
  init(_ reason: String) { self.reason = reason }
}
