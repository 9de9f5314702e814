import BackendClient
import BackendKit

extension Command {
  /// Makes a record.
  static let create = Command(
    "create", "Make a record", arguments: "[TARGET] FIELD=VALUE ...",
    options: [SharedOptions.yes] + SharedOptions.output,
    details: [
      "FIELD=TEXT, FIELD:=JSON, FIELD=@FILE for a text and FIELD:=@FILE for JSON from a file.",
      "Where the field's kind is known, plain = gives a number or a boolean.",
    ],
    examples: [
      Example(line: "create title=\"New badge readers\" body=\"<p>At the north door</p>\"", says: "a new record")
    ]
  ) { invocation, session in
    var words = invocation.words
    let target = try await session.takeTarget(&words, literalStart: invocation.literalStart)
    let resource = try await target.client.resource(target.path)
    let output = try RecordOutput(invocation, session, standard: .table)
    guard !words.isEmpty else { throw UsageError("create needs a field", hint: "create [TARGET] FIELD=VALUE ...") }
    let changes = try Assignments.changes(from: words, unset: [], fields: resource.fields, readFile: readFile)
    var fields = Object()
    for case .set(let name, let value) in changes { fields[name] = value }
    try await session.permit(
      "Create a record of \(target.description)", target, invocation, refused: "nothing was created")
    let receipt = try await target.client.perform(.create(target.path, fields))
    try await session.show(receipt, of: target, resource, output, verb: "created", fields: nil)
    return .done
  }

  /// Changes fields of a record.
  static let update = Command(
    "update", "Change fields of a record", arguments: "[TARGET] ID FIELD=VALUE ...",
    options: [
      OptionSyntax("unset", value: "FIELD", help: "remove or empty a field", isRepeatable: true),
      SharedOptions.yes,
    ] + SharedOptions.output,
    examples: [
      Example(line: "update 5 title=\"Canteen closed on Monday\"", says: "one field; the others stay"),
      Example(line: "update 5 --unset body", says: "the body is removed"),
    ]
  ) { invocation, session in
    var words = invocation.words
    let target = try await session.takeTarget(&words, literalStart: invocation.literalStart)
    let resource = try await target.client.resource(target.path)
    let output = try RecordOutput(invocation, session, standard: .table)
    guard let id = words.first else {
      throw UsageError("update needs an identifier", hint: "update [TARGET] ID FIELD=VALUE ...")
    }
    if !id.isUnknown, let complaint = resource.identifier.complaint(about: id.text) {
      throw UsageError(complaint, hint: "nothing was sent")
    }
    let changes = try Assignments.changes(
      from: Array(words.dropFirst()), unset: invocation.values(of: "unset"), fields: resource.fields,
      readFile: readFile)
    guard !changes.isEmpty else {
      throw UsageError("update needs a change", hint: "FIELD=VALUE or --unset FIELD")
    }
    try await session.permit(
      "Update \(target.description)/\(id.text)", target, invocation, refused: "nothing was changed")
    let receipt = try await target.client.perform(.update(target.path, RecordID(id.text), changes))
    try await session.show(
      receipt, of: target, resource, output, verb: "updated", fields: changes.map(\.field))
    return .done
  }

  /// Deletes records.
  static let delete = Command(
    "delete", "Delete records by their identifiers, or all", arguments: "[TARGET] ID ... | [TARGET] --all",
    options: [OptionSyntax("all", help: "every record of the resource"), SharedOptions.yes] + SharedOptions.telling,
    details: ["More than one record is a question at a terminal and needs --yes in a script."],
    examples: [
      Example(line: "delete 4", says: "one record"),
      Example(line: "delete todolist --all --yes", says: "every todo, without a question"),
    ]
  ) { invocation, session in
    if invocation.has("all") {
      var words = invocation.words
      let target = try await session.takeTarget(&words, literalStart: invocation.literalStart)
      if let word = words.first { throw UsageError("--all goes with no identifier, not \"\(word.text)\"") }
      let resource = try await target.client.resource(target.path)
      try session.checkWritable(target)
      try target.client.canDeleteAll(resource)
      try await session.confirm("Delete every record of \(target.description)", target, invocation)
      let receipt = try await target.client.perform(.delete(target.path, .all))
      try session.tell(
        target.receipt("deleted", [("all", true)]), invocation,
        text: Visible.text("deleted all of \(target.path)") + "\n")
      session.remark(receipt)
      return .done
    }
    let (target, ids) = try await session.targetAndIdentifiers(invocation, "delete")
    if ids.count > 1 {
      try session.checkWritable(target)
      try await session.confirm("Delete \(ids.count) records of \(target.description)", target, invocation)
    } else {
      try await session.permit(
        "Delete \(target.description)/\(ids[0])", target, invocation, refused: "nothing was deleted")
    }
    let output = try RecordOutput(invocation, session, standard: .table)
    func delete(_ id: RecordID) async throws -> Record {
      let receipt = try await target.client.perform(.delete(target.path, .one(id)))
      session.forget(id, of: target, receipt)
      if output.isForPeople { session.output.write(Visible.text("deleted \(target.path)/\(id)") + "\n") }
      session.remark(receipt)
      let text = Value.string(id.text)
      return Record(id: id, fields: target.receipt("deleted", [("id", Number(id.text).map { .number($0) } ?? text)]))
    }
    if ids.count == 1 {
      let receipt = try await delete(ids[0])
      session.tally.records = 1
      try session.tell([receipt], isSingle: true, invocation, text: "")
      return .done
    }
    var done: [Record] = []
    let result: Result<Void, any Error>
    do {
      result = .success(try await session.each(ids, of: target, "delete") { done.append(try await delete($0)) })
    } catch {
      result = .failure(error)
    }
    try session.tell(done, isSingle: false, invocation, text: "")
    try result.get()
    return .done
  }

