import BackendClient
import BackendKit

extension Law {
  static let creating: [Law] =
    [
      created, receiptShowsWhatIsStored, identifierAtOnce, createdIsListed, oneRecord, createdApart, belongs,
      foreignOwner,
    ]
    + restricting + receipts

  private static let created = Law(
    "created", .create,
    "where writes are kept, `get` of the receipt's identifier gives a record with the fields sent, as far as the"
      + " receipt's notes say nothing else."
  ) { bench throws(Halt) in
    try bench.needs(.get)
    let made = try await bench.madeFull()
    let stored = try await bench.stored(made.id)
    if let difference = Likeness.difference(made.sent, stored, notes: made.receipt.notes) {
      throw .breach(
        "a record was created with \(bench.words(made.sent)) and read", expected: "what was sent", found: difference)
    }
    return .run
  }

  private static let receiptShowsWhatIsStored = Law(
    "receipt of create", .create,
    "the receipt's record is the record as it is stored: also what the server changed or added is in it."
  ) { bench throws(Halt) in
    try bench.needs(.get)
    let made = try await bench.madeFull()
    guard let shown = made.receipt.record else { return .notApplicable("the receipt holds no record") }
    let stored = try await bench.stored(made.id)
    try bench.requireShown(shown, stored, made.receipt.notes, "a record was created and read")
    return .run
  }

  private static let identifierAtOnce = Law(
    "identifier at once", .create,
    "the receipt tells the identifier wherever its record shows it, and `get` takes it at once."
  ) { bench throws(Halt) in
    try bench.needs(.get)
    let (sent, answer) = try await bench.tried()
    let receipt = try await bench.attempt("a record was created") { () throws(BackendError) in try answer.get() }
    guard let id = receipt.id else {
      let shown = bench.resource.identifier.field.flatMap { receipt.record?.fields[$0] } ?? .null
      try bench.require(
        shown == .null, "a record was created",
        expected: "the identifier \(Likeness.shown(shown)) that its record shows",
        found: "a receipt without one")
      try bench.require(
        !receipt.notes.isEmpty, "a record was created", expected: "its identifier, or a note that nobody told it",
        found: "neither")
      return .notApplicable("the server does not tell the identifier of what it creates")
    }
    let stored = try await bench.stored(id)
    try bench.require(
      stored.id == id, "a record was created with the identifier \(id) and read", expected: "this identifier",
      found: stored.id.map { "\"\($0)\"" } ?? "none")
    let field = try await bench.sandbox.template().markField
    try bench.require(
      stored.fields[field] == sent[field], "a record was created with the identifier \(id) and read",
      expected: "the record that was made: \(field) \(Likeness.shown(sent[field]))",
      found: Likeness.shown(stored.fields[field]))
    return .run
  }

  private static let createdIsListed = Law(
    "created is listed", .create, "a new record is in the list, once, with the fields that `get` gives."
  ) { bench throws(Halt) in
    try bench.needs(.list, .get)
    let made = try await bench.madeFull()
    let done = "a record was created and the list was walked"
    let listed = try await bench.walk(bench.query()).records.filter { $0.id == made.id }
    try bench.require(
      listed.count == 1, done, expected: "the record \(made.id) once", found: "\(listed.count) times")
    let stored = try await bench.stored(made.id)
    for (name, value) in listed[0].fields.members where stored.fields[name] != value {
      throw .breach(
        done, expected: "\(name) as `get` gives it, \(Likeness.shown(stored.fields[name]))",
        found: Likeness.shown(value))
    }
    return .run
  }

  private static let oneRecord = Law(
    "one record", .create, "a create makes one record and no more."
  ) { bench throws(Halt) in
    try bench.needs(.list)
    let made = try await bench.made()
    let field = try await bench.sandbox.template().markField
    let alike = try await bench.walk(bench.query()).records.filter { $0.fields[field] == made.sent[field] }
    for twin in alike where twin.id != made.id { bench.sandbox.adopt(twin.id) }
    try bench.require(
      alike.count <= 1, "a record was created once and the list was walked",
      expected: "one record with the \(field) sent", found: "\(alike.count)")
    return .run
  }

