import BackendClient
import BackendKit
import CommandLanguage
import ConsoleOutput
import ConsoleSystem

/// Reads the rows of an imported file one by one.
struct RowInput {
  /// A row and its location. An empty cell of csv, and `\N` in tsv, is null.
  struct Row {
    var place: String
    var fields: Object
  }

  let path: String
  let format: RowFormat
  /// The conversion of csv and tsv cells; nil for other formats.
  let cells: TableCells?
  /// The separator of csv; nil for that of the header line.
  private let separator: UInt8?

  /// The input of a command with its options `--input` and those of ``SharedOptions/cells``.
  init(_ path: String, _ invocation: Invocation) throws(UsageError) {
    self.path = path
    format =
      invocation.value(of: "input").flatMap(RowFormat.init(rawValue:)) ?? RowFormat(ofFileNamed: path) ?? .ndjson
    let named = invocation.word(of: "separator")
    if let named, !named.isUnknown, !SharedOptions.separators.contains(named.text) {
      throw UsageError(
        "--separator is \(SharedOptions.separators.asChoice), not \"\(named.text)\"", column: named.column)
    }
    separator = named?.text == "tab" ? 0x09 : named?.text.utf8.first
    guard format.isText else {
      cells = nil
      for option in SharedOptions.cells where invocation.has(option.name) {
        throw UsageError("--\(option.name) is for csv and tsv, not \(format.rawValue)")
      }
      return
    }
    if named != nil, format == .tsv { throw UsageError("--separator is for csv, not tsv") }
    cells = TableCells(
      hasQuotes: format == .csv, emptyClears: invocation.has("empty-clears"), isMarked: invocation.has("csv-safe"))
  }

  var name: String { path == "-" ? "stdin" : path }

  /// Passes on the rows in order, and collects unreadable ones. Throws if nothing after one can be read.
  func read(_ ports: CommandContext, _ bad: BadRows, row: (Row) throws -> Void) throws {
    ports.writes.rejects = RejectsForm(format: format, isMarked: cells?.isMarked == true)
    switch format {
    case .csv, .tsv: try readSeparated(ports, bad, row)
    case .ndjson: try readLines(ports, bad, row)
    case .yaml: try readYAML(ports, row)
    case .json:
      for record in try InputRecord.read(try InputFiles(ports).read(path), as: .objects, from: name, identifier: "id") {
        try row(Row(place: record.description, fields: record.fields ?? Object()))
      }
    }
  }

  /// A list of maps, or a single map; read as a whole.
  private func readYAML(_ ports: CommandContext, _ row: (Row) throws -> Void) throws {
    let document: YAMLDocument
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let read = try InputFiles(ports).read(path)
    let bytes = read.starts(with: mark) ? Array(read.dropFirst(mark.count)) : read
    let reader = try ports.run.console.surveyor()
    do throws(YAMLMistake) { document = try reader.document(ofYAML: bytes) } catch {
      throw UsageError("\(name)\(error.line.map { ":\($0)" } ?? ""): \(error.message)")
    }
    for (index, value) in (document.value.array ?? [document.value]).enumerated() where document.value != .null {
      guard let fields = value.object else {
        throw UsageError("\(name): record \(index + 1) is not a map")
      }
      try row(Row(place: "\(name): record \(index + 1)", fields: fields))
    }
  }

  private func readSeparated(_ ports: CommandContext, _ bad: BadRows, _ row: (Row) throws -> Void) throws {
    guard let cells else { return }
    var reader = SeparatedReader(format == .tsv ? .tsv : .csv, separator: separator, name: name)
    var names: [String]?
    var beginning = TextBeginning()
    func take(_ line: SeparatedReader.Row) throws {
      guard let names else {
        // Excel names the separator in a line of its own.
        if line.cells == ["sep=", nil] { return }
        names = try header(line, cells)
        return ports.writes.rejects.columns = names ?? []
      }
      let place = "\(name):\(line.line)"
      let given = Object(zip(names, line.cells).map { ($0, cells.value($1)) })
      let isWhole = try bad.take(given, ports) {
        guard line.cells.count != names.count else { return }
        throw UsageError(
          "\(place): the row has \(counted(line.cells.count, "cell")) and the header \(names.count)")
      }
      guard isWhole else { return }
      let members = zip(names, line.cells).map { ($0, cells.value($1)) }
      try row(Row(place: place, fields: Object(members)))
    }
    try InputFiles(ports).stream(path) { piece in try reader.take(beginning.take(piece), row: take) }
    try reader.take(beginning.rest, row: take)
    try reader.finish(row: take)
  }

  private func header(_ line: SeparatedReader.Row, _ cells: TableCells) throws(UsageError) -> [String] {
    var names: [String] = []
    for (place, cell) in line.cells.enumerated() {
      guard let name = cells.value(cell).text, !name.isEmpty else {
        throw UsageError("\(self.name):\(line.line): column \(place + 1) has no name")
      }
      guard !names.contains(where: { $0.utf8.elementsEqual(name.utf8) }) else {
        throw UsageError(
          "\(self.name):\(line.line): the column \"\(name)\" appears twice")
      }
      names.append(name)
    }
    return names
  }

  /// One object per line, in constant memory.
  private func readLines(_ ports: CommandContext, _ bad: BadRows, _ row: (Row) throws -> Void) throws {
    var line: [UInt8] = []
    var number = 1
    var beginning = TextBeginning()
    func take() throws {
      defer {
        line.removeAll(keepingCapacity: true)
        number += 1
      }
      // Other control characters are not blanks: a truncated file may end in zeros.
      guard let first = line.first(where: { $0 != 0x20 && $0 != 0x09 && $0 != 0x0D }) else { return }
      var fields = Object()
      let isObject = try bad.take(nil, ports) { fields = try object(line, first, at: "\(name):\(number)") }
      if isObject { try row(Row(place: "\(name):\(number)", fields: fields)) }
    }
    func add(_ piece: ArraySlice<UInt8>) throws {
      var rest = piece
      while let end = rest.firstIndex(of: 0x0A) {
        line += rest[..<end]
        try take()
        rest = rest[(end + 1)...]
      }
      line += rest
      guard line.count <= FileContents.limit else {
        throw UsageError(
          "\(name):\(number): the line is longer than \(FileContents.limit >> 20) MiB")
      }
    }
    try InputFiles(ports).stream(path) { piece in try add(beginning.take(piece)) }
    try add(beginning.rest)
    try take()
  }

  /// The object of a line; `first` is its first byte after blanks.
  private func object(_ line: [UInt8], _ first: UInt8, at place: String) throws(UsageError) -> Object {
    if first < 0x20 || first == 0x7F {
      throw UsageError(
        "\(place): the line begins with a control character (0x\(String(hex: first, digits: 2)))",
        hint: "the file may be damaged")
    }
    let value: Value
    do { value = try JSONReader.read(input: line, takesMark: false) } catch {
      throw UsageError(
        "\(place):\(TextPlace(offset: error.offset, in: line).column): the line is not a valid JSON object: \(error.reason)"
      )
    }
    guard let fields = value.object else {
      throw UsageError(
        "\(place): the line is not a JSON object",
        hint: "--input json reads a list, --input csv a table")
    }
    return fields
  }
}
