import BackendClient
import BackendKit
import CommandLanguage
import ConsoleOutput
import ConsoleSystem
import Glibc

extension SharedOptions {
  /// The options for the input of a command's identifiers or records.
  static let from = [
    OptionSyntax("from", value: .file(.input), help: "read the IDs or records from FILE; - is standard input"),
    OptionSyntax(
      "input", value: .oneOf(["id", "json", "ndjson", "csv", "tsv"]),
      help: "format of --from: identifiers (one per line), JSON objects, or a table"),
    marked, separator,
  ]
  /// The option as a replacement for identifiers or fields.
  static let fromFile = Argument.option("from", .file(.input))
}

struct InputFiles: CommandPart {
  let context: CommandContext

  /// Reads a whole file, or standard input for `-`.
  func read(_ path: String) throws -> [UInt8] {
    var bytes: [UInt8] = []
    try stream(path) { piece in
      bytes += piece
      guard bytes.count <= FileContents.limit else {
        let name = path == "-" ? "standard input" : path
        throw UsageError("\(name) is larger than \(FileContents.limit >> 20) MiB")
      }
    }
    return bytes
  }

  /// Reads a file, or standard input for `-`, in pieces, whatever its size.
  func stream(_ path: String, take: (ArraySlice<UInt8>) throws -> Void) throws {
    if path == "-" {
      try claimStandardInput()
      return try readAll(from: 0, "standard input", take)
    }
    // The script may create the file before this point.
    if let rehearsal = run.rehearsal, rehearsal.writesFiles, access(path, F_OK) != 0 { throw rehearsal.stop() }
    try Restriction.current.check(file: path)
    try FileContents.checkLinks(of: path)
    let isStream = FileContents.isStream(path)
    if isStream, let rehearsal = run.rehearsal { throw rehearsal.stop() }
    // Opening a named pipe would block until there is a writer, uninterruptibly.
    let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | (isStream ? O_NONBLOCK : 0))
    guard descriptor >= 0 else { throw UsageError("cannot read \(path): \(String(cString: strerror(errno)))") }
    defer { close(descriptor) }
    try readAll(from: descriptor, path, take)
  }

  /// Claims standard input as data. Throws if it is a terminal or was read already.
  private func claimStandardInput() throws {
    if run.isInteractive {
      throw UsageError("standard input is the terminal", hint: "name a file")
    }
    if run.console.isInputScript {
      throw UsageError(
        "standard input is the script, so it cannot also be data",
        hint: "give the script with -f FILE or -c COMMAND")
    }
    if let rehearsal = run.rehearsal { throw try rehearsal.stopAtInput() }
    try run.input.take()
  }

  private func readAll(from descriptor: Int32, _ name: String, _ take: (ArraySlice<UInt8>) throws -> Void) throws {
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    var beginning: [UInt8] = []
    results.output.flush()
    while true {
      guard run.interruption.waitForInput(from: descriptor) else {
        throw CommandFailure(.interrupted, "interrupted while reading \(name); nothing was sent")
      }
      let count = Glibc.read(descriptor, &piece, piece.count)
      if count == 0 { return }
      if count < 0 {
        if errno == EINTR || errno == EAGAIN { continue }
        throw UsageError("cannot read \(name): \(String(cString: strerror(errno)))")
      }
      if beginning.count < 4 {
        beginning += piece[..<count].prefix(4 - beginning.count)
        if let encoding = TextBeginning.wideEncoding(beginning) {
          throw UsageError("\(name) is UTF-16, not UTF-8", hint: "iconv -f \(encoding) -t UTF-8 converts it")
        }
        if TextBeginning.isArchive(beginning) {
          throw UsageError(
            "\(name) is a zip archive, as xlsx and ods files are, not text",
            hint: "a spreadsheet program saves it as csv")
        }
      }
      try take(piece[..<count])
    }
  }

  /// The records or identifiers of `--from`; nil without that option.
  func given(
    _ invocation: Invocation, _ resource: ResourceDescription, as usual: InputForm
  ) throws -> [InputRecord]? {
    if let records = try givenTable(invocation, resource, as: usual) { return records }
    let form = invocation.value(of: "input").flatMap(InputForm.init(named:))
    guard let path = invocation.value(of: "from") else {
      if form != nil {
        throw UsageError("--input requires --from", hint: "add --from FILE")
      }
      for option in SharedOptions.cells where invocation.has(option.name) {
        throw UsageError("--\(option.name) requires --from", hint: "add --from FILE")
      }
      return nil
    }
    for option in SharedOptions.cells where invocation.has(option.name) {
      throw UsageError("--\(option.name) is for csv and tsv", hint: "--input csv")
    }
    if usual == .objects, form == .identifiers {
      throw UsageError("create --from requires JSON objects, not identifiers", hint: "leave out --input id")
    }
    let name = path == "-" ? "stdin" : path
    let records = try InputRecord.read(
      try read(path), as: form ?? usual, from: name, identifier: resource.identifier.field ?? "id")
    return try checked(records, of: name, invocation)
  }

  /// The table rows of `--from`, with cells converted to the types of the resource; nil if it is not a table.
  private func givenTable(
    _ invocation: Invocation, _ resource: ResourceDescription, as usual: InputForm
  ) throws -> [InputRecord]? {
    guard let path = invocation.value(of: "from") else { return nil }
    let named = invocation.value(of: "input")
    guard let format = named.map(RowFormat.init(rawValue:)) ?? RowFormat(ofFileNamed: path), format.isText
    else { return nil }
    let input = try RowInput(path, invocation)
    let identifier = resource.identifier.field ?? "id"
    var records: [InputRecord] = []
    let bad = BadRows()
    try input.read(context, bad) { row in
      _ = try bad.take(nil, context) {
        records.append(try InputRecord(row, input.cells, identifier: identifier, resource, as: usual))
      }
    }
    try bad.end(context)
    var untyped: [String] = []
    for (name, value) in records.flatMap({ Array(($0.fields ?? Object()).members) })
    where resource.isUntyped(name) && name != identifier && !untyped.contains(name)
      && TableCells.isAmbiguous(value)
    {
      untyped.append(name)
    }
    if !untyped.isEmpty { warn(TableCells.untyped(untyped, in: resource.name)) }
    if let text = TableCells.leftAlone(records.reduce(0) { $0 + $1.leftAlone }) { note(text) }
    return try checked(records, of: input.name, invocation)
  }

  /// The target and identifiers of a command: at least one, all well-formed.
  func targetAndIdentifiers(_ invocation: Invocation) async throws -> (Target, [InputIdentifier]) {
    let (target, words) = try await Subject(context).targetOfRecord(invocation)
    let resource = try await target.client.resource(target.path)
    let ids: [InputIdentifier]
    if let given = try given(invocation, resource, as: .identifiers) {
      ids = try given.map { record throws(UsageError) in
        InputIdentifier(id: try record.identifier(resource), place: record.description)
      }
    } else {
      ids = try await Subject(context).identifiers(words, of: target, resource)
    }
    return (target, Subject(context).once(ids, resource, id: \.id, by: \.text))
  }

  private func checked(_ records: [InputRecord], of name: String, _ invocation: Invocation) throws -> [InputRecord] {
    guard !records.isEmpty || invocation.has("allow-empty") else {
      throw UsageError("\(name) contains no record", hint: "--allow-empty accepts that")
    }
    return records
  }
}
