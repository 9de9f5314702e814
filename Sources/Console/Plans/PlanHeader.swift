import BackendClient
import BackendKit
import CommandLanguage
import ConsoleOutput
import ConsoleSetup

/// The first line of a plan file: its first backend, and its origin.
struct PlanHeader: Sendable {
  /// The newest version of the format, of plans with several backends or with names for new records.
  static let newest = 2
  /// In the year 6429.
  private static let lastMoment = 1 << 47
  private static let mark = "switchboardPlan"

  var version = 1
  let id: String
  let backend: PlanBackend
  /// The planned command, without secrets.
  let command: String
  let condition: String?
  let time: Int64
  /// The time from which it is no longer begun; nil for plans of older versions.
  let expires: Int64?
  /// The assistant that made it; nil for a plan of a person.
  let proposal: PlanProposal?

  init(
    _ backend: PlanBackend, command: String, condition: String?, lasting milliseconds: Int, proposal: PlanProposal?
  ) {
    self.proposal = proposal
    id = RunID.make() + RunID.make()
    self.backend = backend
    self.command = command
    self.condition = condition
    time = JournalClock.now()
    expires = time + Int64(milliseconds)
  }

  var line: Object {
    Object(
      facts: [(Self.mark, version), ("id", id)] + backend.facts + [
        ("command", command), ("condition", condition), ("time", time), ("expires", expires),
      ] + (proposal?.facts ?? []))
  }

  var isExpired: Bool { expires.map { $0 <= JournalClock.now() } ?? false }

  /// When and by what it was planned, for people. The words of an assistant are marked as such.
  var origin: String {
    let time = "planned \(ClockTime.text(of: time))"
    guard let proposal else { return "\(time)\(validity) by: \(command)" }
    let purpose = proposal.purpose.isEmpty ? "" : ", and its purpose \"\(proposal.purpose)\""
    return
      "\(time)\(validity) by an assistant, which calls itself \"\(proposal.author)\"\(purpose); its commands: \(command)"
  }

  /// The time for which it can be begun, for people: ` (valid for 1d)`.
  private var validity: String {
    guard let expires else { return "" }
    if isExpired { return " (expired)" }
    return " (valid for \(TimeSpan(milliseconds: Int(clamping: expires - time)).text))"
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
    proposal = PlanProposal(line)
    func moment(_ name: String) throws(PlanMistake) -> Int64 {
      guard let moment = line[name]?.integer, (0...Self.lastMoment).contains(moment) else {
        throw PlanMistake("its \"\(name)\" is not a time in milliseconds")
      }
      return Int64(moment)
    }
    time = try moment("time")
    expires = line["expires"] == nil ? nil : try moment("expires")
  }
}

struct PlanMistake: Error {
  let reason: String
  init(_ reason: String) { self.reason = reason }
}
