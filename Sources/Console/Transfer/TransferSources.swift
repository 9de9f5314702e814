import BackendClient
import BackendKit
import CommandLanguage
import ConsoleOutput
import ConsoleSetup
import ConsoleSystem

extension SharedOptions {
  /// A file in the place of a source.
  static let fileSource =
    [
      OptionSyntax(
        "from", value: .file(.input), help: "take the records of a file as the source, - for standard input"),
      OptionSyntax(
        "input", value: .oneOf(RowFormat.allCases.map(\.rawValue)),
        help: "format of --from (default: from the file name)"),
    ] + cells
}

/// The source and the target that the words of a transfer name.
struct TransferSources: CommandPart {
  let context: CommandContext

  /// The file that a command names as its source; nil if the source is a resource.
  func sourceFile(_ invocation: Invocation) throws(UsageError) -> RowInput? {
    guard let path = invocation.value(of: "from") else {
      for option in SharedOptions.fileSource where invocation.has(option.name) {
        throw UsageError("--\(option.name) requires --from", hint: "add --from FILE")
      }
      return nil
    }
    for option in SharedOptions.selectionOfSource where option.name != "trust-end" && invocation.has(option.name) {
      throw UsageError("--\(option.name) selects records of a resource, not of a file")
    }
    return try RowInput(path, invocation)
  }

  /// The target of a command whose source is a file.
  func targetOfFile(_ invocation: Invocation) async throws -> Target {
    let target = try await Subject(context).target(of: try invocation.one(.target))
    targets.work(on: target)
    return target
  }

  /// A transfer of the rows of a file, which were read.
  func fileTransfer(
    _ verb: String, of file: RowInput, to target: Target, _ invocation: Invocation, jobs: Int
  ) async throws -> Transfer {
    let resource = try await target.client.resource(target.path)
    let transfer = try Transfer(
      verb, from: file.name, to: target, resource, try TransferOptions(invocation, targets.configuration),
      constants: try await EditWords(context).edits(invocation, resource.fields).filled(), cells: file.cells,
      jobs: jobs,
      store: try TransferStore(state: stateFolder), context)
    try transfer.load(file)
    return transfer
  }

  /// The source and the target that the words of a command name, and what chooses the records of the source.
  func sourceAndTarget(_ invocation: Invocation) async throws -> (source: Target, target: Target, query: ListOptions) {
    let words = invocation.words(.target)
    let (source, target) = (
      try await Subject(context).target(of: words[0]), try await Subject(context).target(of: words[1])
    )
    targets.work(on: target)
    guard source.description != target.description else {
      throw UsageError("\(source.description) is both source and target")
    }
    return (source, target, try await sourceQuery(invocation, source))
  }

  /// The query that chooses the records of a source.
  func sourceQuery(_ invocation: Invocation, _ source: Target) async throws -> ListOptions {
    var options = try ListOptions(source, [], invocation, context)
    try options.checkFields(try await source.client.resource(source.path), context)
    return options
  }

  /// Refuses options that need a backend as the source, since a file has no other records to look at.
  func refuseReferences(_ invocation: Invocation) throws(UsageError) {
    for option in ["map-ref", "resources"] where invocation.has(option) {
      throw UsageError("--\(option) requires two backends, not a file")
    }
  }

  /// Returns the source's part of a command's identity; two commands with equal parts are the same.
  func identity(_ verb: String, _ source: Target, _ query: ListOptions) -> [String] {
    [verb, place(of: source), source.path.description, "\(query.query.filters)"]
  }

  /// A transfer whose source was read, after what its references need.
  func loaded(
    _ verb: String, _ source: Target, _ target: Target, _ query: ListOptions, _ invocation: Invocation,
    _ options: TransferOptions, jobs: Int
  ) async throws -> Transfer {
    let resource = try await target.client.resource(target.path)
    var transfer = try Transfer(
      verb, from: source.description, to: target, resource, options,
      constants: try await EditWords(context).edits(invocation, resource.fields).filled(),
      source: try await source.client.resource(source.path),
      jobs: jobs, store: try TransferStore(state: stateFolder), context)
    var search = ReferenceSearch(transfer, from: source, context)
    transfer.references = try await search.references()
    try search.checkNamed(search.named)
    try await transfer.load(query.request(), of: source, to: .source)
    try await transfer.complete(.source, of: source)
    return transfer
  }

  /// The service of a target and its user, by which all memory of transfers is kept apart. The address of the connection tells the
  /// embedded demo servers of two runs apart.
  func place(of target: Target) -> String {
    let place = Ledgers(context).journalPlace(of: target.backend.configuration)
    return [target.backend.connection.address, place.address, place.user ?? ""].joined(separator: "\n")
  }

  /// The memory of what a target has stored; nil without a state folder.
  func keptValues(of target: Target) -> ServerNormalizedValues? {
    ServerNormalizedValues(state: stateFolder, place: place(of: target), resource: target.path.description)
  }
}
