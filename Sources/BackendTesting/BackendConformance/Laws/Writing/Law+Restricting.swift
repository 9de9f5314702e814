import BackendClient
import BackendKit

/// Laws of ``LawGroup/create`` about what a record cannot be made of.
extension Law {
  static let restricting: [Law] = [
    writableFields,
    Law(
      "chosen identifiers", .create,
      "where `create` may choose the identifier, the record gets it, a new one is not reported as a replacement, and an"
        + " existing one throws `alreadyExists` or `conflict`; elsewhere a chosen identifier is refused before any request"
        + " is made.",
      parts: [chosenIdentifier, takenIdentifier]),
    Law(
      "required fields as described", .create,
      "a record without a required field is refused with `invalid`, and nothing is created; a record without an"
        + " optional field is accepted.",
      parts: [requiredFields, optionalFields]),
    readOnlyFields,
    Law(
      "maximum length", .create,
      "text of exactly the maximum length is accepted and stored in full; longer text is refused with `invalid`, never"
        + " truncated.",
      parts: [longestText, tooLongText]),
    undescribedField, refusedCreate,
  ]

  private static let writableFields = Law(
    "writable fields", .create, needs: [.create],
    "a described field that is not read-only accepts values of its type in a create and in an update, each value that"
      + " is described as possible, its bounds, and references to records of the described resource; a unique field no"
      + " value that another record has."
  ) { context throws(CheckStop) in
    try await context.sandbox.needsWriting()
    let (fields, isRead) = (try await context.fields.writable(), context.operations.contains(.get))
    for field in fields where isRead {
      try await context.values.requireTaken(field, try await context.values.likelyValues(of: field))
    }
    for field in try await context.fields.unmarked() where !field.isLimited && !field.isUnique {
      try await context.values.requireClaims(of: field.proved)
    }
    for field in try await context.fields.unmarked() where field.isUnique && !field.holdsSecret {
      try await context.values.requireUnique(field)
    }
    var (count, untried) = (fields.count, [String]())
    for field in try await context.fields.restricted() where isRead {
      if try await context.values.takes(field) { count += 1 } else { untried.append(field.name) }
    }
    guard count > 0 else { throw try await context.fields.without("only the field with the suite's mark is writable") }
    guard untried.isEmpty else { throw .remarked("no accepted value is known for \(untried.joined(separator: ", "))") }
  }

  private static let chosenIdentifier = Part("chosen identifier") { context throws(CheckStop) in
    let id = try await context.own.absentID()
    guard context.capabilities.takesIdentifiers else {
      let field = try context.fields.identifier()
      guard context.resource.field(named: field)?.likely.isEmpty != false else {
        throw .notApplicable("what is only likely of \(field) refuses nothing")
      }
      try context.needs(.create)
      var fields = try await context.sandbox.fields()
      fields[field] = context.fields.value(of: id)
      try await context.expectRefusal(
        "a record was created with the \(field) \(id)", [.unsupported, .invalid], of: context.calls.create(fields))
      throw .refused
    }
    let made = try await context.own.made(try context.fields.naming(id))
    let done = "a record was created with the identifier \(id)"
    try context.require(made.id == id, done, expected: "this identifier", found: "\"\(made.id)\"")
    try context.require(
      !made.receipt.hasReplaced, "\(done), which no record had", expected: "a receipt of a new record",
      found: "one that says \"\(made.receipt.notes.last ?? "it replaced a record")\"")
    if context.operations.contains(.get) { _ = try await context.own.stored(id) }
  }

  private static let takenIdentifier = Part("existing identifier") { context throws(CheckStop) in
    guard context.capabilities.takesIdentifiers else { throw .notApplicable("identifiers cannot be chosen") }
    try context.needs(.get)
    let (made, before) = try await context.own.read()
    let (_, answer) = try await context.own.tried(try context.fields.naming(made.id))
    try await context.expectFailure(
      "a record was created with the identifier of an existing record", [.alreadyExists, .conflict], of: answer.get())
    try await context.own.requireUnchanged(before, "already existed when another record was to get its identifier")
  }

  private static let requiredFields = Part("required fields", needs: [.create]) { context throws(CheckStop) in
    let owners = try await context.fields.owners()
    let required = context.resource.fields.filter { $0.requires && !$0.isReadOnly && !owners.contains($0.name) }
    guard !required.isEmpty else { throw .notApplicable("no field is required") }
    try await context.sandbox.needsWriting()
    for field in required {
      var fields = try await context.sandbox.fields()
      fields[field.name] = nil
      let done = "a record was created without \(field.name)"
      try await context.expectClientRefusal(done, of: fields)
      try await context.expectFailure(
        done, [.invalid], of: await context.own.create(fields))
    }
  }

