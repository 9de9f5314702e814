import BackendClient
import BackendKit

extension Law {
  static let deleting: [Law] = [
    deleted, deleteMissing, neighborsOfDelete, neverMore, deletedAll,
  ]

  private static let deleted = Law(
    "deleted records are gone", .delete,
    "a deleted record can no longer be read, unless deleted records are declared to be kept."
  ) { context throws(CheckStop) in
    try context.needsDeletedGone()
    let id = try await context.own.deletedID()
    try context.needs(.get)
    try await context.own.requireAbsent(id, "was deleted")
  }

  private static let deleteMissing = Law(
    "delete missing record", .delete, needs: [.delete],
    "a delete of a record that does not exist, or no longer, throws `notFound`; where the server cannot tell, a note says"
      + " so."
  ) { context throws(CheckStop) in
    if context.subject.isReadOnly { throw .notApplicable(context.subject.reasonAgainstWriting) }
    let id = try await context.own.absentID()
    try await context.own.expectMissing(id, "a delete was sent for the record \(id), which does not exist")
    guard !context.capabilities.keepsDeleted, let gone = try await context.ifApplicable(await context.own.deletedID())
    else { return }
    try await context.own.expectMissing(gone, "the record \(gone) was deleted twice")
  }

  private static let neighborsOfDelete = Law(
    "delete leaves other records unchanged", .delete, needs: [.delete, .get],
    "a delete of one record leaves the other records as they are."
  ) { context throws(CheckStop) in
    try await context.own.requireNeighborsUnchanged("deleted") { id throws(CheckStop) in
      try await context.own.delete(id)
    }
  }

  private static let neverMore = Law(
    "delete targets one record", .delete, needs: [.delete],
    "a delete of one record sends no request that could delete another; afterwards the list has all other records, and"
      + " no longer that one unless deleted records are declared to be kept."
  ) { context throws(CheckStop) in
    let plain = try await context.own.absentID()
    for id in [plain] + AwkwardIdentifier.all(of: context.resource.identifier.form, beside: plain).map(\.id) {
      _ = try await context.addresses.addressed(.delete, id)
    }
    try context.needs(.list)
    let made = try await context.sandbox.make(3)
    let before = try await context.walk(context.query()).ids
    context.traffic.forget()
    try await context.own.delete(made[1])
    let writes = context.traffic.requests.filter { $0.effect != .read }
    let after = try await context.walk(context.query()).ids
    try context.require(
      after == before.filter { $0 != made[1] } || context.capabilities.keepsDeleted && after == before,
      "the record \(made[1]) was deleted and the list was walked", expected: "only this record to be gone",
      found: "\(context.words(before.filter { !after.contains($0) })) gone")
    try context.require(
      writes.count == 1, "the record \(made[1]) was deleted", expected: "one write request",
      found: writes.map(\.summary).joined(separator: ", "))
  }

  private static let deletedAll = Law(
    "delete all", .delete,
    "a delete of all records empties the resource; where it is not declared, it is refused before any request is made."
  ) { context throws(CheckStop) in
    guard context.operations.contains(.deleteAll) else {
      try await context.expectRefusal("all records were deleted", of: context.calls.deleteAll())
      throw .refused
    }
    guard context.subject.isSandbox else {
      throw .notApplicable("records other than the suite's own would be deleted")
    }
    try context.needs(.list)
    try context.needsDeletedGone()
    _ = try await context.own.made()
    _ = try await context.attempt("all records were deleted", await context.backend.delete(.all))
    let rest = try await context.walk(context.query()).records
    try context.require(
      rest.isEmpty, "all records were deleted", expected: "an empty list", found: "\(rest.count) records")
  }
}

extension LawContext {
  /// Ends the law if deleted records can still be read.
  func needsDeletedGone() throws(CheckStop) {
    if capabilities.keepsDeleted { throw .notApplicable("deleted records are declared to be kept") }
  }
}