  private static let belongs = Law(
    "belongs", .create,
    "a record made in a resource below a record belongs to that record as those beside it do, and to no other, also where"
      + " it does not say so."
  ) { bench throws(Halt) in
    guard let owner = bench.path.parent?.id else { return .notApplicable("the resource is not below a record") }
    try bench.needs(.create, .list)
    let owners = try await bench.ownerFields()
    let beside = try await bench.page(bench.query(pageSize: 1)).records.first
    try bench.sandbox.needsMaking()
    var fields = try await bench.sandbox.fields()
    for name in owners { fields[name] = nil }
    let without = owners.isEmpty ? "" : " without \(owners.sorted().joined(separator: ", "))"
    let done = "a record of \(owner) was created\(without)"
    let receipt = try await bench.attempt(done) { [fields] () throws(BackendError) in
      try await bench.backend.create(fields, in: bench.path)
    }
    bench.sandbox.adopt(receipt.id)
    if receipt.writes == .echoed { throw .notApplicable("the server does not keep what is written") }
    let field = try await bench.sandbox.template().markField
    let listed = try await bench.walk(bench.query()).records.first { $0.fields[field] == fields[field] }
    guard let listed else { throw .breach(done, expected: "it in the list", found: "a list without it") }
    if let other = try await bench.listBeside() {
      let isThere = try await bench.walk(ListQuery(other)).ids.contains(listed.id)
      try bench.require(!isThere, done, expected: "it in no other list", found: "it in the list of \(other), too")
    }
    for name in owners.sorted() {
      try bench.require(
        listed.fields[name] == beside?.fields[name], done,
        expected: "\(name) as the records beside it have it, \(Likeness.shown(beside?.fields[name]))",
        found: Likeness.shown(listed.fields[name]))
    }
    return .run
  }

  private static let foreignOwner = Law(
    "foreign owner", .create,
    "a record made in a resource below a record is refused where it says that it belongs to another, or belongs to that"
      + " record all the same."
  ) { bench throws(Halt) in
    guard let owner = bench.path.parent?.id else { return .notApplicable("the resource is not below a record") }
    try bench.needs(.create)
    let owners = try await bench.ownerFields()
    guard !owners.isEmpty else { return .notApplicable("no field of the records names the one that they belong to") }
    for name in owners.sorted() {
      for other: Value in [Int(owner.text).map { .int($0 + 1) } ?? "conformance", .string(owner.text + "1")] {
        let done = "a record of \(owner) was created with \(name) as \(Likeness.shown(other))"
        let (_, answer) = try await bench.tried(.only(name, other))
        switch answer {
        case .failure(let error): try bench.requireRefusal(error, done)
        case .success(let receipt):
          guard bench.operations.contains(.get), let id = receipt.id else { continue }
          let stored = try await bench.stored(id)
          try bench.require(
            RecordID(stored.fields[name]) == owner, done, expected: "a refusal, or a record of \(owner)",
            found: "one with \(Likeness.shown(stored.fields[name]))")
        }
      }
    }
    return .run
  }

  private static let createdApart = Law(
    "created apart", .create, "two creates give two records with two identifiers, and the first stays as it was."
  ) { bench throws(Halt) in
    let first = try await bench.made()
    let before = bench.operations.contains(.get) ? try await bench.stored(first.id) : nil
    let second = try await bench.made()
    try bench.require(
      first.id != second.id, "two records were created", expected: "two identifiers",
      found: "\"\(first.id)\" for both")
    if let before { try await bench.requireUnchanged(before, "was created, then another") }
    return .run
  }
}

extension LawContext {
  /// Ends the law as broken unless the record of a receipt is the one that is stored.
  func requireShown(_ shown: Record, _ stored: Record, _ notes: [String], _ done: String) throws(Halt) {
    for name in shown.fields.names + stored.fields.names {
      if shown.unloaded.contains(name) || Likeness.isNoted(name, notes) { continue }
      let (said, found) = (shown.fields[name], stored.fields[name])
      // What has no value may be left out of an answer.
      if Likeness.same(said ?? .null, found ?? .null) { continue }
      throw .breach(
        done, expected: "\(name) in the receipt's record as it is stored, \(Likeness.shown(found))",
        found: Likeness.shown(said))
    }
  }
}
