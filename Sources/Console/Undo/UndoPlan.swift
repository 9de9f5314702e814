import BackendClient
import BackendKit
import ConsoleSystem

/// The inverse writes of an undo, and the steps without one. Their requests are on disk.
struct UndoPlan: Sendable {
  struct Step: Sendable {
    let facts: UndoFacts
    let verb: String?
    /// The index of its place in the plan; nil if nothing is sent.
    var place: Int?
    /// Its turn among the writes of one record.
    var turn: WriteTurn?
    var line = UndoSpool.Line()
    /// True if records refer to its record that earlier steps delete.
    let waitsForOthers: Bool

    init(_ step: UndoStep) {
      waitsForOthers = step.waitsForOthers
      facts = UndoFacts(step)
      verb = step.write?.verb
    }
  }

  let spool: UndoSpool
  /// The maximum number of records read to find references to another.
  let maximumScan: Int
  var steps: [Step] = []
  var places: [WritePlace] = []
  var target: Target?
  var options: BulkOptions?
  var creates = false
  /// The first failure in planning an entry.
  var failure: CommandFailure?
  /// The writes that the journal does not prove.
  var unproved: [String] = []

  private static let mostShown = 100

  init(spool: UndoSpool, maximumScan: Int) {
    self.spool = spool
    self.maximumScan = maximumScan
  }

  var rows: [Int] { steps.indices.filter { steps[$0].place != nil } }

  func asked() throws -> WritePlan {
    let names = Set(places.map(\.client.name)).sorted().joined(separator: ", ")
    let parts = places.indices.map { place -> WritePlan.Part in
      let own = steps.indices.filter { steps[$0].place == place }
      let counts = ["create", "update", "delete"].map { verb in
        (verb: verb, count: own.count { steps[$0].verb == verb })
      }
      return WritePlan.Part(places[place], counts: counts) { try planned(steps[own[$0]]) }
    }
    let count = parts.reduce(0) { $0 + $1.count }
    var plan = WritePlan(parts, .found("Undo \(counted(count, "write")) of \(names)"))
    let rest = steps.filter { $0.place == nil }
    var lines = Array(unproved.prefix(Self.mostShown))
    if unproved.count > Self.mostShown { lines.append("and \((unproved.count - Self.mostShown).grouped) more") }
    lines += try rest.prefix(Self.mostShown).flatMap { try spool.stored(at: $0.line).remarks }
    if rest.count > Self.mostShown {
      lines.append("and \((rest.count - Self.mostShown).grouped) more that cannot be undone")
    }
    plan.headline = lines.isEmpty ? nil : lines.joined(separator: "\n")
    plan.shown = count > Self.mostShown ? Self.mostShown : nil
    return plan
  }

  func planned(_ step: Step) throws -> PlannedWrite {
    let stored = try spool.stored(at: step.line)
    guard let write = stored.write else {
      throw CommandFailure(.failure, "undo: entry \(step.facts.number) of the plan is gone")
    }
    let origin = WriteOrigin(step.facts.id ?? "", place: nil, rejected: .id(RecordID(step.facts.id ?? "")))
    var planned = PlannedWrite(write, from: origin, record: stored.record)
    planned.undoes = step.facts.number
    planned.remarks = stored.remarks
    planned.turn = step.turn
    planned.at = step.place ?? 0
    guard !stored.expected.isEmpty, let place = step.place else { return planned }
    let isChecked = if case .update = write { places[place].resource.capabilities.hasRevisions } else { false }
    let words = Precondition.Words(
      changed: "the record has changed since the plan", gone: "the record no longer exists",
      hint: "undo --entry \(step.facts.number) shows what can be undone now", operation: "undo")
    planned.condition =
      step.waitsForOthers
      ? .unreferenced(stored.expected, words, maximumScan: maximumScan)
      : .shows(stored.expected, words, onlyRenamed: isChecked)
    return planned
  }
}
