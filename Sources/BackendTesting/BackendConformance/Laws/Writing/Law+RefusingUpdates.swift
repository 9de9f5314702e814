import BackendClient
import BackendKit

/// Laws of ``LawGroup/update`` about updates that must not succeed.
extension Law {
  static let refusingUpdates: [Law] = [
    updateMissing, updateNeverCreates, identifierStays, refusedUpdate,
    Law(
      "revisions", .update,
      "an update conditional on the current revision succeeds and gives the record a new one; an update, and a deletion"
        + " where that can be conditional, on any other revision throws `conflict` and changes nothing.",
      parts: [staleRevision, currentRevision, staleDeletion]),

  ]

  private static let updateMissing = Law(
    "update missing record", .update, needs: [.update],
    "an update of a record that does not exist throws `notFound`, and nothing was changed, even where the server seems"
      + " to accept it."
  ) { context throws(CheckStop) in
    let field = try await context.changeable().last { $0.first.text?.hasPrefix(Sandbox.prefix) == true }
    guard let field else { throw .notApplicable("no field can be changed") }
    // Also where nothing is kept: what is not there cannot be changed there either.
    try context.needsWriting()
    guard context.operations.contains(.delete) || context.subject.isSandbox else {
      throw .notApplicable("a record that an adapter creates in this case could not be deleted")
    }
    let id = try await context.absentID()
    let outcome = await context.outcome(updating: id, [.set(field.name, field.first)])
    if case .success(let receipt) = outcome { context.sandbox.adopt(possible: receipt.id) }
    try await context.expectFailure(
      "an update of \(field.name) was sent for the record \(id), which does not exist", [.notFound],
      effects: [.rejected, .notSent], of: outcome.get())
    try await context.requireNothingChanged(id, field)
  }

  private static let updateNeverCreates = Law(
    "update never creates", .update, needs: [.update, .get],
    "an update of a record that does not exist creates none, whatever the response."
  ) { context throws(CheckStop) in
    try await context.sandbox.needsWriting()
    let field = try await context.sandbox.template().markField
    let mark = try await context.sandbox.fields()[field] ?? .null
    let id = try await context.absentID()
    _ = try? await context.backend.update(id, in: context.path, changes: [.set(field, mark)], revision: nil)
    context.sandbox.adopt(possible: id)
    try await context.requireAbsent(id, "was updated although it does not exist")
    guard context.operations.contains(.list) else { return }
    let made = try await context.walk(context.query()).records.filter { $0.fields[field] == mark }
    for record in made { context.sandbox.adopt(record.id) }
    try context.require(
      made.isEmpty, "an update was sent for the record \(id), which does not exist", expected: "no new record",
      found: "the record \(made.first?.id?.text ?? "")")
  }

  private static let identifierStays = Law(
    "identifier cannot change", .update, needs: [.update, .get],
    "an update cannot change the identifier: the update is refused, or the record keeps its identifier; clearing the"
      + " identifier is refused."
  ) { context throws(CheckStop) in
    let field = try context.identifierField()
    let made = try await context.made()
    let before = try await context.stored(made.id)
    let other = try await context.absentID()
    let done = "the \(field) of the record \(made.id) was set to \(other)"
    do throws(BackendError) {
      _ = try await context.backend.update(
        made.id, in: context.path, changes: [.set(field, context.value(of: other))], revision: nil)
    } catch { try context.requireRefusal(error, done) }
    context.sandbox.adopt(possible: other)
    try await context.requireAbsent(other, "was set as another record's new identifier")
    try await context.requireUnchanged(before, "was to be given another identifier")
    try await context.expectFailure(
      "the \(field) of the record \(made.id) was cleared", [.invalid, .unsupported], effects: [.rejected, .notSent],
      of: await context.backend.update(made.id, in: context.path, changes: [.unset(field)], revision: nil))
  }

  private static let refusedUpdate = Law(
    "refused update changes nothing", .update, needs: [.update, .get],
    "an update whose error says that nothing was changed changes nothing."
  ) { context throws(CheckStop) in
    let made = try await context.madeFull()
    let fields = try await context.changeable()
    var before = try await context.stored(made.id)
    var refused = 0
    for wrong in try await context.wrongFields() {
      guard let field = fields.first(where: { wrong.names != [$0.name] }) else { continue }
      // Valid changes next to an invalid one must not be made either.
      let changes = wrong.members.map { Change.set($0.0, $0.1) }
      let value = ValueSimilarity.same(before.fields[field.name], field.second) ? field.first : field.second
      let outcome = await context.outcome(updating: made.id, [.set(field.name, value)] + changes)
      let after = try await context.stored(made.id, "was updated")
      guard case .failure(let error) = outcome, [.rejected, .notSent].contains(error.effect) else {
        before = after
        continue
      }
      refused += 1
      if let change = context.change(from: before, to: after, touched: [], sent: made.sent) {
        throw .breach("an update was refused with \(error)", expected: "the record as it was", found: change)
      }
    }
    if refused == 0 { throw .notApplicable("the server refuses nothing that the suite sends") }
  }

