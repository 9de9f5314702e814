import BackendKit

extension Law {
  static let deleting: [Law] = [
    deleted, deletedIsUnlisted, deletedTwice, deleteMissing, neighboursOfDelete, neverMore, deletedAll,
  ]

  private static let deleted = Law(
    "deleted", .delete, "where writes are kept, `get` of the identifier afterwards throws `notFound`."
  ) { bench throws(Halt) in
    let id = try await bench.deletedID()
    try bench.needs(.get)
    try await bench.requireAbsent(id, "was deleted")
    return .run
  }

  private static let deletedIsUnlisted = Law(
    "deleted is unlisted", .delete, "what was deleted is no longer in the list, and what was not is."
  ) { bench throws(Halt) in
    try bench.needs(.delete, .list)
    let other = try await bench.made().id
    let id = try await bench.deletedID()
    let ids = try await bench.walk(bench.query()).ids
    let done = "the record \(id) was deleted and the list was walked"
    try bench.require(!ids.contains(id), done, expected: "a list without it", found: "it is still there")
    try bench.require(ids.contains(other), done, expected: "the record \(other) in it", found: "it is gone")
    return .run
  }

  private static let deletedTwice = Law(
    "deleted twice", .delete, "a second delete throws `notFound`; where the server cannot tell, a note says so."
  ) { bench throws(Halt) in
    let id = try await bench.deletedID()
    try await bench.expectMissing(id, "the record \(id) was deleted twice")
    return .run
  }

  private static let deleteMissing = Law(
    "delete missing", .delete, "an identifier that names no record throws `notFound`, unless the server cannot tell."
  ) { bench throws(Halt) in
    try bench.needs(.delete)
    if bench.subject.isReadOnly { throw .notApplicable("nothing may be written in this run") }
    let id = try await bench.absentID()
    try await bench.expectMissing(id, "the record \(id) was deleted, which is not there")
    return .run
  }

  private static let neighboursOfDelete = Law(
    "neighbours of delete", .delete, "a delete of one record leaves the records beside it as they are."
  ) { bench throws(Halt) in
    try bench.needs(.delete, .get)
    var records: [Record] = []
    for _ in 0..<3 { records.append(try await bench.stored(try await bench.made().id)) }
    try await bench.delete(records[1].id ?? "")
    for neighbour in [records[0], records[2]] {
      try await bench.requireUnchanged(neighbour, "stood beside one that was deleted")
    }
    return .run
  }

  private static let neverMore = Law(
    "never more", .delete, "a deletion of one record sends no request that could delete another."
  ) { bench throws(Halt) in
    try bench.needs(.delete)
    let plain = try await bench.absentID()
    for id in [plain] + AwkwardIdentifier.all(of: bench.resource.identifier.form, beside: plain).map(\.id) {
      _ = try await bench.addressed(.delete, id)
    }
    try bench.needs(.list)
    let made = try await bench.sandbox.make(3)
    let before = try await bench.walk(bench.query()).ids
    bench.traffic.forget()
    try await bench.delete(made[1])
    let writes = bench.traffic.requests.filter { $0.effect != .read }
    let after = try await bench.walk(bench.query()).ids
    try bench.require(
      after == before.filter { $0 != made[1] }, "the record \(made[1]) was deleted",
      expected: "that it is gone and every other is there",
      found: bench.words(before.filter { !after.contains($0) }) + " gone")
    try bench.require(
      writes.count == 1, "the record \(made[1]) was deleted", expected: "one request that writes",
      found: writes.map(\.summary).joined(separator: ", "))
    return .run
  }

  private static let deletedAll = Law(
    "deleted all", .delete,
    "a delete of all empties the resource; where it is not declared, it is refused before any request."
  ) { bench throws(Halt) in
    guard bench.operations.contains(.deleteAll) else {
      try await bench.expectRefusal("all records were deleted") { backend throws(BackendError) in
        try await backend.delete(.all, from: bench.path)
      }
      return .refused
    }
    guard bench.subject.isSandbox else { return .notApplicable("other records than the suite's own would go") }
    try bench.needs(.list)
    _ = try await bench.made()
    _ = try await bench.attempt("all records were deleted") { () throws(BackendError) in
      try await bench.backend.delete(.all, from: bench.path)
    }
    let rest = try await bench.walk(bench.query()).records
    try bench.require(
      rest.isEmpty, "all records were deleted", expected: "an empty list", found: "\(rest.count) records")
    return .run
  }
}

extension LawContext {
  /// Deletes a record of the suite's own, which has to succeed.
  func delete(_ id: RecordID) async throws(Halt) {
    let receipt = try await attempt("the record \(id) was deleted") { () throws(BackendError) in
      try await backend.delete(.one(id), from: path)
    }
    try require(
      receipt.id == id, "the record \(id) was deleted", expected: "its identifier in the receipt",
      found: receipt.id.map { "\"\($0)\"" } ?? "none")
  }

  /// The identifier of a record that was made and deleted.
  func deletedID() async throws(Halt) -> RecordID {
    try needs(.delete)
    let id = try await made().id
    try await delete(id)
    return id
  }

  /// Deletes a record that is not there: it fails with `notFound`, or a note says that nobody can tell.
  func expectMissing(_ id: RecordID, _ done: String) async throws(Halt) {
    try await expectFailure(done, [.notFound], effects: [.rejected, .notSent]) { () throws(BackendError) in
      let receipt = try await backend.delete(.one(id), from: path)
      if !receipt.notes.isEmpty { throw BackendError(.notFound, "", effect: .rejected) }
    }
  }
}
