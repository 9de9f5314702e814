import BackendKit
import CommandLanguage
import ConsoleSystem
import Files
import SQL

extension SharedOptions {
  static let fileTables = OptionSyntax(
    "table", value: .free("NAME=FILE"), help: "a file as the table NAME: csv, tsv, json, ndjson, or FILE.db:TABLE",
    isRepeatable: true)
}

struct FileTables: CommandPart {
  let context: CommandContext

  func read(_ invocation: Invocation) throws -> [SQLLocalTable] {
    var tables: [SQLLocalTable] = []
    for word in invocation.allWords(of: SharedOptions.fileTables.name) {
      // An earlier command may write the file.
      if let rehearsal = run.rehearsal, rehearsal.writesFiles || word.isUnknown { throw rehearsal.stop() }
      let parts = word.text.split(separator: "=", maxSplits: 1).map(String.init)
      guard parts.count == 2, let first = parts.first, !first.isEmpty else {
        throw UsageError("--table takes NAME=FILE, not \"\(word.text)\"", column: word.column)
      }
      let table = try FileTable(parts[1], invocation, context)
      tables.append(table.named(first))
    }
    return tables
  }
}

/// The rows of a file on their way to a statement, with the columns of all rows.
private struct FileTable {
  private let spool: TableSpool
  private var names: [String] = []
  /// The type of each column that fits all its values; none for a column without values.
  private var kinds: [ExactText: FieldDescription.Kind] = [:]
  private var count = 0
  private var isText = false

  /// Reads a file, or a table of a database: `people.csv`, `shop.db:orders`.
  init(_ path: String, _ invocation: Invocation, _ context: CommandContext) throws {
    let most = try SQLLimits(invocation, folder: nil).maxScan
    let tooMany = CommandFailure(
      .partial, "\(path) has more than \(counted(most, "row"))", hint: "--max-scan reads more")
    spool = TableSpool(state: context.stateFolder)
    if let colon = path.lastIndex(of: ":"), [".db", ".sqlite", ".sqlite3"].contains(where: path[..<colon].hasSuffix) {
      try read(table: String(path[path.index(after: colon)...]), of: String(path[..<colon]), most)
      if count > most { throw tooMany }
      return
    }
    try Restriction.current.check(file: path)
    let input = try RowInput(path, invocation)
    isText = input.format.isText
    let bad = BadRows()
    var known: Set<ExactText> = []
    try input.read(context, bad) { row in
      guard count < most else { throw tooMany }
      for name in row.fields.names where known.insert(ExactText(name)).inserted { names.append(name) }
      try add(row.fields)
    }
    try bad.end(context)
    if names.isEmpty { throw UsageError("\(input.name) has no columns") }
  }

  private mutating func add(_ row: Object) throws(CommandFailure) {
    for (name, value) in row.members where value != .null { note(Self.kind(value, isText: isText), in: name) }
    try spool.add(row)
    count += 1
  }

  private mutating func read(table: String, of path: String, _ most: Int) throws {
    try Restriction.current.check(file: path)
    try FileContents.checkLinks(of: path)
    do throws(FileFailure) {
      var file = try SQLiteFile(path: Path.real(path))
      // The schema of the file is not trusted with functions.
      try file.run("PRAGMA trusted_schema = OFF")
      let found = try file.rows(
        "SELECT name FROM pragma_table_info(?) WHERE EXISTS (SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?)",
        [.text(table), .text(table)]
      ) { $0.text(0) ?? "" }
      let columns = found.map(SQLWords.inQuotes).map {
        "CASE typeof(\($0)) WHEN 'blob' THEN hex(\($0)) ELSE \($0) END"
      }
      guard !found.isEmpty else { throw FileFailure("unknown table \"\(table)\"") }
      names = found
      try file.each(
        "SELECT json_array(\(columns.joined(separator: ", "))) FROM \(SQLWords.inQuotes(table)) LIMIT \(most) + 1"
      ) { row throws(FileFailure) in
        guard let values = (try? JSONReader.read(row.text(0) ?? ""))?.array else {
          throw FileFailure("row \(count + 1) of table \"\(table)\" has an infinite number")
        }
        do throws(CommandFailure) { try add(Object(zip(found, values).map { ($0, $1) })) } catch {
          throw FileFailure(error.message)
        }
      }
    } catch {
      throw UsageError("cannot read \(path): \(error.reason)")
    }
  }

  private mutating func note(_ own: FieldDescription.Kind, in name: String) {
    let name = ExactText(name)
    switch (kinds[name], own) {
    case (nil, _): kinds[name] = own
    case (.integer?, .number), (.number?, .integer): kinds[name] = .number
    case (let known?, _) where known == own: break
    default: kinds[name] = isText ? .text : .any
    }
  }

  private static func kind(_ value: Value, isText: Bool) -> FieldDescription.Kind {
    switch value {
    case .number(let number): number.integer == nil ? .number : .integer
    case .bool: .boolean
    case .array: .list
    case .object: .object
    case .string(let text) where isText:
      // `05` is not the number 5.
      if let number = Int(text), String(number) == text { .integer } else { .text }
    case .string: .text
    case .null: .any
    }
  }

  func named(_ name: String) -> SQLLocalTable {
    // Names in SQL are not case-sensitive.
    let columns = names.unique { ExactText($0.lowercased()) }.map {
      (name: $0, kind: kinds[ExactText($0)] ?? .any)
    }
    let (spool, isText) = (spool, isText)
    return SQLLocalTable(name, columns: columns) { () throws(BackendError) in
      try spool.next()?.map { row in
        columns.map { column -> Value in
          let value = row[column.name] ?? .null
          if isText, column.kind == .integer, let number = value.text.flatMap({ Number($0) }) { return .number(number) }
          return value
        }
      }
    }
  }
}
