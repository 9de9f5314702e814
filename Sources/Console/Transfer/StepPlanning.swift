import BackendClient
import BackendKit

/// Converts the steps of a transfer to planned writes. Independent of a session, so that a run can read the steps one
/// by one.
struct StepPlanning: Sendable {
  let path: ResourcePath
  let can: Capabilities
  let isRechecked: Bool
  /// True if the target's list, which was just read, has none of the new records' identifiers.
  let isListed: Bool
  /// The file for the marks of creations; nil if they cannot be resumed.
  let resume: ResumeFile?
  /// The fields that differ in each run, on which no mark depends.
  let passing: Set<String>
  var isPlanned = false

  private static let words = Precondition.Words(
    changed: "changed since it was read", gone: "changed since it was read: it no longer exists",
    hint: "run the command again")

  func planned(_ step: TransferStore.Step) -> PlannedWrite {
    let id = step.id.map { RecordID($0) }
    let origin = WriteOrigin(
      step.place ?? step.id ?? "row \(step.row)", place: step.place,
      rejected: step.verb == .delete ? .id(id ?? RecordID("")) : .object(step.fields))
    var planned = PlannedWrite(
      step.write(of: path, canClear: can.canClear), from: origin,
      record: step.before.map { Record(id: id, fields: $0) },
      // A list may omit fields.
      before: step.before.map { KnownFields($0, isPartial: true) })
    planned.row = step.row
    if step.verb != .create {
      if isRechecked { planned.condition = .unchanged(Self.words) }
      return planned
    }
    if isListed { planned.condition = .listedAbsent }
    guard let resume else { return planned }
    let mark = ResumeFile.mark(of: step, without: passing, isKeyed: can.takesCreationKeys)
    planned.mark = mark
    if can.takesCreationKeys { planned.creationKey = resume.key(of: mark) }
    return planned
  }
}

extension Transfer {
  func planning(_ resume: ResumeFile? = nil) -> StepPlanning {
    StepPlanning(
      path: target.path, can: resource.capabilities, isRechecked: isRechecked,
      isListed: fields.isKeyedByIdentifier && absenceDoubt == nil, resume: resume,
      passing: passing)
  }
}
