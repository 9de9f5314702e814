import CommandLanguage
import ConsoleOutput
import ConsoleSystem

/// An error in a script, found before it runs.
struct Finding: Sendable {
  var statement: Statement
  var error: UsageError

  /// Sorts findings by place; files are in the order of their first finding.
  static func sorted(_ findings: [Finding]) -> [Finding] {
    var files: [String?: Int] = [:]
    let keyed = findings.enumerated().map { index, finding in
      let source = finding.statement.source
      let file = files[source] ?? files.count
      files[source] = file
      return (finding: finding, key: [file, finding.statement.line, finding.error.column ?? 0, index])
    }
    return keyed.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.finding)
  }

  /// The failure that the run of the line would report.
  var failure: CommandFailure {
    let place = place
    var failure = CommandFailure(error)
    failure.column = place.column
    failure.statement = Statement(text: statement.text, line: place.line, source: statement.source)
    return failure
  }

  /// The place, the problem, and the line with a caret below the place.
  var text: EscapedText {
    let source: EscapedText = statement.source.map { "\($0):" } ?? ""
    let hint: EscapedText = error.hint.map { "hint: \($0)\n" } ?? ""
    guard !statement.text.isEmpty, statement.line > 0 else {
      let column: EscapedText = error.column.map { "\($0):" } ?? ""
      let place = source + (statement.line > 0 ? "\(statement.line):\(column)" : "")
      return "\(place)\(place == "" ? "" : " ")error: \(error.message)\n\(hint)"
    }
    let place = place
    let (row, caret) = Self.window(place.row, at: place.column)
    return "\(source)\(place.line):\(place.column): error: \(error.message)\n  \(row)\n  \(caret)^\n\(hint)"
  }

  /// The line of the finding, its number, and the column.
  var place: (row: String, line: Int, column: Int) {
    if statement.text.isEmpty { return ("", statement.line, error.column ?? 1) }
    let indent = statement.text.prefix { $0 == " " || $0 == "\t" }.count
    return statement.place(of: error.column ?? indent + 1)
  }

  /// The part of a long line around a column, and the blanks before that column.
  private static func window(_ row: String, at column: Int) -> (row: String, blanks: String) {
    let characters = Array(row)
    let place = min(column - 1, characters.count)
    let start = place > 60 ? place - 40 : 0
    let end = min(characters.count, start + 100)
    let shown = characters[start..<end].map { $0 == "\t" ? " " : EscapedText(String($0)).text }
    let width = shown.prefix(place - start).reduce(0) { $0 + DisplayWidth.columns(of: $1) }
    return (
      (start > 0 ? "…" : "") + shown.joined() + (end < characters.count ? "…" : ""),
      String(repeating: " ", count: width + (start > 0 ? 1 : 0))
    )
  }
}