  private static let readOnlyFields = Law(
    "read-only fields", .create, needs: [.create, .get],
    "a field that only the server sets is never set to what was sent, neither by a create nor by an update."
  ) { context throws(CheckStop) in
    // With only two possible values, the suite might send the server's own.
    let fields = context.resource.fields.filter {
      $0.isReadOnly && $0.refusesWrites && !context.resource.identifier.isHeld(by: $0.name) && $0.kind != .boolean
    }
    guard !fields.isEmpty else { throw .notApplicable("no field but the identifier is known to be read-only") }
    for field in fields {
      let value = field.foreignValue
      let done = "\(field.name), which only the server sets, was sent as \(value.shown)"
      let (sent, answer) = try await context.own.tried(.only(field.name, value))
      try await context.expectClientRefusal(done, of: sent)
      if case .success(let receipt) = answer, let id = receipt.id {
        try context.requireNot(value, in: field.name, of: try await context.own.stored(id), done)
      }
      guard context.operations.contains(.update) else { continue }
      let made = try await context.own.made()
      guard case .success = await context.own.outcome(updating: made.id, [.set(field.name, value)]) else { continue }
      try context.requireNot(value, in: field.name, of: try await context.own.stored(made.id), done)
    }
  }

  private static let longestText = Part("text at maximum length", needs: [.get]) { context throws(CheckStop) in
    let limited = try await context.fields.limited()
    for (field, maximum) in limited {
      // A service may count a character as one, two or four, or take none beyond 16 bits.
      for letter in ["x", "😀"] {
        let text = context.fields.text(in: field, length: maximum, of: letter)
        // Shorter, since the field may be unique.
        let length = min(maximum - field.length(of: letter), context.sandbox.mark.utf16.count + 8)
        let short = Value.string(context.fields.text(in: field, length: length, of: letter))
        guard field.complaint(about: .string(text)) == nil, letter == "x" || field.complaint(about: short) == nil else {
          continue
        }
        if letter != "x", case .failure = try await context.own.tried(.only(field.name, short)).answer { continue }
        let made = try await context.own.made(.only(field.name, .string(text)))
        let stored = try await context.own.stored(made.id)
        try context.require(
          stored.fields[field.name] == .string(text), "\(field.name) was sent with \(maximum) units of \(letter)",
          expected: "all of it", found: stored.fields[field.name].shown)
      }
    }
  }

  private static let tooLongText = Part("text over maximum length") { context throws(CheckStop) in
    let limited = try await context.fields.limited()
    for (field, maximum) in limited {
      let done = "\(field.name) was sent with \(maximum + 1) characters"
      let long = Object.only(field.name, .string(context.fields.text(in: field, length: maximum + 1)))
      let (sent, answer) = try await context.own.tried(long)
      try await context.expectFailure(done, [.invalid], of: answer.get())
      try await context.expectClientRefusal(done, of: sent)
    }
  }

  private static let undescribedField = Law(
    "undescribed field", .create, needs: [.get],
    "an undescribed field is kept, refused, or named in a note; never lost."
  ) { context throws(CheckStop) in
    for value in ["kept?", false, 0, "", []] as [Value] {
      let done = "a record was created with \(value.shown) in a field that the description does not mention"
      guard let made = try await context.own.accepted(.only(WritableFields.unknown, value), done) else { continue }
      try context.own.requireKept(
        made.sent, try await context.own.stored(made.id), made.receipt.notes, done,
        expected: "it to be stored, refused or named in a note")
    }
  }

  private static let optionalFields = Part("optional fields") { context throws(CheckStop) in
    try await context.sandbox.needsWriting()
    let template = try await context.sandbox.template()
    guard let field = context.resource.field(named: template.markField), !field.isRequired else {
      throw .notApplicable("the field with the suite's mark cannot be omitted")
    }
    // Then another field needs the mark, which lists must show, too.
    let other = try await context.fields.writable().first {
      [.text, .html].contains($0.kind) && ($0.maximumLength ?? .max) > context.sandbox.mark.utf16.count
        && $0.takesAnyValue
        && !context.capabilities.unlistedFields.contains($0.name)
    }
    guard let other else { throw .notApplicable("no other text field can hold the suite's mark") }
    var fields = try await context.sandbox.fields()
    fields[field.name] = nil
    fields[other.name] = .string(context.sandbox.mark)
    _ = try await context.attempt("a record was created without \(field.name)", await context.own.create(fields))
  }

  private static let refusedCreate = Law(
    "refused create creates nothing", .create, needs: [.list],
    "a create whose error says that nothing was changed creates no record."
  ) { context throws(CheckStop) in
    let field = try await context.sandbox.template().markField
    var refused = 0
    for wrong in try await context.fields.wrong() {
      let (sent, answer) = try await context.own.tried(wrong)
      guard case .failure(let error) = answer, [.rejected, .notSent].contains(error.effect) else { continue }
      refused += 1
      let made = try await context.walk(context.query()).records.filter { $0.fields[field] == sent[field] }
      for record in made { context.sandbox.adopt(record.id) }
      try context.require(
        made.isEmpty, "a create was refused with \(error)", expected: "no record",
        found: "the record \(made.first?.id?.text ?? "")")
    }
    if refused == 0 { throw .notApplicable("the server refuses nothing that the suite sends") }
  }
}
