import BackendClient
import BackendKit

extension Command {
  /// Makes records.
  static let create = Command(
    "create", .change, "Create a record", arguments: [.optional(.target), .some(.assignment)],
    effects: [.readsRecords, .writesRecords],
    options: SharedOptions.from + SharedOptions.jobs + [SharedOptions.newFields, SharedOptions.yes]
      + SharedOptions.output,
    details: [
      "FIELD=TEXT, FIELD:=JSON, FIELD=@FILE for text and FIELD:=@FILE for JSON from a file; @- is standard input.",
      "Where the field's kind is known, plain = gives a number or a boolean. address.city=TEXT sets a part of a field; a field",
      "whose own name has a dot is written \"in.quotes\"=TEXT.",
      "--from makes a record of each JSON object, FIELD=VALUE set in every one.",
      "Without fields, those of a new record are asked for one by one at a terminal; Enter takes what is offered in brackets, or leaves",
      "the field out, and Ctrl-C or Ctrl-D gives up.",
    ],
    examples: [
      Example(line: "create title=\"New badge readers\" body=\"<p>At the north door</p>\"", says: "a new record")
    ]
  ) { invocation, session in
    var words = invocation.words
    let target = try await session.takeTarget(&words, literalStart: invocation.literalStart)
    let resource = try await target.client.resource(target.path)
    let output = try RecordOutput(invocation, session, default: .table)
    let edits = try session.edits(words, resource.fields)
    let given = try session.given(invocation, resource, as: .objects)
    let refused = "nothing was created"
    guard let given else {
      var fields = try edits.filled()
      if words.isEmpty {
        guard let asked = try await session.askFields(of: resource, target) else {
          throw UsageError("create needs a field", hint: "create [TARGET] FIELD=VALUE ...")
        }
        fields = asked
      }
      let write = Write.create(target.path, fields)
      try await session.check(write, of: target)
      try await session.permit("Create a record of \(target.description)", target, invocation, refused: refused)
      try await session.show(try await session.perform(write, of: target), of: write, target, resource, output)
      return .done
    }
    let options = try BulkOptions(invocation, target, "create")
    let writes = try given.map { record in
      InputWrite(record, .create(target.path, try edits.filled(try record.wholeFields(resource))))
    }
    for given in writes { try await session.check(given.write, of: target, at: given.place) }
    try await session.permit(
      "Create \(given.count) records of \(target.description)", target, invocation, refused: refused)
    try await session.perform(writes, of: target, resource, output, options)
    return .done
  }

  /// Changes fields of records.
  static let update = Command(
    "update", .change, "Change fields of a record",
    arguments: [.optional(.target), .one(.identifier), .some(.assignment)], effects: [.readsRecords, .writesRecords],
    options: [OptionSyntax("unset", value: .field, help: "clear a field", isRepeatable: true)]
      + SharedOptions.from + SharedOptions.jobs + [SharedOptions.force, SharedOptions.newFields, SharedOptions.yes]
      + SharedOptions.output,
    details: [
      "--from changes each record that is named there, by its identifier alone or by a JSON object with the fields to set.",
      "Where the service has revisions, a record that was read before is changed only if nobody has changed it since then;",
      "otherwise both versions are shown. --force changes it all the same.",
      "FIELD=! makes true of a false and false of a true.",
    ],
    examples: [
      Example(line: "update 5 title=\"Canteen closed on Monday\"", says: "one field; the others stay"),
      Example(line: "update 5 --unset body", says: "the body is cleared"),
    ]
  ) { invocation, session in
    var words = invocation.words
    let target = try await session.takeTarget(&words, literalStart: invocation.literalStart)
    let resource = try await target.client.resource(target.path)
    let output = try RecordOutput(invocation, session, default: .table)
    func edits(_ words: some Sequence<Word>) throws -> FieldEdits {
      try session.edits(Array(words), unset: invocation.values(of: "unset"), resource.fields)
    }
    let refused = "nothing was changed"
    if invocation.has("from") {
      let edits = try edits(words)
      let options = try BulkOptions(invocation, target)
      let given = try session.given(invocation, resource, as: .either) ?? []
      let writes = try await session.sendable(
        try given.map { record in
          InputWrite(record, try record.updated(target.path, resource, edits, invocation.revision))
        }, of: target, resource)
      try await session.permit(
        "Update \(given.count) records of \(target.description)", target, invocation, refused: refused)
      try await session.perform(writes, of: target, resource, output, options)
      return .done
    }
    _ = try session.given(invocation, resource, as: .either)
    let given: InputIdentifier
    if resource.isNamed(without: words.first, unset: invocation.values(of: "unset")) {
      given = InputIdentifier(id: .sole, place: nil)
    } else if let word = words.first {
      given = try await session.identifiers([word], of: invocation, target, resource)[0]
      words.removeFirst()
    } else {
      throw UsageError("update needs an identifier", hint: "update [TARGET] ID FIELD=VALUE ...")
    }
    let id = given.id
    let edits = try edits(words)
    guard !edits.isEmpty else { throw UsageError("update needs a change", hint: "FIELD=VALUE or --unset FIELD") }
    let write = Write.update(target.path, id, edits.changes, parts: edits.parts, revision: invocation.revision)
    try await session.check(write, of: target)
    try await session.checkAddresses([given], of: target)
    try await session.permit("Update \(target.description(of: id))", target, invocation, refused: refused)
    try await session.show(try await session.perform(write, of: target), of: write, target, resource, output)
    return .done
  }
}

extension ResourceDescription {
  /// Whether a command names the one record of the resource by the resource alone: its first word, if any, is a change.
  fileprivate func isNamed(without first: Word?, unset: [String]) -> Bool {
    guard let first else { return identifier.mayBeAbsent && !unset.isEmpty }
    return identifier.form == .none || identifier.isOptional && !first.isQuoted && Predicates.looksLikePredicate(first)
  }
}

extension Invocation {
  /// Which revision a write insists on.
  var revision: Write.RevisionUse { has("force") ? .none : .known }
}
