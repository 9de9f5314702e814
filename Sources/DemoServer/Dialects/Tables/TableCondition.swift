import GRDB

/// A condition on the rows of a table.
indirect enum TableCondition {
  enum Sign: String {
    case equal = "="
    case different = "<>"
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
  }

  case compare(DemoTable.Column, Sign, DemoJSON)
  case among(DemoTable.Column, [DemoJSON])
  case isNull(DemoTable.Column)
  case contains(DemoTable.Column, String)
  case all([TableCondition])
  case any([TableCondition])
  case not(TableCondition)

  /// The condition over the column `json`. A comparison with null is neither true nor false in SQL; with `isTwoValued` it is false, and
  /// null differs from every value.
  func sql(isTwoValued: Bool) -> DemoSQL {
    switch self {
    case .compare(let column, let sign, let value):
      let sides = [DemoSQL.path(column.name), Self.argument(value)]
      switch (isTwoValued, sign) {
      case (true, .equal): return DemoSQL(text: "(json_extract(json, ?) IS ?)", arguments: sides)
      case (true, .different): return DemoSQL(text: "(json_extract(json, ?) IS NOT ?)", arguments: sides)
      case (true, _): return DemoSQL(text: "coalesce(json_extract(json, ?) \(sign.rawValue) ?, 0)", arguments: sides)
      case (false, _): return DemoSQL(text: "(json_extract(json, ?) \(sign.rawValue) ?)", arguments: sides)
      }
    case .among(let column, let values):
      return DemoSQL(
        text: "(json_extract(json, ?) IN (\(values.map { _ in "?" }.joined(separator: ", "))))",
        arguments: [DemoSQL.path(column.name)] + values.map(Self.argument))
    case .isNull(let column):
      return DemoSQL(text: "(json_extract(json, ?) IS NULL)", arguments: [DemoSQL.path(column.name)])
    case .contains(let column, let text):
      return DemoSQL(
        text: "coalesce(instr(json_extract(json, ?), ?) > 0, 0)", arguments: [DemoSQL.path(column.name), text])
    case .all(let parts): return Self.joined(parts, " AND ", isTwoValued)
    case .any(let parts): return Self.joined(parts, " OR ", isTwoValued)
    case .not(let inner):
      var sql = DemoSQL(text: "(NOT ")
      sql.append(inner.sql(isTwoValued: isTwoValued))
      sql.append(")")
      return sql
    }
  }

  private static func joined(_ parts: [TableCondition], _ word: String, _ isTwoValued: Bool) -> DemoSQL {
    var sql = DemoSQL(text: "(")
    for (index, part) in parts.enumerated() {
      if index > 0 { sql.append(word) }
      sql.append(part.sql(isTwoValued: isTwoValued))
    }
    if parts.isEmpty { sql.append(word == " OR " ? "0" : "1") }
    sql.append(")")
    return sql
  }

  private static func argument(_ value: DemoJSON) -> any DatabaseValueConvertible {
    switch value {
    case .bool(let flag): flag ? 1 : 0
    case .number(let text): Int64(text) ?? 0
    default: value.text ?? ""
    }
  }
}
