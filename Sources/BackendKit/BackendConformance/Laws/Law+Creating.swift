import BackendKit

extension Law {
  static let creating: [Law] = [created]

  private static let created = Law(
    "created", .create,
    "where writes are kept, `get` of the receipt's identifier gives a record with the fields sent, as far as the"
      + " receipt's notes say nothing else."
  ) { bench throws(Halt) in
    try bench.needs(.create, .get)
    try await bench.sandbox.needsWriting()
    let fields = try await bench.sandbox.fields()
    let receipt = try await bench.attempt("a record was created") { () throws(BackendError) in
      try await bench.backend.create(fields, in: bench.path)
    }
    bench.sandbox.adopt(receipt.id)
    guard let id = receipt.id else {
      throw .breach("a record was created", expected: "its identifier in the receipt", found: "none")
    }
    let record = try await bench.get(id)
    guard receipt.notes.isEmpty else { return .run }
    for (name, value) in fields.members {
      try bench.require(
        record.fields[name] == value, "a record was created and read",
        expected: "\(name) \(JSONWriter.compact(value)), as it was sent",
        found: record.fields[name].map(JSONWriter.compact) ?? "no \(name)")
    }
    return .run
  }
}
