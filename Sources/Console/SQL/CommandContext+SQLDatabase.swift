import BackendKit
import CommandLanguage
import ConsoleOutput
import ConsoleSetup
import ConsoleSystem
import SQL

extension CommandContext {
  /// Writes the rows of a statement as the table `result` of an SQLite file.
  func export(
    _ statement: PreparedStatement, of source: SQLSource, to file: Word, _ invocation: Invocation
  ) async throws {
    let shown = Set(SharedOptions.output.map(\.name)).subtracting(["to"])
    if let option = invocation.reading.options.first(where: { shown.contains($0.syntax.name) }) {
      throw UsageError(
        "--\(option.syntax.name) cannot be combined with a database", hint: "the file has the values of all columns")
    }
    if try rehearsesWriting(to: file) { return }
    try run.endRehearsal()
    let columns = zip(Self.columnNames(of: statement), statement.columns).map { name, column in
      "\(DatabaseWriter.quoted(name)) \(DatabaseWriter.type(column.kind))"
    }
    let marks = columns.map { _ in "?" }.joined(separator: ", ")
    let report = try await makeDatabase(file.text) { database in
      try database.run("CREATE TABLE result (\(columns.joined(separator: ", ")))")
      return try await fill(database, by: "INSERT INTO result VALUES (\(marks))", from: statement, of: source)
    }
    tell(report.sentence)
  }

  /// The names of the columns, unique as SQLite compares names: one that was there before has a number after it.
  private static func columnNames(of statement: PreparedStatement) -> [String] {
    var names: [String] = []
    var known: Set<ExactText> = []
    for column in statement.columns {
      var (name, number) = (column.name, 1)
      while !known.insert(ExactText(name.lowercased())).inserted {
        number += 1
        name = "\(column.name)_\(number)"
      }
      names.append(name)
    }
    return names
  }
}
