import BackendKit
import TestSupport

/// A table that statements are made over.
struct GeneratedTable: Sendable {
  enum Kind: Sendable { case integer, text, boolean, real }

  var name: String
  /// The columns; the first tells the rows apart.
  var columns: [(name: String, kind: Kind)]
  /// Values that columns have, as SQL writes them.
  var values: [String: [String]] = [:]
}

/// Makes statements whose result does not depend on what SQL leaves open.
struct StatementGenerator {
  let tables: [GeneratedTable]
  var random: SeededGenerator

  struct Made {
    var sql: String
    /// True if the order of the rows is total.
    var isOrdered = false
  }

  init(_ tables: [GeneratedTable], seed: UInt64) {
    self.tables = tables
    random = SeededGenerator(seed: seed)
  }

  private mutating func pick<T>(_ choices: [T]) -> T { choices[Int.random(in: 0..<choices.count, using: &random)] }
  private mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

  mutating func statement() -> Made {
    switch Int.random(in: 0..<13, using: &random) {
    case 12: inner()
    case 0...2: single()
    case 3...4: join()
    case 5: grouped()
    case 6: within()
    case 7: correlated()
    case 8: window()
    case 9: compound()
    case 10: distinct()
    default: common()
    }
  }

  // MARK: Conditions

  private func column(_ alias: String, _ name: String) -> String { "\(alias).\"\(name)\"" }

  private mutating func constant(_ table: GeneratedTable, _ name: String, _ kind: GeneratedTable.Kind) -> String {
    if chance(6) { return "NULL" }
    if chance(12) { return pick(["5", "'5'", "'05'", "5.0", "1", "'1'", "''", "'alpha'", "0", "2.5", "'zz'", "-3"]) }
    if let known = table.values[name], !known.isEmpty, chance(80) { return pick(known) }
    return switch kind {
    case .integer: "\(Int.random(in: -5...60, using: &random))"
    case .boolean: pick(["0", "1", "true", "false"])
    case .real: pick(["0.1", "2.5", "7", "10", "1000", "0.3"])
    case .text: pick(["'alpha'", "'Beta'", "'5'", "'m'", "'x%y'", "''"])
    }
  }

  private mutating func atom(_ table: GeneratedTable, _ alias: String) -> String {
    let (name, kind) = pick(table.columns)
    let subject = column(alias, name)
    switch Int.random(in: 0..<14, using: &random) {
    case 0...3: return "\(subject) \(pick(["=", "=", "=", "<>", "<", "<=", ">", ">="])) \(constant(table, name, kind))"
    case 4: return "\(subject) BETWEEN \(constant(table, name, kind)) AND \(constant(table, name, kind))"
    case 5, 6:
      let values = (0..<(chance(8) ? 70 : Int.random(in: 1...5, using: &random))).map { _ in constant(table, name, kind)
      }
      return "\(subject) \(chance(20) ? "NOT IN" : "IN") (\(values.joined(separator: ", ")))"
    case 7:
      return
        "\(subject) IS \(pick(["NULL", "NOT NULL", constant(table, name, kind), "NOT \(constant(table, name, kind))"]))"
    case 8 where kind == .text:
      return
        "\(subject) LIKE \(pick(["'%a%'", "'a%'", "'%5'", "'A_P%'", "'%x\\%y%' ESCAPE '\\'", "'%ta m%'", "'zz top'", "'%É%'"]))"
    case 9 where kind == .text: return "\(subject) GLOB \(pick(["'*a*'", "'[a-c]*'", "'B?ta*'", "'*%*'", "'a*'"]))"
    case 10:
      let other = pick(table.columns)
      return "\(subject) = \(column(alias, other.name))"
    case 11:
      return pick([
        "length(\(subject)) > 3", "coalesce(\(subject), 0) <> 5", "\(subject) + 0 > 3",
        "+\(subject) = \(constant(table, name, kind))",
      ])
    case 12: return "\(subject) COLLATE NOCASE = \(constant(table, name, kind))"
    default: return "\(subject) = \(constant(table, name, kind))"
    }
  }

