import BackendKit

/// The words of SQL for completion and help.
package enum SQLWords {
  /// The words of the language that a statement can have, in upper case.
  package static let keywords: [String] = [
    "SELECT", "FROM", "WHERE", "GROUP BY", "HAVING", "ORDER BY", "LIMIT", "OFFSET", "WITH", "RECURSIVE", "AS", "JOIN",
    "LEFT JOIN", "INNER JOIN", "CROSS JOIN", "ON", "USING", "AND", "OR", "NOT", "IN", "IS", "NULL", "LIKE", "GLOB",
    "BETWEEN", "EXISTS", "CASE", "WHEN", "THEN", "ELSE", "END", "DISTINCT", "UNION", "UNION ALL", "EXCEPT", "INTERSECT",
    "ASC", "DESC", "COLLATE", "NOCASE", "OVER", "PARTITION BY", "VALUES", "CAST", "UPDATE", "SET", "DELETE FROM",
    "INSERT INTO",
  ]
  /// Common functions of SQLite.
  package static let functions: [String] = [
    "abs", "avg", "coalesce", "count", "date", "datetime", "dense_rank", "first_value", "group_concat", "hex", "ifnull",
    "iif", "instr", "json_array_length", "json_extract", "json_type", "julianday", "lag", "last_value", "lead",
    "length",
    "lower", "ltrim", "max", "min", "nullif", "printf", "quote", "rank", "replace", "round", "row_number", "rtrim",
    "strftime", "substr", "sum", "time", "total", "trim", "typeof", "unicode", "upper",
  ]

  /// A name in a statement, quoted if needed.
  package static func quoted(_ name: String) -> String {
    let isPlain =
      !name.isEmpty
      && name.utf8.allSatisfy {
        $0 == 0x5F || $0 >= 0x61 && $0 <= 0x7A || $0 >= 0x41 && $0 <= 0x5A || $0 >= 0x30 && $0 <= 0x39
      }
      && !(0x30...0x39).contains(name.utf8.first ?? 0) && !keywords.contains(name.uppercased())
    return isPlain ? name : inQuotes(name)
  }

  /// A name in a statement, quoted in any case.
  package static func inQuotes(_ name: String) -> String { "\"" + name.replacing(text: "\"", with: "\"\"") + "\"" }
}
