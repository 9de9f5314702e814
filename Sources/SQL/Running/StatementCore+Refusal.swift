import BackendKit
import CSQLite

extension StatementCore {
  /// SQLite's reason for refusing a statement, with a hint.
  func refusal(_ text: String) -> SQLError {
    if let failure { return failure }
    var error = database.failure(.statement)
    if let refusal = authorizer.refusal {
      (error.message, error.hint) = (refusal.message, refusal.hint)
    } else if error.message.hasPrefix("no query solution") {
      let owned = tables.first { !$0.owners.names.isEmpty }
      let names = owned?.owners.names ?? []
      let columns =
        (names.count > 1 ? "values for its columns " : "a value for its column ") + names.joined(separator: ", ")
      error.message = "\(owned?.name ?? "a table") needs \(columns)"
      error.hint = owned?.owners.hint
    } else if let name = Self.rest(of: error.message, after: "no such table: ") {
      error.message = "unknown table \"\(name)\""
      error.hint = tableHint(name)
    } else if let name = Self.rest(of: error.message, after: "no such column: ") {
      error.message = "unknown column \"\(name)\""
      error.hint = columnHint(name, text)
    } else if let rest = Self.rest(of: error.message, after: "near \"") {
      let word = String(rest.prefix { $0 != "\"" })
      if columnNames.contains(where: { $0.asciiLowercased == word.asciiLowercased }) {
        error.hint = "\(word) is an SQL keyword: write \"\(word)\" for the column"
      }
    }
    return error
  }

  private static func rest(of message: String, after start: String) -> String? {
    message.hasPrefix(start) ? String(message.dropFirst(start.count)) : nil
  }

  private var columnNames: [String] { tables.flatMap { $0.columns.all.map(\.name) } + locals.columnNames }

  private func tableHint(_ name: String) -> String {
    let word = String(name.split(separator: ".").last ?? "")
    var known = locals.names.map { (word: $0, table: $0) }
    known += tables.map { (String($0.name.dropFirst($0.backend.count + 1)), $0.name) }
    // Tables of a backend have its name before theirs.
    if word == name, let own = tables.first(where: { $0.name.hasSuffix(".\(name)") }) {
      return "did you mean \(own.name)?"
    }
    let near = SpellingSuggestion.suggestion(for: word, among: known.map(\.word))
    return known.first { $0.word == near }.map { "did you mean \($0.table)?" }
      ?? "write BACKEND.RESOURCE for a resource of a backend"
  }

  private func columnHint(_ name: String, _ text: String) -> String? {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    let table = parts.dropLast().map { $0 + "." }.joined()
    if let near = SpellingSuggestion.suggestion(for: String(parts.last ?? ""), among: columnNames) {
      return "did you mean \(table)\(SQLWords.quoted(near))?"
    }
    return text.contains(text: "\"\(name)\"") ? "double quotes are for names; write '\(name)' for a string" : nil
  }
}
