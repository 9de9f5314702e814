import BackendClient
import BackendKit

/// A plan to carry out: the destinations of its writes, and the progress of earlier runs.
struct AppliedPlan: Sendable {
  let file: PlanFile
  var places: [WritePlace] = []
  var rows: [[PlanFile.Row]] = []
  /// The number of writes by verb, for each place.
  var counts: [[String: Int]] = []
  var progress: PlanProgress
  /// The corresponding records in a service other than the planned one, by resource; empty in the same one.
  var matching: [ResourcePath: PlanMatching] = [:]

  private static let words = Precondition.Words(
    changed: "the record has changed since the plan", gone: "the record no longer exists",
    hint: "stopped here; make a new plan", operation: nil)

  func place(_ path: ResourcePath) -> Int? { places.firstIndex { $0.target.path == path } }

  /// The plan as shown and confirmed.
  func asked(of target: Target) -> WritePlan {
    let parts = places.indices.map { place in
      WritePlan.Part(
        places[place], counts: ["create", "update", "delete"].map { ($0, counts[place][$0] ?? 0) }
      ) { try planned(rows[place][$0]) }
    }
    var plan = WritePlan(parts, .found("Apply \(counted(file.rows.count, "write")) to \(target.client.name)"))
    plan.looksFirst = true
    if progress.isBegun {
      plan.headline = "apply \(file.path): resuming: writes already applied are skipped"
    }
    return plan
  }

  func planned(_ row: PlanFile.Row) throws -> PlannedWrite {
    let entry = try file.entry(row)
    let origin = WriteOrigin("line \(row.line)", place: "\(file.path):\(row.line)", rejected: .object(Object()))
    var planned = PlannedWrite(entry.write, from: origin, before: entry.before?.known)
    planned.condition = entry.write.id == nil ? .absent(Self.words) : .unchanged(Self.words)
    if let matching = matching[entry.write.resource] {
      planned.write = try matching.here(entry, at: "\(file.path):\(row.line)")
      if entry.write.id != nil, let place = place(entry.write.resource) {
        planned.condition = .shows(entry.expected(places[place].resource), Self.words, onlyRenamed: false)
      }
    }
    planned.mark = row.mark
    planned.at = place(entry.write.resource) ?? 0
    switch progress[row.mark] {
    case .done?: planned.past = .done
    case .begun?: planned.past = .begun
    case .left?, nil: break
    }
    return planned
  }
}