  private static let staleRevision = Part("stale revision", needs: [.update]) { context throws(CheckStop) in
    let field = try await context.changeable()[0]
    guard context.capabilities.hasRevisions else { throw .notApplicable("records have no revisions") }
    let (id, stale, _) = try await context.revisions()
    let before = try await context.stored(id)
    try await context.expectFailure(
      "\(field.name) was set, conditional on the earlier revision \(stale)", [.conflict],
      effects: [.rejected, .notSent],
      of: await context.backend.update(
        id, in: context.path, changes: [.set(field.name, field.first)], revision: stale))
    try await context.requireUnchanged(before, "was to be updated at an earlier revision")
  }

  private static let currentRevision = Part("current revision", needs: [.update]) { context throws(CheckStop) in
    guard context.capabilities.hasRevisions else { throw .notApplicable("records have no revisions") }
    let (id, _, current) = try await context.revisions()
    let field = try await context.changeable()[0]
    let value = field.value(unlike: try await context.stored(id))
    _ = try await context.updated(id, [.set(field.name, value)], revision: current)
    let after = try await context.stored(id, "was updated")
    try context.require(
      after.revision != current,
      "a record was updated", expected: "a revision other than \(current)", found: "the same")
  }
}

extension Law {
  private static let staleDeletion = Part("deletion at a revision", needs: [.update, .delete]) {
    context throws(CheckStop) in
    guard context.capabilities.hasRevisions, context.capabilities.deletesAtRevision else {
      throw .notApplicable("a deletion cannot be conditional on a revision")
    }
    let (id, stale, current) = try await context.revisions()
    let before = try await context.stored(id)
    try await context.expectFailure(
      "a delete was sent for the record \(id), conditional on the earlier revision \(stale)", [.conflict],
      effects: [.rejected, .notSent],
      of: await context.backend.delete(.one(id), from: context.path, revision: stale))
    try await context.requireUnchanged(before, "was to be deleted at an earlier revision")
    _ = try await context.attempt(
      "the record \(id) was deleted, conditional on its current revision",
      await context.backend.delete(.one(id), from: context.path, revision: current))
    if !context.capabilities.keepsDeleted { try await context.requireAbsent(id, "was deleted at its revision") }
  }
}

extension LawContext {
  /// A record that was updated once, with its revision of before and the present one.
  func revisions() async throws(CheckStop) -> (id: RecordID, stale: String, current: String) {
    try needs(.get)
    let made = try await made()
    let before = try await stored(made.id)
    let field = try await changeable()[0]
    _ = try await updated(made.id, [.set(field.name, field.value(unlike: before))])
    let after = try await stored(made.id, "was updated")
    guard let stale = before.revision, let current = after.revision, stale != current else {
      throw .breach(
        "a record was updated", expected: "a new revision, since revisions are declared",
        found: "\(before.revision ?? "none") before and \(after.revision ?? "none") after")
    }
    return (made.id, stale, current)
  }
}

extension LawContext {
  /// Ends the law as broken where an update of a record that is not there, answered as that of another is, throws
  /// `notFound` and does not say that nothing was changed.
  fileprivate func requireNothingChanged(_ id: RecordID, _ field: Changeable) async throws(CheckStop) {
    guard let own = try await ownID(),
      let answer = try await answer(to: updateCall(own, .only(field.name, field.second)))
    else { return }
    let misled = try backend(over: FaultyExchange(traffic, answer, when: LawCall.mayWrite))
    do throws(BackendError) {
      _ = try await misled.update(id, in: path, changes: [.set(field.name, field.first)], revision: nil)
    } catch {
      guard error.code == .notFound else { return }
      try require(
        [.rejected, .notSent].contains(error.effect),
        "an update of \(field.name) was sent for the record \(id), which does not exist, and the response was the"
          + " one to an update of a different record",
        expected: "the effect \"rejected\" of the error \"not found\"",
        found: "\"\(error.effect.rawValue)\" in \(error)")
    }
  }
}
