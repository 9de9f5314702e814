import BackendClient
import BackendKit
import CommandLanguage
import ConsoleOutput
import ConsoleSystem

extension Command {
  /// Writes the records of one resource to another.
  static let copy = transfer(
    "copy", "Copy records from one resource to another",
    options: [SharedOptions.conflict, SharedOptions.continuation],
    details: [
      "Fields are copied to those of the same name; --map maps other names, FIELD=VALUE is set in every record. Fields that",
      "the target does not have or its server sets are left out and reported. With --key, a record that already exists is",
      "updated where it differs.",
      "A field that refers to records of another resource needs --map-ref, or --resources for both: identifiers differ between backends.",
      "If a list cannot be read to its end, nothing is copied. To resume a copy that was killed, run the same command again. If",
      "the source has changed since, copy asks at a terminal, and a script ends with status 1 unless --continue or --restart is",
      "given.",
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
    try await context.transfer("copy", invocation)
    return .done
  }

  /// Makes one resource equal to another.
  static let sync = transfer(
    "sync", "Make one resource match another (create, update, delete)",
    arguments: SharedOptions.sourceAndTarget + [SharedOptions.byKey, .any(.assignment)],
    alternatives: [SharedOptions.fileAndTarget + [SharedOptions.byKey, .any(.assignment)]],
    options: SharedOptions.fileSource + [
      OptionSyntax("delete", help: "delete records of the target whose key the source does not have"),
      OptionSyntax(
        "max-delete", value: .free("N"),
        help: "refuse to delete more: a number, or a share such as 25%, rounded up (default: 10%)"),
    ],
    details: [
      "Records are matched by --key; missing ones are created, differing ones updated, and with --delete the rest are deleted",
      "last. A second run has nothing to do. A value that the server stores differently is reported once and not sent again.",
      "--from FILE takes the records of a file as the source: sync --from FILE TARGET.",
      "A field missing from a source record is left unchanged in the target. With --where, --delete also deletes target records",
      "whose source record does not meet the condition.",
      "Nothing is deleted if the source is empty or either list could not be read to a proven end, even with --trust-end.",
    ],
    examples: [
      Example(
        line: "sync todolist placeholder --key title userId:=1 --dry-run", says: "the requests that it would send")
    ]
  ) { invocation, context in
    if invocation.has("max-delete"), !invocation.has("delete") {
      throw UsageError("--max-delete requires --delete")
    }
    if let file = try context.sourceFile(invocation) {
      try context.refuseReferences(invocation)
      try await context.sync(file, invocation)
      return .done
    }
    try await context.transfer("sync", invocation)
    return .done
  }

  /// A command that carries records from one resource to another.
  private static func transfer(
    _ name: String, _ summary: String,
    arguments: [Argument] = SharedOptions.sourceAndTarget + [.any(.assignment)], alternatives: [[Argument]] = [],
    options: [OptionSyntax], details: [String], examples: [Example],
    run: @escaping @Sendable (Invocation, CommandContext) async throws -> CommandEnding
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

extension SharedOptions {
  /// The options for references to other records, and for several resources with references among them.
  static let related: [OptionSyntax] = [
    references,
    OptionSyntax(
      "resources", value: .free("NAMES"),
      help: "several resources of two backends, in this order; references between them are kept"),
  ]
  /// Which records of the source are meant.
  static let selectionOfSource = query.filter { $0.name != "native" }
  /// By which fields records are matched.
  static let byKey = Argument.option("key", .fields)
  /// The words that name a source and a target.
  static let sourceAndTarget: [Argument] = [.one(.target, as: "SOURCE"), .one(.target)]
  /// The same with a file as the source.
  static let fileAndTarget: [Argument] = [.option("from", .file(.input)), .one(.target)]
  /// The options for the writes of a transfer.
  static let transfer: [OptionSyntax] =
    jobs + [recheck, newFields] + GateOptions.syntax + output
}

extension CommandContext {
  /// The folder of what the console remembers; nil where the environment names none.
  var stateFolder: String? { UserFolders(environment: run.console.environment).state }

  /// Finds the target that a word names, if the word cannot be left out.
  func target(of word: Word) async throws -> Target {
    guard let target = try await targets.target(named: word.text) else {
      throw UsageError(
        "unknown backend or resource \"\(word.text)\"",
        hint: await targets.nearestTarget(word.text).map { "did you mean \($0)?" } ?? targets.backendNames,
        column: word.column)
    }
    return try await target.spelled
  }

  /// The source and the target that the words of a command name, and what chooses the records of the source.
  func sourceAndTarget(_ invocation: Invocation) async throws -> (source: Target, target: Target, query: ListOptions) {
    let words = invocation.words(.target)
    let (source, target) = (try await target(of: words[0]), try await target(of: words[1]))
    targets.work(on: target)
    guard source.description != target.description else {
      throw UsageError("\(source.description) is both source and target")
    }
    return (source, target, try await sourceQuery(invocation, source))
  }

  /// The query that chooses the records of a source.
  func sourceQuery(_ invocation: Invocation, _ source: Target) async throws -> ListOptions {
    var options = try ListOptions(source, [], invocation, self)
    try options.checkFields(try await source.client.resource(source.path), self)
    return options
  }

  /// Copies or syncs.
  func transfer(_ verb: String, _ invocation: Invocation) async throws {
    if let names = invocation.value(of: "resources") { return try await transferSeveral(verb, names, invocation) }
    let (source, target, query) = try await sourceAndTarget(invocation)
    let options = try TransferOptions(invocation, targets.configuration)
    let bulk = try BulkOptions(invocation, target, "create")
    let output = try RecordOutput(invocation, self, default: .table)
    let limit = try invocation.has("delete") ? DeletionLimit(invocation) : nil
    try checkWritable(target)
    try run.endRehearsal()
    var transfer = try await loaded(verb, source, target, query, invocation, options, jobs: bulk.jobs)
    try await transfer.carryOut(
      invocation, bulk, output, identity: identity(verb, source, query), from: source.backend.configuration,
      deletes: limit)
  }

  /// Refuses options that need a backend as the source, since a file has no other records to look at.
  func refuseReferences(_ invocation: Invocation) throws(UsageError) {
    for option in ["map-ref", "resources"] where invocation.has(option) {
      throw UsageError("--\(option) requires two backends, not a file")
    }
  }

  /// Returns the source's part of a command's identity; two commands with equal parts are the same.
  func identity(_ verb: String, _ source: Target, _ query: ListOptions) -> [String] {
    [verb, transferPlace(of: source), source.path.description, "\(query.query.filters)"]
  }

  /// A transfer whose source was read, after what its references need.
  func loaded(
    _ verb: String, _ source: Target, _ target: Target, _ query: ListOptions, _ invocation: Invocation,
    _ options: TransferOptions, jobs: Int
  ) async throws -> Transfer {
    let resource = try await target.client.resource(target.path)
    var transfer = try Transfer(
      verb, from: source.description, to: target, resource, options,
      constants: try await edits(invocation, resource.fields).filled(),
      source: try await source.client.resource(source.path),
      jobs: jobs, store: try TransferStore(state: stateFolder), self)
    var search = ReferenceSearch(transfer, from: source, self)
    transfer.references = try await search.references()
    try search.checkNamed(search.named)
    try await transfer.load(query.request(), of: source, to: .source)
    try await transfer.complete(.source, of: source)
    return transfer
  }
}
