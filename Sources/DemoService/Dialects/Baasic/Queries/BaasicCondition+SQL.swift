import GRDB

extension BaasicCondition {
  /// The condition on the column `json`. Values of another type than the literal never match.
  var sql: DemoSQL {
    switch self {
    case .all(let parts): Self.joined(parts, " AND ")
    case .any(let parts): Self.joined(parts, " OR ")
    case .comparison(let field, let comparison, let literal): Self.compared(field, comparison, literal)
    }
  }

  private static func joined(_ parts: [BaasicCondition], _ word: String) -> DemoSQL {
    var sql = DemoSQL(text: "(")
    for (index, part) in parts.enumerated() {
      if index > 0 { sql.append(word) }
      sql.append(part.sql)
    }
    sql.append(")")
    return sql
  }

  private static func compared(_ field: String, _ comparison: Comparison, _ literal: Literal) -> DemoSQL {
    let path = DemoSQL.path(field)
    func value(_ types: String, _ right: any DatabaseValueConvertible) -> DemoSQL {
      DemoSQL(
        text: """
          (CASE WHEN json_type(json, ?) IN (\(types)) THEN json_extract(json, ?) END \(comparison.sql) ?)
          """, arguments: [path, path, right])
    }
    switch literal {
    case .text(let text): return value("'text'", comparison == .like ? glob(text) : text)
    case .number(let text):
      if let whole = Int64(text) { return value("'integer', 'real'", whole) }
      return value("'integer', 'real'", Double(text) ?? 0)
    case .bool(let flag): return value("'true', 'false'", flag ? 1 : 0)
    }
  }

  /// The pattern for GLOB, which unlike SQLite's LIKE is case-sensitive.
  private static func glob(_ pattern: String) -> String {
    pattern.map { character in
      switch character {
      case "%": "*"
      case "_": "?"
      case "*", "?", "[": "[\(character)]"
      default: String(character)
      }
    }.joined()
  }
}

extension BaasicCondition.Comparison {
  fileprivate var sql: String {
    switch self {
    case .like: "GLOB"
    case .different: "<>"
    default: rawValue
    }
  }
}
