import BackendClient
import BackendKit
import CommandLanguage
import ConsoleOutput
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

extension CommandContext {
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
    let target = try await target(of: try invocation.one(.target))
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
      constants: try await edits(invocation, resource.fields).filled(), cells: file.cells, jobs: jobs,
      store: try TransferStore(state: stateFolder), self)
    try transfer.load(file)
    return transfer
  }

  /// Makes the records of a resource those of a file.
  func sync(_ file: RowInput, _ invocation: Invocation) async throws {
    let target = try await targetOfFile(invocation)
    let bulk = try BulkOptions(invocation, target, "create")
    let output = try RecordOutput(invocation, self, default: .table)
    let limit = try invocation.has("delete") ? DeletionLimit(invocation) : nil
    try checkWritable(target)
    var transfer = try await fileTransfer("sync", of: file, to: target, invocation, jobs: bulk.jobs)
    try run.endRehearsal()
    let folders = UserFolders(environment: run.console.environment)
    let path = file.path == "-" ? "-" : folders.absolute(file.path, below: run.console.directory)
    try await transfer.carryOut(invocation, bulk, output, identity: ["sync", path], from: nil, deletes: limit)
  }
}
