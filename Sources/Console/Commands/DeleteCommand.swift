import BackendClient
import BackendKit

extension Command {
  /// Deletes records.
  static let delete = Command(
    "delete", .change, "Delete records by identifier, or all of them",
    arguments: [.optional(.target), .some(.identifier)],
    alternatives: [
      [.optional(.target), .word("--where"), .one(.expression)], [.optional(.target), .word("--all")],
    ],
    effects: [.readsRecords, .writesRecords, .handsOverWrites],
    options: [OptionSyntax("all", help: "every record of the resource")] + SharedOptions.from
      + SharedOptions.selection + SharedOptions.jobs
      + [SharedOptions.dryRun, SharedOptions.ignoreNotFound, SharedOptions.force, SharedOptions.yesOrCount]
      + SharedOptions.format,
    details: [
      "--from deletes the records whose identifiers it holds, one per line, as -o id prints them.",
      "More than one record, those that --from names, and a record with which the server deletes others (a schema, an owner",
      "on a json-server) are a question at a terminal and need --yes in a script; so does any deletion with which the server",
      "deletes records whose owner does not exist, as json-server 0.17 does. With --yes, a warning says how many those are.",
      "Where the service has revisions, a record that was read before is deleted only if nobody has changed it since then;",
      "--force deletes it all the same.",
    ],
    examples: [
      Example(line: "delete 4", says: "one record"),
      Example(line: "delete todolist --all --yes", says: "every todo, without a question"),
    ]
  ) { invocation, session in
    try SelectedRecords.checkOptions(invocation)
    if SelectedRecords.isGiven(invocation) {
      if invocation.has("all") || invocation.has("from") {
        throw UsageError("--where and --search cannot be combined with --all or --from", hint: "nothing was sent")
      }
      try await session.delete(invocation)
      return .done
    }
    if invocation.has("all") {
      var words = invocation.words
      let target = try await session.takeTarget(&words, literalStart: invocation.literalStart)
      if invocation.has("from") { throw UsageError("--all and --from cannot be combined", hint: "nothing was sent") }
      if let word = words.first { throw UsageError("--all takes no ids, not \"\(word.text)\"") }
      let resource = try await target.client.resource(target.path)
      try session.checkWritable(target)
      try target.client.canDeleteAll(resource)
      if try await session.withholds([.delete(target.path, .all)], target, invocation) { return .done }
      try await session.confirm("Delete every record of \(target.description)", target, invocation)
      let write = Write.delete(target.path, .all)
      let receipt = try await session.perform(write, of: target)
      try session.present(
        target.fields(of: receipt, [("all", true)]), invocation, text: session.sentence(receipt, of: write, target))
      session.note(receipt)
      return .done
    }
    let (target, ids) = try await session.targetAndIdentifiers(invocation)
    for given in ids {
      try await session.check(
        .delete(target.path, .one(given.id), revision: invocation.revision), of: target, at: given.place)
    }
    try await session.checkAddresses(ids, of: target)
    let writes = ids.map { Write.delete(target.path, .one($0.id), revision: invocation.revision) }
    if try await session.withholds(writes, target, invocation) {
      try await session.tellOrphans(of: ids.map(\.id), in: target)
      return .done
    }
    try await session.confirmDeletion(of: ids.map(\.id), in: target, invocation)
    let output = try RecordOutput(invocation, session, default: .table)
    let options = try BulkOptions(invocation, target)
    let deletion = RecordDeletion(
      target: target, revision: invocation.revision, ignoresMissing: invocation.has("ignore-not-found"),
      tells: output.isForPeople && !options.isQuiet)
    let sender = WriteSender(target, session)
    if ids.count == 1, !invocation.has("from") {
      let result: Result<WriteReceipt?, any Error>
      do { result = .success(try await deletion.send(ids[0].id, over: sender)) } catch { result = .failure(error) }
      guard let record = try session.take(result, of: deletion, ids[0].id) else { return .done }
      session.count(records: 1)
      try session.present([record], isSingle: true, invocation, text: "")
      return .done
    }
    let presentation = output.presentation(session, fields: [], columns: nil, isSingle: false)
    let run = RecordStream(
      output.format.printer(presentation), to: session.output, flushes: true, rows: session.execution.rows,
      tellsAll: true)
    try await session.each(
      ids, of: target, "delete", options, into: output.isForPeople || options.isQuiet ? nil : run
    ) { given in
      try await deletion.send(given.id, over: sender)
    } take: { given, answer in
      guard let record = try session.take(answer, of: deletion, given.id) else { return .notThere }
      if !output.isForPeople, !options.isQuiet { _ = run.take([record]) }
      return try answer.get()?.isKept == true ? .done : .notKept
    }
    return .done
  }
}

/// How a command deletes single records.
private struct RecordDeletion: Sendable {
  let target: Target
  let revision: Write.RevisionUse
  /// Whether a record that is not there is no failure.
  let ignoresMissing: Bool
  /// Whether each deletion is told to people.
  let tells: Bool

  func write(of id: RecordID) -> Write { .delete(target.path, .one(id), revision: revision) }

  /// Deletes a record; nil if it does not exist, and that is no failure.
  func send(_ id: RecordID, over sender: WriteSender) async throws(BackendError) -> WriteReceipt? {
    try await sender.send(write(of: id), ignoringMissing: ignoresMissing, target.client)
  }
}

extension Error {
  /// Whether it says that the record does not exist: a deletion of it has nothing to do.
  var isNothingThere: Bool {
    guard let error = self as? BackendError, error.code == .notFound else { return false }
    return error.effect == .rejected || error.effect == .notSent
  }
}

extension Session {
  /// What became of a deletion, told to people at once; nil where there was nothing to delete, and that is no failure.
  fileprivate func take(
    _ result: Result<WriteReceipt?, any Error>, of deletion: RecordDeletion, _ id: RecordID
  ) throws -> Record? {
    let target = deletion.target
    let done: Result<WriteReceipt, any Error>
    switch result {
    case .success(nil):
      note("\(target.description(of: id)) is not there")
      return nil
    case .success(let receipt?): done = .success(receipt)
    case .failure(let error): done = .failure(error)
    }
    let receipt = try accounted(done, deletion.write(of: id), target)
    forget(id, of: target, receipt)
    if deletion.tells {
      output.write(sentence(receipt, of: deletion.write(of: id), target))
      output.flush()
    }
    note(receipt)
    let text = Value.string(id.text)
    return Record(id: id, fields: target.fields(of: receipt, [("id", Number(id.text).map { .number($0) } ?? text)]))
  }
}

extension Target {
  /// What became of a deletion, as programs read it.
  fileprivate func fields(of receipt: WriteReceipt, _ more: [(String, Value)]) -> Object {
    let isKept = receipt.isKept
    return Object(
      [
        ("action", .string(isKept ? "deleted" : "accepted")), ("backend", .string(client.name)),
        ("resource", .string(path.description)),
      ] + more + (isKept ? [] : [("kept", false)]))
  }
}
