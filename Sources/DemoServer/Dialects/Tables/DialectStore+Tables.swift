import GRDB

/// Selects rows of a table.
struct TableQuery {
  var condition = TableCondition.all([])
  var isTwoValued = false
  var order: [(column: DemoTable.Column, isDescending: Bool, nullsFirst: Bool)] = []
  var limit = -1
  var offset = 0
}

extension DialectStore {
  /// The rows, as they are stored: with the number of their version.
  func rows(of table: DemoTable, _ query: TableQuery) throws -> [DemoJSON] {
    var sql = DemoSQL(text: "SELECT json FROM documents WHERE ")
    sql.append(self.condition(table, query))
    sql.append(" ORDER BY ")
    for key in query.order {
      sql.append(
        "json_extract(json, ?)\(key.isDescending ? " DESC" : "") NULLS \(key.nullsFirst ? "FIRST" : "LAST"), ",
        [DemoSQL.path(key.column.name)])
    }
    sql.append("CAST(id AS INTEGER) LIMIT ? OFFSET ?", [query.limit, query.offset])
    return try String.fetchAll(database, sql: sql.text, arguments: StatementArguments(sql.arguments))
      .map { try DemoJSON(parsing: $0) }
  }

  /// Returns the number of rows that meet the condition.
  func count(of table: DemoTable, _ query: TableQuery) throws -> Int {
    var sql = DemoSQL(text: "SELECT count(*) FROM documents WHERE ")
    sql.append(condition(table, query))
    return try Int.fetchOne(database, sql: sql.text, arguments: StatementArguments(sql.arguments)) ?? 0
  }

  private func condition(_ table: DemoTable, _ query: TableQuery) -> DemoSQL {
    var sql = DemoSQL(text: "dialect = ? AND collection = ? AND ", arguments: [dialect, table.name])
    sql.append(query.condition.sql(isTwoValued: query.isTwoValued))
    return sql
  }

  /// Adds a row and returns it.
  func insert(_ body: DemoJSON, into table: DemoTable, coerces: Bool) throws -> DemoJSON {
    var row = DemoJSON.object(table.columns.map { .init(key: $0.name, value: $0.standard) })
    try fill(&row, from: body, table, coerces: coerces)
    if case .null? = row[DemoTable.key] {
      var id: Int64
      repeat { id = try advance(table.name) } while try document(in: table.name, id: String(id)) != nil
      row[DemoTable.key] = .number(String(id))
    }
    for column in table.columns where column.isRequired {
      if case .null? = row[column.name] { throw TableProblem.missing(column) }
    }
    let id = row[DemoTable.key]?.numberText ?? ""
    guard try document(in: table.name, id: id) == nil else { throw TableProblem.keyTaken(id) }
    row[Self.version] = 1
    try insert(in: table.name, id: id, json: row.compact())
    return row
  }

  /// Changes columns of a row and returns it.
  func update(_ row: DemoJSON, with body: DemoJSON, in table: DemoTable, coerces: Bool) throws -> DemoJSON {
    var changed = row
    try fill(&changed, from: body, table, coerces: coerces)
    let (old, new) = (row[DemoTable.key]?.numberText ?? "", changed[DemoTable.key]?.numberText ?? "")
    if old != new {
      guard try document(in: table.name, id: new) == nil else { throw TableProblem.keyTaken(new) }
      try checkUnnamed(row, table)
      try remove(in: table.name, id: old)
      try insert(in: table.name, id: new, json: changed.compact())
    }
    changed[Self.version] = .number(String((row[Self.version]?.numberText.flatMap { Int($0) } ?? 0) + 1))
    try replace(in: table.name, id: new, json: changed.compact())
    return changed
  }

  /// Takes a row away.
  func delete(_ row: DemoJSON, from table: DemoTable) throws {
    try checkUnnamed(row, table)
    try remove(in: table.name, id: row[DemoTable.key]?.numberText ?? "")
  }

  /// The member of a stored row that holds the number of its version, which no column has.
  static var version: String { "@version" }

  private func fill(_ row: inout DemoJSON, from body: DemoJSON, _ table: DemoTable, coerces: Bool) throws {
    guard let members = body.members else { throw TableProblem.malformed("the body is not an object") }
    for member in members {
      guard let column = table.column(member.key) else { throw TableProblem.unknownColumn(member.key) }
      let value = try column.stored(member.value, coerces: coerces)
      row[member.key] = value
      if let target = column.target, let id = value.numberText, try document(in: target, id: id) == nil {
        throw TableProblem.noTarget(column, id)
      }
    }
  }

  private func checkUnnamed(_ row: DemoJSON, _ table: DemoTable) throws {
    for other in DemoTable.all {
      for column in other.columns where column.target == table.name {
        let query = TableQuery(condition: .compare(column, .equal, row[DemoTable.key] ?? .null))
        if try count(of: other, query) > 0 { throw TableProblem.isNamed(by: other.name) }
      }
    }
  }
}

extension DialectStore {
  /// Fills the tables: so many tasks, and ten people.
  func seedTables(_ count: Int?) throws {
    guard let people = DemoTable.named("people"), let tasks = DemoTable.named("tasks") else { return }
    let number = count ?? 40
    for place in 0..<(number == 0 ? 0 : 10) {
      let name = SeedText.person(place)
      let email: DemoJSON = place % 4 == 3 ? .null : .string("person\(place + 1)@example.org")
      _ = try insert(["name": .string(name), "email": email], into: people, coerces: false)
    }
    for place in 0..<number {
      _ = try insert(
        [
          "title": .string(SeedText.title(place)), "done": .bool(place % 3 == 0),
          "points": place % 5 == 4 ? .null : .number(String(place * 7 % 13)),
          "note": place % 2 == 0 ? .string(SeedText.paragraph(place)) : .null,
          "person_id": place % 6 == 5 ? .null : .number(String(place % 10 + 1)),
        ], into: tasks, coerces: false)
    }
  }

  /// Takes `{"people": […], "tasks": […]}`.
  func loadTables(_ data: DemoJSON, _ dialect: String) throws {
    for table in DemoTable.all {
      for row in data[table.name]?.elements ?? [] {
        do { _ = try insert(row, into: table, coerces: false) } catch let problem as TableProblem {
          throw ImportError(
            description: "\"\(dialect)\": a row of \(table.name) does not fit: \(problem): \(row.compact())")
        }
      }
    }
  }
}
