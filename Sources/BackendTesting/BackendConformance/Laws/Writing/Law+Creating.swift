import BackendClient
import BackendKit

extension Law {
  static let creating: [Law] =
    [
      created, identifierAtOnce, createdIsListed, createdApart, belongs,
      foreignOwner,
    ]
    + restricting + receipts

  private static let created = Law(
    "create stores the fields", .create, needs: [.get],
    "where writes are kept, `get` of the receipt's identifier returns a record with the fields sent, unless the"
      + " receipt's notes say otherwise; the receipt's record is that record, including what the server changed or added."
  ) { context throws(CheckStop) in
    let (made, stored) = try await context.own.read(full: true)
    let done = "a record was created with \(context.words(made.sent)) and read"
    try context.own.requireKept(made.sent, stored, made.receipt.notes, done, expected: "what was sent")
    if let shown = made.receipt.record { try context.own.requireShown(shown, stored, made.receipt.notes, done) }
  }

  private static let identifierAtOnce = Law(
    "create returns the identifier", .create, needs: [.get],
    "the receipt has the identifier whenever its record shows it, and `get` accepts it immediately."
  ) { context throws(CheckStop) in
    let answer = try await context.own.tried().answer
    let receipt = try await context.attempt("a record was created", answer.get())
    guard let id = receipt.id else {
      let shown = context.resource.identifier.field.flatMap { receipt.record?.fields[$0] } ?? .null
      try context.require(
        shown == .null, "a record was created",
        expected: "the identifier \(shown.shown) that its record shows",
        found: "a receipt without one")
      try context.require(
        !receipt.notes.isEmpty, "a record was created", expected: "its identifier, or a note that no response has it",
        found: "neither")
      throw .notApplicable("the server does not report the identifiers of the records it creates")
    }
    _ = try await context.own.stored(id)
  }

  private static let createdIsListed = Law(
    "created record is listed", .create, needs: [.list, .get],
    "a create creates exactly one record, which is in the list with the fields that `get` returns."
  ) { context throws(CheckStop) in
    let made = try await context.own.madeFull()
    let done = "a record was created once and the list was walked"
    let field = try await context.sandbox.template().markField
    let unlisted = context.capabilities.unlistedFields.contains(field)
    let listed = try await context.walk(context.query()).records.filter { record in
      record.id == made.id || !unlisted && record.fields[field] == made.sent[field]
    }
    for twin in listed where twin.id != made.id { context.sandbox.adopt(twin.id) }
    try context.require(listed.count == 1, done, expected: "the record \(made.id) once", found: "\(listed.count) times")
    let stored = try await context.own.stored(made.id)
    for (name, value) in listed[0].fields.members where stored.fields[name] != value {
      throw .breach(done, expected: "\(name) as `get` returns it, \(stored.fields[name].shown)", found: value.shown)
    }
  }

  private static let belongs = Law(
    "create sets the owner", .create,
    "a record created in a resource below a record belongs to that record, like the others there, and to no other, even"
      + " if it does not name its owner."
  ) { context throws(CheckStop) in
    guard let owner = context.path.parent?.id else { throw .notApplicable("the resource is not below a record") }
    try context.needs(.create, .list)
    let owners = try await context.fields.owners()
    let beside = try await context.page(context.query(pageSize: 1)).records.first
    try context.sandbox.needsMaking()
    var fields = try await context.sandbox.fields()
    for name in owners { fields[name] = nil }
    let without = owners.isEmpty ? "" : " without \(owners.sorted().joined(separator: ", "))"
    let done = "a record of \(owner) was created\(without)"
    let receipt = try await context.attempt(done, await context.own.create(fields))
    if receipt.writes == .echoed { throw .notApplicable("the server does not keep what is written") }
    let field = try await context.sandbox.template().markField
    let listed = try await context.walk(context.query()).records.first { $0.fields[field] == fields[field] }
    guard let listed else { throw .breach(done, expected: "the record in the list", found: "a list without it") }
    if let other = try await context.listBeside() {
      let isThere = try await context.walk(ListQuery(other)).ids.contains(listed.id)
      try context.require(
        !isThere, done, expected: "the record in no other list", found: "it in the list of \(other), too")
    }
    for name in owners.sorted() {
      try context.require(
        listed.fields[name] == beside?.fields[name], done,
        expected: "\(name) as in the other records there, \((beside?.fields[name]).shown)",
        found: listed.fields[name].shown)
    }
  }

  private static let foreignOwner = Law(
    "conflicting owner in create", .create,
    "a record created in a resource below a record with fields that name another owner is refused, or belongs to the"
      + " record it was created below."
  ) { context throws(CheckStop) in
    guard let owner = context.path.parent?.id else { throw .notApplicable("the resource is not below a record") }
    try context.needs(.create)
    let owners = try await context.fields.owners()
    guard !owners.isEmpty else { throw .notApplicable("no field of the records identifies their owner") }
    for name in owners.sorted() {
      for other: Value in [Int(owner.text).map { .int($0 + 1) } ?? "conformance", .string(owner.text + "1")] {
        let done = "a record of \(owner) was created with \(name) as \(other.shown)"
        let (_, answer) = try await context.own.tried(.only(name, other))
        switch answer {
        case .failure(let error): try context.requireRefusal(error, done)
        case .success(let receipt):
          guard context.operations.contains(.get), let id = receipt.id else { continue }
          let stored = try await context.own.stored(id)
          try context.require(
            RecordID(stored.fields[name]) == owner, done, expected: "a refusal, or a record of \(owner)",
            found: "one with \(stored.fields[name].shown)")
        }
      }
    }
  }

  private static let createdApart = Law(
    "creates are independent", .create,
    "two creates create two records with different identifiers, and the first stays as it was."
  ) { context throws(CheckStop) in
    let first = try await context.own.made()
    let before = context.operations.contains(.get) ? try await context.own.stored(first.id) : nil
    let second = try await context.own.made()
    try context.require(
      first.id != second.id, "two records were created", expected: "two identifiers", found: "\"\(first.id)\" for both")
    if let before { try await context.own.requireUnchanged(before, "was created, then another") }
  }
}