  private static func readFile(_ path: String) throws(UsageError) -> [UInt8] { try WholeFile.read(path) }
}

extension Target {
  /// What was done, as programs read it.
  fileprivate func receipt(_ action: String, _ more: [(String, Value)]) -> Object {
    Object(
      [("action", .string(action)), ("backend", .string(client.name)), ("resource", .string(path.description))] + more)
  }
}

extension Session {
  /// Prints what came of a write: a sentence for people, the record for programs.
  fileprivate func show(
    _ receipt: WriteReceipt, of target: Target, _ resource: ResourceDescription, _ output: RecordOutput, verb: String,
    fields: [String]?
  ) async throws {
    tally.records = 1
    let written = receipt.record ?? receipt.id.map { Record(id: $0, fields: Object()) }
    if receipt.writes != .echoed, let written { knowledge?.learn([written], of: target.client.name, target.path) }
    if output.isForPeople, rows == nil {
      if let written { scriptResult = .records([written], count: 1, isSingle: true) }
      let name = receipt.id.map { "\(target.path)/\($0)" } ?? "\(target.path), identifier not told"
      self.output.write(
        Visible.text("\(verb) \(name)" + (fields.map { ": \($0.joined(separator: ", "))" } ?? "")) + "\n")
    } else if let record = receipt.record, record.isWhole {
      output.print(record, resource, self)
    } else if let id = receipt.id, receipt.writes != .echoed {
      output.print(try await target.client.get(id, from: target.path), resource, self)
    } else {
      output.print(receipt.record ?? Record(id: receipt.id, fields: Object()), resource, self)
    }
    remark(receipt)
  }

  /// Offers a record no longer that was deleted.
  fileprivate func forget(_ id: RecordID, of target: Target, _ receipt: WriteReceipt) {
    guard receipt.writes != .echoed else { return }
    knowledge?.learn { $0.identifiers["\(target.client.name)/\(target.path)"]?.remove(id.text) }
  }

  fileprivate func remark(_ receipt: WriteReceipt) {
    let echoed = receipt.writes == .echoed ? ["accepted, but this server does not keep it"] : []
    for text in echoed + receipt.notes.filter({ !echoed.contains($0) }) { warn(text) }
  }

  /// Throws where the backend's configuration lets nothing be written to it.
  func checkWritable(_ target: Target) throws(UsageError) {
    try Restriction.current.checkWriting()
    let configuration = target.backend.configuration
    guard configuration.isReadOnly else { return }
    throw UsageError(
      "\(configuration.name) is read only, as \(configuration.place("readOnly")) says", hint: "nothing was sent")
  }

  /// Asks before a write to a production system; throws where nothing may be written, or where the answer is no.
  fileprivate func permit(
    _ question: String, _ target: Target, _ invocation: Invocation, refused: String
  ) async throws {
    try checkWritable(target)
    guard target.backend.configuration.isProduction else { return }
    try await confirm("\(question) (production)", target, invocation, refused: refused)
  }

  /// Asks before something that cannot be taken back, unless `--yes` was given. Throws where the answer is no, with what
  /// was not done, and where nobody can be asked.
  func confirm(
    _ question: String, _ target: Target, _ invocation: Invocation, refused: String = "nothing was deleted"
  ) async throws {
    if invocation.has("yes") { return }
    guard isInteractive, let source else {
      throw UsageError(
        "\(question.prefix(1).lowercased() + question.dropFirst()) needs --yes", hint: "nothing was sent")
    }
    output.flush()
    progress?.end()
    let answer = await source.answer(
      to: Visible.text("\(question) at \(target.backend.connection.address)?") + " [y/N] ")
    guard let answer, ["y", "yes"].contains(answer.lowercased()) else {
      throw CommandFailure(.failure, refused)
    }
  }
}
