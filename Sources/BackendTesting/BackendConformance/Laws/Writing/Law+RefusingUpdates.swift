import BackendClient
import BackendKit

/// Laws of ``LawGroup/update`` about updates that must not succeed.
extension Law {
  static let refusingUpdates: [Law] = [
    updateMissing, identifierStays, refusedUpdate,
    Law(
      "revisions", .update,
      "an update conditional on the current revision succeeds and gives the record a new one; an update, and a deletion"
        + " where that can be conditional, on any other revision throws `conflict` and changes nothing.",
      parts: [staleRevision, currentRevision, staleDeletion]),
  ]

  private static let updateMissing = Law(
    "update missing record", .update, needs: [.update],
    "an update of a record that does not exist throws `notFound`, and nothing was changed or created, even where the"
      + " server seems to accept it."
  ) { context throws(CheckStop) in
    let field = try await context.fields.changeable().last { $0.first.text?.hasPrefix(Sandbox.prefix) == true }
    guard let field else { throw .notApplicable("no field can be changed") }
    // Also if writes are not kept: a missing record cannot be updated then either.
    try context.needsWriting()
    guard context.operations.contains(.delete) || context.subject.isSandbox else {
      throw .notApplicable("a record that an adapter creates in this case could not be deleted")
    }
    let id = try await context.own.absentID()
    let mark = try await context.sandbox.fields()[field.name] ?? field.first
    let outcome = await context.own.outcome(updating: id, [.set(field.name, mark)])
    context.sandbox.adopt(possible: id)
    if case .success(let receipt) = outcome { context.sandbox.adopt(possible: receipt.id) }
    let done = "an update of \(field.name) was sent for the record \(id), which does not exist"
    if context.capabilities.writes != .echoed {
      try await context.own.requireAbsent(id, "was updated although it does not exist")
      let isListed = context.operations.contains(.list)
      let made =
        isListed ? try await context.walk(context.query()).records.filter { $0.fields[field.name] == mark } : []
      for record in made { context.sandbox.adopt(record.id) }
      try context.require(
        made.isEmpty, done, expected: "no new record", found: "the record \(made.first?.id?.text ?? "")")
    }
    try await context.expectFailure(done, [.notFound], of: outcome.get())
    try await context.requireNothingChanged(id, field)
  }

  private static let identifierStays = Law(
    "identifier cannot change", .update, needs: [.update, .get],
    "an update cannot change the identifier: the update is refused, or the record keeps its identifier; clearing the"
      + " identifier is refused."
  ) { context throws(CheckStop) in
    let field = try context.fields.identifier()
    let (made, before) = try await context.own.read()
    let other = try await context.own.absentID()
    let done = "the \(field) of the record \(made.id) was set to \(other)"
    if case .failure(let error) = await context.own.outcome(
      updating: made.id, [.set(field, context.fields.value(of: other))])
    {
      try context.requireRefusal(error, orOpen: true, done)
    }
    context.sandbox.adopt(possible: other)
    try await context.own.requireAbsent(other, "was set as another record's new identifier")
    try await context.own.requireUnchanged(before, "was to be given another identifier")
    try await context.expectFailure(
      "the \(field) of the record \(made.id) was cleared", [.invalid, .unsupported],
      of: await context.backend.update(made.id, [.unset(field)]))
  }

  private static let refusedUpdate = Law(
    "refused update changes nothing", .update, needs: [.update, .get],
    "an update whose error says that nothing was changed changes nothing."
  ) { context throws(CheckStop) in
    let made = try await context.own.madeFull()
    let fields = try await context.fields.changeable()
    var before = try await context.own.stored(made.id)
    var refused = 0
    for wrong in try await context.fields.wrong() {
      guard let field = fields.first(where: { wrong.names != [$0.name] }) else { continue }
      // Valid changes must not be made next to an invalid one.
      let changes = wrong.members.map { Change.set($0.0, $0.1) }
      let value = ValueSimilarity.same(before.fields[field.name], field.second) ? field.first : field.second
      let outcome = await context.own.outcome(updating: made.id, [.set(field.name, value)] + changes)
      let after = try await context.own.stored(made.id, "was updated")
      guard case .failure(let error) = outcome, [.rejected, .notSent].contains(error.effect) else {
        before = after
        continue
      }
      refused += 1
      try context.own.requireOnly(changed: before, to: after, sent: made.sent, "an update was refused with \(error)")
    }
    if refused == 0 { throw .notApplicable("the server refuses nothing that the suite sends") }
  }

  private static let staleRevision = Part("stale revision", needs: [.update]) { context throws(CheckStop) in
    let field = try await context.fields.changeable()[0]
    let (id, stale, _) = try await context.own.revisions()
    let before = try await context.own.stored(id)
    try await context.expectFailure(
      "\(field.name) was set, conditional on the earlier revision \(stale)", [.conflict],
      of: await context.backend.update(id, [.set(field.name, field.first)], revision: stale))
    try await context.own.requireUnchanged(before, "was to be updated at an earlier revision")
  }

  private static let currentRevision = Part("current revision", needs: [.update]) { context throws(CheckStop) in
    let (id, _, current) = try await context.own.revisions()
    let field = try await context.fields.changeable()[0]
    let value = field.value(unlike: try await context.own.stored(id))
    _ = try await context.own.updated(id, [.set(field.name, value)], revision: current)
    let after = try await context.own.stored(id, "was updated")
    try context.require(
      after.revision != current,
      "a record was updated", expected: "a revision other than \(current)", found: "the same")
  }

  private static let staleDeletion = Part("deletion at a revision", needs: [.update, .delete]) {
    context throws(CheckStop) in
    guard context.capabilities.deletesAtRevision else {
      throw .notApplicable("a deletion cannot be conditional on a revision")
    }
    let (id, stale, current) = try await context.own.revisions()
    let before = try await context.own.stored(id)
    try await context.expectFailure(
      "a delete was sent for the record \(id), conditional on the earlier revision \(stale)", [.conflict],
      of: await context.backend.delete(.one(id), revision: stale))
    try await context.own.requireUnchanged(before, "was to be deleted at an earlier revision")
    _ = try await context.attempt(
      "the record \(id) was deleted, conditional on its current revision",
      await context.backend.delete(.one(id), revision: current))
    if !context.capabilities.keepsDeleted { try await context.own.requireAbsent(id, "was deleted at its revision") }
  }
}

extension LawContext {
  /// Answers an update of a missing record like another one. A `notFound` must then say that nothing changed.
  fileprivate func requireNothingChanged(_ id: RecordID, _ field: Changeable) async throws(CheckStop) {
    guard let own = try await own.id(),
      let answer = try await answer(to: calls.update(own, .only(field.name, field.second)))
    else { return }
    let misled = try faulty(answer, writesOnly: true).backend
    do throws(BackendError) {
      _ = try await misled.update(id, [.set(field.name, field.first)])
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