  mutating func condition(_ table: GeneratedTable, _ alias: String, depth: Int = 2) -> String {
    guard depth > 0, chance(55) else { return atom(table, alias) }
    switch Int.random(in: 0..<5, using: &random) {
    case 0: return "NOT (\(condition(table, alias, depth: depth - 1)))"
    case 1, 2: return "(\(condition(table, alias, depth: depth - 1)) OR \(condition(table, alias, depth: depth - 1)))"
    default: return "(\(condition(table, alias, depth: depth - 1)) AND \(condition(table, alias, depth: depth - 1)))"
    }
  }

  private mutating func filter(_ table: GeneratedTable, _ alias: String) -> String {
    chance(80) ? " WHERE \(condition(table, alias))" : ""
  }

  // MARK: Statements

  private mutating func some(_ table: GeneratedTable, _ alias: String) -> String {
    var names = table.columns.map(\.name).filter { _ in chance(50) }
    if names.isEmpty { names = [table.columns[0].name] }
    return names.map { column(alias, $0) }.joined(separator: ", ")
  }

  private func key(_ table: GeneratedTable, _ alias: String) -> String { column(alias, table.columns[0].name) }

  private mutating func order(_ keys: [String], _ others: [(GeneratedTable, String)]) -> String {
    var terms: [String] = []
    for (table, alias) in others where chance(40) {
      terms.append(column(alias, pick(table.columns).name) + pick(["", " DESC", " COLLATE NOCASE", " NULLS LAST"]))
    }
    return " ORDER BY " + (terms + keys.map { $0 + (chance(30) ? " DESC" : "") }).joined(separator: ", ")
  }

  private mutating func limit() -> String {
    guard chance(60) else { return "" }
    return " LIMIT \(Int.random(in: 0...12, using: &random))"
      + (chance(40) ? " OFFSET \(Int.random(in: 0...8, using: &random))" : "")
  }

  private mutating func single() -> Made {
    let table = pick(tables)
    var sql = "SELECT \(some(table, "a")) FROM \(table.name) a" + filter(table, "a")
    guard chance(60) else { return Made(sql: sql) }
    sql += order([key(table, "a")], [(table, "a")]) + limit()
    return Made(sql: sql, isOrdered: true)
  }

  private mutating func joining(_ left: GeneratedTable, _ right: GeneratedTable) -> String {
    let a = pick(left.columns), b = chance(50) ? right.columns[0] : pick(right.columns)
    return "\(column("a", a.name)) = \(column("b", b.name))"
      + (chance(30) ? " AND \(condition(right, "b", depth: 1))" : "")
  }

  private mutating func join() -> Made {
    let left = pick(tables), right = pick(tables)
    let kind = pick(["JOIN", "LEFT JOIN", "JOIN"])
    var sql = "FROM \(left.name) a \(kind) \(right.name) b ON \(joining(left, right))" + filter(left, "a")
    if chance(30) { return Made(sql: "SELECT count(*), count(\(key(right, "b"))) " + sql) }
    sql = "SELECT \(some(left, "a")), \(some(right, "b")) " + sql
    guard chance(50) else { return Made(sql: sql) }
    return Made(
      sql: sql + order([key(left, "a"), key(right, "b")], [(left, "a"), (right, "b")]) + limit(), isOrdered: true)
  }

  /// A part of a table in an order of its own, within another statement.
  private mutating func inner() -> Made {
    let table = pick(tables), other = pick(tables)
    let part = "SELECT * FROM \(table.name) a" + filter(table, "a") + order([key(table, "a")], [(table, "a")]) + limit()
    let left = table.columns[0].name
    switch Int.random(in: 0..<3, using: &random) {
    case 0:
      return Made(
        sql:
          "SELECT count(*), sum(\(column("b", other.columns[0].name)) IS NULL) FROM (\(part)) a LEFT JOIN \(other.name) b USING (\"\(left)\")"
      )
    case 1:
      return Made(
        sql:
          "SELECT \(key(other, "b")) FROM \(other.name) b WHERE \(key(other, "b")) IN (SELECT \"\(left)\" FROM (\(part)))"
      )
    default:
      return Made(
        sql: "SELECT count(*), min(\"\(left)\"), max(\"\(left)\") FROM (\(part)) a"
          + (chance(50) ? " WHERE \(condition(visible(table), "a", depth: 1))" : ""))
    }
  }

