import BackendKit
import ServiceDescription

/// Finds what only writes can show: creates a marked record, reads it, updates it, clears a field, tries a stale
/// revision, deletes it and reads it again. The findings become claims; a record that is left behind is reported.
final class WriteTrial: TrialPart {
  static let reads = 60

  let record: TrialRecord
  private let creation: FirstCreation
  private let updates: TrialUpdates

  init(_ survey: ResourceSurvey, _ watch: TrialWatch) {
    record = TrialRecord(survey, watch)
    (creation, updates) = (FirstCreation(record), TrialUpdates(record))
  }

  var isRefused: Bool { creation.isRefused }

  func run() async throws(BackendError) {
    if let reason = reasonAgainst {
      return survey.note("no write was tried: \(reason)")
    }
    guard try await watch.begin(survey) else {
      return survey.note("no write was tried: its records could not be counted")
    }
    prober.begin(limit: Self.reads + watch.reads)
    do throws(BackendError) {
      try await carryOut()
      ShownRecord(record: record).settle()
    } catch { throw await Deletion(record: record).cleaned(after: error) }
  }

  /// The ways to update the record. One of them has to work.
  private var ways: [any Experiment] {
    [MarkerChange(updates: updates), PlainChange(updates: updates), CollectionChange(updates: updates)]
  }

  /// Further updates, once one was accepted.
  private var details: [any Experiment] {
    let clearings = Clearings(updates)
    return [
      IdentifierChange(updates: updates), UnknownField(updates: updates), clearings, Overwriting(updates: updates),
      FieldValues(updates: updates, creation: creation, clearings: clearings), RevisionChange(updates: updates),
      clearings,
    ]
  }

  /// Experiments with another record each.
  private var others: [any Experiment] {
    [
      FullCreation(record: record, creation: creation), SpacedCreation(record: record),
      RequiredFields(record: record, creation: creation),
    ]
  }

  private func carryOut() async throws(BackendError) {
    try await creation.run()
    if try await creation.isUnreadable() { try await creation.run() }
    guard made != nil, try await creation.readAgain() else { return }
    creation.prove()
    noteGuarded()
    try await SecondCreation(record: record).run()
    guard watch.losses.isEmpty else {
      if let made { record.leave(record.sentence(made)) }
      return
    }
    for experiment in ways where experiment.isDue { try await experiment.run() }
    if updates.takesNoChange, survey.claims[.updateMethod] == nil { updates.deny() }
    for experiment in details where experiment.isDue { try await experiment.run() }
    OtherFields(updates: updates).leave()
    try await updates.markAgain()
    try await Deletion(record: record).run()
    // A further record is created only if this one could be deleted entirely, and left questions open.
    guard survey.claims.isProved(.deleteMethod), survey.claims[.deleteSoft] != true else { return }
    for experiment in others where watch.losses.isEmpty && record.leftover == nil && experiment.isDue {
      try await experiment.run()
    }
  }

  private var reasonAgainst: String? {
    if prober.stopped != nil { return "the service stopped responding" }
    if prober.remaining < Self.reads { return "--max-requests permits no more requests" }
    if survey.claims.isDenied(.create) { return "nothing indicates that records can be created" }
    if survey.claims.isDenied(.delete) { return "nothing indicates that a record can be deleted again" }
    guard record.isAtItem || survey.claims[.createMethod] ?? "POST" == "POST" else {
      return "records are not created by POST"
    }
    guard survey.identifier != nil || survey.rows.isEmpty else { return "no field identifies a record" }
    let isNamed =
      !record.named.isEmpty || survey.hasChosenNames && creation.firstFields()[survey.identifier?.field ?? ""] != nil
    if marked == nil, !isNamed { return "no field was found that can hold a marker" }
    return nil
  }

  /// Notes the fields that nothing is known about because no value was tried.
  private func noteGuarded() {
    for (reason, names) in [
      ("holds a secret", fields.all.filter(\.isSecret)), ("grants rights", fields.all.filter(\.grantsRights)),
    ] where !names.isEmpty {
      let list = names.map(\.name).joined(separator: ", ")
      survey.note("no value was tried where the name of a field says that it \(reason): \(list)")
    }
  }
}
