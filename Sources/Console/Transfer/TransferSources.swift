import BackendClient
import BackendKit
import CommandLanguage
import ConsoleSetup
import ConsoleSystem

extension SharedOptions {
  static let fileSource =
    [
      OptionSyntax(
        "from", value: .file(.input), help: "take the records of a file as the source, - for standard input"),
      OptionSyntax(
        "input", value: .oneOf(RowFormat.allCases.map(\.rawValue)),
        help: "format of --from (default: from the file name)"),
    ] + cells
}

struct TransferSources: CommandPart {
  let context: CommandContext

  /// The source file of a command; nil if the source is a resource.
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

  func targetOfFile(_ invocation: Invocation) async throws -> Target {
    let target = try await Subject(context).target(of: try invocation.one(.target))
    targets.work(on: target)
    return target
  }

  /// A transfer of the rows of a file, already read.
  func fileTransfer(
    _ verb: String, of file: RowInput, to target: Target, _ invocation: Invocation, jobs: Int
  ) async throws -> Transfer {
    let resource = try await target.client.resource(target.path)
    var transfer = try Transfer(
      verb, from: file.name, to: target, resource, try TransferOptions(invocation, targets.configuration),
      constants: try await EditWords(context).edits(invocation, resource.fields).filled(), cells: file.cells,
      jobs: jobs,
      store: try TransferStore(state: stateFolder), context)
    try transfer.load(file)
    return transfer
  }

  /// The source and target of a command, and the query that selects source records.
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

  func sourceQuery(_ invocation: Invocation, _ source: Target) async throws -> ListOptions {
    var options = try ListOptions(source, [], invocation, context)
    try options.checkFields(try await source.client.resource(source.path), context)
    return options
  }

  /// Refuses options that need a backend as the source, since a file has no other records.
  func refuseReferences(_ invocation: Invocation) throws(UsageError) {
    for option in ["map-ref", "resources"] where invocation.has(option) {
      throw UsageError("--\(option) requires two backends, not a file")
    }
  }

  /// Returns the source's part of a command's identity; equal parts make commands the same.
  func identity(_ verb: String, _ source: Target, _ query: ListOptions) -> [String] {
    [verb, place(of: source), source.path.description, "\(query.query.filters)"]
  }

  /// A transfer with its source read, after the records that its references need.
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

  /// The service and user of a target, by which remembered data of transfers is separated. The connection's address
  /// distinguishes embedded demos of different runs.
  func place(of target: Target) -> String {
    let place = Ledgers(context).journalPlace(of: target.backend.configuration)
    return [target.backend.connection.address, place.address, place.user ?? ""].joined(separator: "\n")
  }

  /// The remembered values of a target; nil without a state folder.
  func keptValues(of target: Target) -> ServerNormalizedValues? {
    ServerNormalizedValues(state: stateFolder, place: place(of: target), resource: target.path.description)
  }
}