  /// The table without the columns that a star leaves out.
  private func visible(_ table: GeneratedTable) -> GeneratedTable {
    var table = table
    table.columns.removeAll { $0.name.contains(".") }
    return table
  }

  private mutating func grouped() -> Made {
    let table = pick(tables)
    let by = pick(table.columns).name
    let integers = table.columns.filter { $0.kind == .integer || $0.kind == .boolean }
    let sum = column("a", (integers.isEmpty ? table.columns : integers).randomElement(using: &random)?.name ?? by)
    let having = chance(30) ? " HAVING count(*) > \(Int.random(in: 0...5, using: &random))" : ""
    return Made(
      sql:
        "SELECT \(column("a", by)), count(*), sum(\(sum)), min(\(sum)), max(\(sum)), count(DISTINCT \(sum)) FROM \(table.name) a"
        + filter(table, "a") + " GROUP BY \(column("a", by))" + having)
  }

  private mutating func within() -> Made {
    let table = pick(tables), other = pick(tables)
    let a = pick(table.columns).name, b = pick(other.columns).name
    let test = pick([
      "\(column("a", a)) IN (SELECT \(column("b", b)) FROM \(other.name) b\(filter(other, "b")))",
      "\(column("a", a)) NOT IN (SELECT \(column("b", b)) FROM \(other.name) b WHERE \(condition(other, "b", depth: 1)))",
      "EXISTS (SELECT 1 FROM \(other.name) b WHERE \(joining(table, other)))",
      "NOT EXISTS (SELECT 1 FROM \(other.name) b WHERE \(joining(table, other)))",
    ])
    return Made(
      sql: "SELECT \(some(table, "a")) FROM \(table.name) a WHERE \(test)"
        + (chance(40) ? " AND \(condition(table, "a"))" : ""))
  }

  private mutating func correlated() -> Made {
    let table = pick(tables), other = pick(tables)
    let inner = pick([
      "SELECT count(*) FROM \(other.name) b WHERE \(joining(table, other))",
      "SELECT max(\(key(other, "b"))) FROM \(other.name) b WHERE \(joining(table, other))",
      "SELECT \(key(other, "b")) FROM \(other.name) b WHERE \(joining(table, other)) ORDER BY \(key(other, "b")) DESC LIMIT 1",
    ])
    return Made(sql: "SELECT \(key(table, "a")), (\(inner)) FROM \(table.name) a" + filter(table, "a"))
  }

  private mutating func window() -> Made {
    let table = pick(tables)
    let by = column("a", pick(table.columns).name)
    let function = pick(["row_number()", "count(*)", "lag(\(by))", "first_value(\(by))"])
    return Made(
      sql:
        "SELECT \(key(table, "a")), \(function) OVER (PARTITION BY \(by) ORDER BY \(key(table, "a"))) FROM \(table.name) a"
        + filter(table, "a"))
  }

  private mutating func compound() -> Made {
    let table = pick(tables), other = pick(tables)
    return Made(
      sql: "SELECT \(column("a", pick(table.columns).name)) FROM \(table.name) a\(filter(table, "a")) "
        + pick(["UNION", "UNION ALL", "EXCEPT", "INTERSECT"])
        + " SELECT \(column("b", pick(other.columns).name)) FROM \(other.name) b\(filter(other, "b"))")
  }

  private mutating func distinct() -> Made {
    let table = pick(tables)
    return Made(
      sql: "SELECT DISTINCT \(column("a", pick(table.columns).name)) FROM \(table.name) a" + filter(table, "a"))
  }

  private mutating func common() -> Made {
    let table = visible(pick(tables))
    let by = pick(table.columns).name
    return Made(
      sql:
        "WITH x AS (SELECT * FROM \(table.name) a\(filter(table, "a"))) SELECT count(*) FROM x p JOIN x q ON p.\"\(by)\" = q.\"\(by)\""
        + (chance(50) ? " WHERE \(condition(table, "p", depth: 1))" : ""))
  }
}
