import BackendKit

extension Law {
  static let deleting: [Law] = [deleted, deleteMissing, neverMore]

  private static let deleted = Law(
    "deleted", .delete, "where writes are kept, `get` of the identifier afterwards throws `notFound`."
  ) { bench throws(Halt) in
    try bench.needs(.delete, .get)
    let id = try await bench.sandbox.make(1)[0]
    try await bench.delete(id)
    try await bench.expectFailure("the record \(id) was deleted and read", [.notFound]) { () throws(BackendError) in
      try await bench.backend.get(id, from: bench.path)
    }
    return .run
  }

  private static let deleteMissing = Law(
    "delete missing", .delete, "an identifier that names no record throws `notFound`, unless the server cannot tell."
  ) { bench throws(Halt) in
    try bench.needs(.delete)
    try bench.needsWriting()
    let id = try await bench.missingID()
    do throws(BackendError) {
      let receipt = try await bench.backend.delete(.one(id), from: bench.path)
      if !receipt.notes.isEmpty { return .run }
    } catch {
      try bench.require(
        error.code == .notFound, "the record \(id) was deleted, which is not there",
        expected: "the error \"notFound\"", found: "the error \(error)")
      return .run
    }
    throw .breach(
      "the record \(id) was deleted, which is not there",
      expected: "the error \"notFound\", or a note that the server cannot tell", found: "success")
  }

  private static let neverMore = Law(
    "never more", .delete, "a deletion of one record sends no request that could delete another."
  ) { bench throws(Halt) in
    try bench.needs(.delete, .list)
    let made = try await bench.sandbox.make(3)
    let before = try await bench.walk(bench.query()).records.compactMap(\.id)
    bench.traffic.forget()
    try await bench.delete(made[1])
    let writes = bench.traffic.requests.filter { $0.effect != .read }
    let after = try await bench.walk(bench.query()).records.compactMap(\.id)
    try bench.require(
      after == before.filter { $0 != made[1] }, "the record \(made[1]) was deleted",
      expected: "that it is gone and every other is there",
      found: bench.words(before.filter { !after.contains($0) }) + " gone")
    try bench.require(
      writes.count == 1, "the record \(made[1]) was deleted", expected: "one request that writes",
      found: writes.map(\.summary).joined(separator: ", "))
    return .run
  }
}

extension Bench {
  /// Deletes a record, which has to succeed.
  func delete(_ id: RecordID) async throws(Halt) {
    _ = try await attempt("the record \(id) was deleted") { () throws(BackendError) in
      try await backend.delete(.one(id), from: path)
    }
  }
}
