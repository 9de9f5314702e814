import BackendClient
import BackendKit
import ConsoleSystem

/// A plan to carry out: the destinations of its writes, and the progress of earlier runs.
struct AppliedPlan: Sendable {
  private struct PlaceKey: Hashable {
    let backend: String?
    let resource: ResourcePath
  }

  let file: PlanFile
  private(set) var places: [WritePlace] = []
  private var rows: [[PlanFile.Row]] = []
  /// The number of writes by verb, for each place.
  private var counts: [[String: Int]] = []
  private var placeNumbers: [PlaceKey: Int] = [:]
  var progress: PlanProgress
  /// The corresponding records in a service other than the planned one, by resource; empty in the same one.
  var matching: [ResourcePath: PlanMatching] = [:]

  /// The secrets to be sent with the writes, for each place.
  private var secrets: [Object] = []

  init(_ file: PlanFile, progress: PlanProgress) {
    self.file = file
    self.progress = progress
  }

  private static let words = Precondition.Words(
    changed: "the record has changed since the plan", gone: "the record no longer exists",
    hint: "stopped here; make a new plan", operation: nil)

  func place(of entry: PlanEntry) -> WritePlace? { index(of: entry).map { places[$0] } }

  private func index(of entry: PlanEntry) -> Int? {
    placeNumbers[PlaceKey(backend: entry.backend, resource: entry.write.resource)]
  }

  mutating func add(_ place: WritePlace, of entry: PlanEntry) {
    secrets.append(Object())
    placeNumbers[PlaceKey(backend: entry.backend, resource: entry.write.resource)] = places.count
    places.append(place)
    rows.append([])
    counts.append([:])
  }

  mutating func add(_ row: PlanFile.Row, _ entry: PlanEntry, with secrets: Object) {
    guard let index = index(of: entry) else { return }
    if !secrets.isEmpty { self.secrets[index] = secrets }
    rows[index].append(row)
    counts[index][entry.write.verb, default: 0] += 1
  }

  mutating func replacePlaces(_ place: (WritePlace) -> WritePlace) { places = places.map(place) }

  /// The plan as shown and confirmed.
  func asked() -> WritePlan {
    let parts = places.indices.map { place in
      WritePlan.Part(places[place], counts: WritePlan.Part.ordered(counts[place])) {
        try planned(rows[place][$0], isSent: false)
      }
    }
    let whole = counted(file.rows.count, "write")
    let several = file.counts.backends.filter { $0.total > 0 }.map { "\($0.total.grouped) to \($0.name)" }
    let text =
      several.count > 1
      ? "\(whole) (\(several.joined(separator: ", ")))" : "\(whole) to \(places.first?.client.name ?? "")"
    var plan = WritePlan(parts, .found("Apply \(text)"))
    plan.comparesRecords = true
    plan.question.takesNumber = file.header.proposal != nil
    if progress.isBegun {
      plan.headline = "apply \(file.name): resuming: writes already applied are skipped"
    }
    return plan
  }

  /// The write of a row, with the identifiers of the records that the plan has created. To be sent it needs all of them.
  func planned(_ row: PlanFile.Row, isSent: Bool = true) throws -> PlannedWrite {
    let given = try file.entry(row)
    let place = place(of: given)
    let entry = file.isOrdered ? given.replacing(place?.resource.fields ?? [], with: identifier) : given
    let missing = file.isOrdered ? entry.used.first : nil
    if isSent, let missing, progress[row.mark] != .done {
      throw CommandFailure(
        .failure, "\(file.name):\(row.line): the identifier of \(missing) is not known, so nothing was sent",
        hint: "take the rest out of the plan and make a new one")
    }
    let origin = WriteOrigin("line \(row.line)", place: "\(file.name):\(row.line)", rejected: .object(Object()))
    var planned = PlannedWrite(entry.write, from: origin, before: entry.before?.known)
    planned.condition = entry.write.id == nil ? .absent(Self.words) : .unchanged(Self.words)
    if let matching = matching[entry.write.resource] {
      planned.write = try matching.here(entry, at: "\(file.name):\(row.line)")
      if entry.write.id != nil, let place {
        planned.condition = .shows(entry.expected(place.resource), Self.words, onlyRenamed: false)
      }
    }
    if let missing { (planned.awaited, planned.condition) = (missing, .none) }
    if isSent, !given.write.isDeletion, let index = index(of: given) {
      planned.write = planned.write.setting(secrets[index])
    }
    planned.mark = row.mark
    planned.at = index(of: given) ?? 0
    switch progress[row.mark] {
    case .done?: planned.past = .done
    case .begun?: planned.past = .begun
    case .left?, nil: break
    }
    return planned
  }

  /// The identifier of a record that the plan has created: as the service reported it, or as the plan gave it.
  private func identifier(of name: String) -> PlanEntry.Identifier? {
    guard let row = file.creation(of: name), let entry = try? file.entry(row), let place = place(of: entry),
      case .create(_, let fields) = entry.write
    else { return nil }
    let rule = place.resource.identifier
    let given = place.resource.capabilities.takesIdentifiers ? rule.identifier(in: fields) : nil
    guard let id = progress.identifier(of: row.mark) ?? given else { return nil }
    return PlanEntry.Identifier(id: id, field: rule.field.flatMap { place.resource.field(named: $0) })
  }
}
