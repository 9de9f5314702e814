public import BackendKit
import CommandLanguage

/// A named SQL statement in the configuration.
public struct NamedQuery: Sendable, Hashable {
  /// The statement.
  public var sql: String
  /// Default values of parameters.
  public var defaults = Object()

  /// The names of its parameters, those without defaults first.
  public var parameters: [String] {
    let known = defaults.members.map(\.0)
    return Self.references(in: sql).filter { !known.contains($0) } + known
  }

  /// The names after the dollar signs of a statement, each once.
  static func references(in sql: String) -> [String] {
    let bytes = Array(sql.utf8)
    var names: [String] = []
    for token in SQLScanner.tokens(sql) where token.kind == .reference {
      let name = String(decoding: bytes[token.range].dropFirst(), as: UTF8.self)
      if !names.contains(name) { names.append(name) }
    }
    return names
  }
}

extension ConfigurationReader {
  /// Reads a named statement. Its tables are checked only when it runs.
  func query(_ value: LocatedValue, _ path: [String]) throws(ConfigurationError) -> NamedQuery {
    var (sql, defaults): (String?, LocatedValue?) = (nil, nil)
    for member in try members(value, path, known: ["sql", "parameters"]) {
      if member.name == "sql" { sql = try text(member.value, path + ["sql"]) } else { defaults = member.value }
    }
    guard let sql else { throw error(value, path, "\"sql\" is missing", hint: "\"sql\": \"SELECT …\"") }
    var query = NamedQuery(sql: sql)
    let names = NamedQuery.references(in: sql)
    if let name = names.first(where: { !VariableReference.isName($0) }) {
      throw error(value, path + ["sql"], "$\(name) is not the name of a parameter", hint: "letters, digits and _")
    }
    for member in try defaults.map({ value throws(ConfigurationError) in try members(value, path + ["parameters"]) })
      ?? []
    {
      guard names.contains(member.name) else {
        throw error(
          member.value, path + ["parameters", member.name], "unknown parameter \"\(member.name)\"",
          hint: names.isEmpty
            ? "the statement has no parameters"
            : "parameters: \(names.map { "$\($0)" }.joined(separator: ", "))")
      }
      query.defaults[member.name] = member.value.value
    }
    return query
  }
}
