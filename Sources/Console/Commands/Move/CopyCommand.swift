import CommandLanguage
import ConsoleOutput
import ConsoleSystem

extension Command {
  static let copy = transfer(
    "copy", "Copy records from one resource to another",
    options: [SharedOptions.conflict, SharedOptions.continuation],
    details: [
      "Fields are copied to fields of the same name; --map maps other names, and FIELD=VALUE is set in every record. Fields that the",
      "target does not have, or that only its server sets, are left out and reported. With --key, a record that already exists is",
      "updated if it differs.",
      "A field that refers to another resource needs --map-ref, or --resources with both resources: identifiers differ between backends.",
      "If a list cannot be read to its end, nothing is copied. After an interruption, run the same command again to resume. If the",
      "source has changed since, copy asks at a terminal, and a script ends with status 1 unless --continue or --restart is given.",
    ],
    examples: [
      Example(
        line: "copy todolist placeholder --where completed=false --key title userId:=1",
        says: "open todos, copied to another system once"),
      Example(
        line: "copy old new --resources users,todos --key users=email,todos=code",
        says: "two resources; each todo refers to its user by the identifier there"),
    ]
  ) { invocation, context in
    try await Copying(context).transfer("copy", invocation)
  }

  static let sync = transfer(
    "sync", "Make one resource match another (create, update, delete)",
    arguments: SharedOptions.sourceAndTarget + [SharedOptions.byKey, .any(.assignment)],
    alternatives: [SharedOptions.fileAndTarget + [SharedOptions.byKey, .any(.assignment)]],
    options: SharedOptions.fileSource + [
      OptionSyntax("delete", help: "delete records of the target whose key the source does not have"),
      OptionSyntax(
        "max-delete", value: .free("N"),
        help: "most records to delete: a number, or a share such as 25%, rounded up (default: 10%)"),
    ],
    details: [
      "Records are matched by --key. Missing records are created and different ones updated; --delete then deletes the rest. A second",
      "run has nothing to do. A value that the server stores differently is reported once, and not sent again.",
      "A field that a source record does not have stays unchanged in the target. With --where, --delete also deletes target records",
      "whose source record does not match the condition.",
      "Nothing is deleted if the source is empty, or if the end of either list is not proved, even with --trust-end.",
    ],
    examples: [
      Example(
        line: "sync todolist placeholder --key title userId:=1 --dry-run", says: "the requests that it would send")
    ]
  ) { invocation, context in
    if invocation.has("max-delete"), !invocation.has("delete") {
      throw UsageError("--max-delete requires --delete")
    }
    if let file = try TransferSources(context).sourceFile(invocation) {
      try TransferSources(context).refuseReferences(invocation)
      return try await Copying(context).sync(file, invocation)
    }
    try await Copying(context).transfer("sync", invocation)
  }

  private static func transfer(
    _ name: String, _ summary: String,
    arguments: [Argument] = SharedOptions.sourceAndTarget + [.any(.assignment)], alternatives: [[Argument]] = [],
    options: [OptionSyntax], details: [String], examples: [Example],
    run: @escaping @Sendable (Invocation, CommandContext) async throws -> Void
  ) -> Command {
    Command(
      name, .move, summary, arguments: arguments, alternatives: alternatives,
      effects: [.readsRecords, .writesRecords, .handsOverWrites],
      options: SharedOptions.selectionOfSource + SharedOptions.mapping + [SharedOptions.acceptTypes]
        + SharedOptions.related + options
        + SharedOptions.resumption + SharedOptions.transfer,
      details: details, examples: examples, run: run)
  }
}

private struct Copying: CommandPart {
  let context: CommandContext

  func transfer(_ verb: String, _ invocation: Invocation) async throws {
    if let names = invocation.value(of: "resources") {
      return try await SeveralTransfers(context).transfer(verb, names, invocation)
    }
    let (source, target, query) = try await TransferSources(context).sourceAndTarget(invocation)
    let options = try TransferOptions(invocation, targets.configuration)
    let (bulk, output, limit) = try manner(invocation, target)
    try run.endRehearsal()
    var transfer = try await TransferSources(context).loaded(
      verb, source, target, query, invocation, options, jobs: bulk.jobs)
    try await transfer.carryOut(
      invocation, bulk, output, identity: TransferSources(context).identity(verb, source, query),
      from: source.backend.configuration, deletes: limit)
  }

  private func manner(
    _ invocation: Invocation, _ target: Target
  ) throws -> (BulkOptions, RecordOutput, DeletionLimit?) {
    let manner = try (
      BulkOptions(invocation, target, "create"), RecordOutput(invocation, context, default: .table),
      invocation.has("delete") ? DeletionLimit(invocation) : nil
    )
    try target.checkWritable()
    return manner
  }

  func sync(_ file: RowInput, _ invocation: Invocation) async throws {
    let target = try await TransferSources(context).targetOfFile(invocation)
    let (bulk, output, limit) = try manner(invocation, target)
    var transfer = try await TransferSources(context).fileTransfer(
      "sync", of: file, to: target, invocation, jobs: bulk.jobs)
    try run.endRehearsal()
    let folders = UserFolders(environment: run.console.environment)
    let path = file.path == "-" ? "-" : folders.absolute(file.path, below: run.console.directory)
    try await transfer.carryOut(invocation, bulk, output, identity: ["sync", path], from: nil, deletes: limit)
  }
}
