import BackendClient
import BackendKit
import Files

/// Carries out the writes of a plan, each where its record is as it was planned. Knows no session, so that several can be carried out at
/// once.
struct PlanCarrier: Sendable {
  /// Where writes of one resource go.
  struct Place: Sendable {
    let target: Target
    let resource: ResourceDescription
    let images: JournalImages
    let sender: WriteSender
  }

  /// What a look at the record of a write tells.
  enum Look: Sendable {
    /// It is as it was planned; nil where there is none, as planned.
    case asPlanned(Record?)
    /// An earlier run has done what was planned.
    case done
  }

  enum Outcome: Sendable {
    case written(WriteReceipt)
    case doneBefore
  }

  let file: PlanFile
  let places: [ResourcePath: Place]
  let progress: PlanProgress

  /// Carries out the write of a row.
  func carryOut(_ row: PlanFile.Row) async throws -> (entry: PlanEntry, outcome: Outcome) {
    let entry = try file.entry(row)
    if progress[row.line] == .done { return (entry, .doneBefore) }
    guard case .asPlanned(let record) = try await look(at: entry, row), let place = places[entry.write.resource] else {
      try? progress.mark(.done, row.line)
      return (entry, .doneBefore)
    }
    // What was just looked at is what the write insists on.
    if let record { place.target.client.see(record, in: entry.write.resource) }
    do throws(FileFailure) { try progress.mark(.begun, row.line) } catch {
      throw CommandFailure(
        .configuration, "how far the plan is applied cannot be written down: \(error.reason)",
        hint: "this write was not sent")
    }
    let receipt: WriteReceipt
    do throws(BackendError) { receipt = try await place.sender.send(entry.write, knowing: record) } catch {
      switch error.effect {
      case .notSent, .rejected: try? progress.mark(.left, row.line)
      case .applied: try? progress.mark(.done, row.line)
      case .unknown: break
      }
      throw error
    }
    try? progress.mark(receipt.isKept ? .done : .left, row.line)
    return (entry, .written(receipt))
  }

  /// Looks at the record of a write. Throws where it has changed since it was planned, field by field.
  func look(at entry: PlanEntry, _ row: PlanFile.Row) async throws(BackendError) -> Look {
    let write = entry.write
    guard let place = places[write.resource] else { throw changed(write, "its resource is not known") }
    let isBegun = progress[row.line] == .begun
    guard let id = write.id, let before = entry.before else { return try await look(atNew: write, place, isBegun) }
    guard let record = try await existing(id, place) else {
      if isBegun, case .delete = write { return .done }
      throw changed(write, "the record does not exist any more")
    }
    let now = place.images.image(record)
    let difference = RecordDifference(before.known, now.known, under: write, of: place.resource)
    if isBegun, isDone(write, now, difference.changed, place.resource) { return .done }
    let fields = difference.messages()
    if !fields.isEmpty {
      var error = changed(write, "the record has changed since the plan")
      error.fields = fields
      throw error
    }
    return .asPlanned(record)
  }

  /// A record that is to be made must not be there, as far as that can be told.
  private func look(atNew write: Write, _ place: Place, _ isBegun: Bool) async throws(BackendError) -> Look {
    guard case .create(_, let fields) = write else { return .asPlanned(nil) }
    let isNamed = place.resource.capabilities.takesIdentifiers && place.resource.capabilities.operations.contains(.get)
    guard isNamed, let id = place.resource.identifier.field.flatMap({ RecordID(fields[$0]) }) else {
      guard isBegun else { return .asPlanned(nil) }
      var error = changed(write, "an earlier run may have made this record")
      error.effect = .unknown
      error.hint = "journal check looks for it; make a new plan for the rest"
      throw error
    }
    guard let record = try await existing(id, place) else { return .asPlanned(nil) }
    if isBegun, WantedFields(fields).isShown(by: record.fields, of: place.resource) { return .done }
    var error = changed(write, "a record with this identifier exists by now")
    error.id = id.text
    throw error
  }

  private func existing(_ id: RecordID, _ place: Place) async throws(BackendError) -> Record? {
    do throws(BackendError) { return try await place.target.existing(id) } catch {
      var error = error
      error.operation = "apply"
      (error.backend, error.resource, error.id) = (place.target.client.name, place.target.path.description, id.text)
      throw error
    }
  }

  /// Whether an update was made: what differs from before is what it writes.
  private func isDone(_ write: Write, _ now: JournalImage, _ names: [String], _ resource: ResourceDescription) -> Bool {
    guard case .update = write else { return false }
    let written = Set(write.fieldNames)
    return names.allSatisfy { written.contains($0) || resource.field(named: $0)?.isReadOnly == true }
      && WantedFields(write).isShown(by: now.fields, of: resource)
  }

  private func changed(_ write: Write, _ message: String) -> BackendError {
    BackendError(
      .conflict, message, effect: .notSent, hint: "nothing more is done; make a new plan", operation: write.verb,
      backend: places[write.resource]?.target.client.name ?? file.header.backend, resource: write.resource.description,
      id: write.id?.text)
  }
}
