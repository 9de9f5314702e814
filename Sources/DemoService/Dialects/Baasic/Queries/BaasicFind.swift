import GRDB

struct BaasicFind {
  let page: Int
  let size: Int
  /// As sent; nil if missing or empty.
  let searchQuery: String?
  let sort: String?
  private let fields: [String]
  private let query: BaasicQuery?

  init(_ request: DemoRequest) throws(BaasicProblem) {
    let form = Form(request.query)
    func given(_ name: String) -> String? { form[name].flatMap { $0.isEmpty ? nil : $0 } }
    func number(_ name: String, _ standard: Int) throws(BaasicProblem) -> Int {
      guard let text = given(name) else { return standard }
      guard let number = Int32(text), number > 0 else {
        throw BaasicProblem(400, "The parameter '\(name)' must be a positive number.")
      }
      return Int(number)
    }
    page = try number("page", 1)
    let limit = request.settings.number("baasic.maxrpp")
    let size = try number("rpp", 10)
    self.size = limit > 0 ? min(size, limit) : size
    searchQuery = given("searchQuery")
    sort = given("sort")
    query = try searchQuery.flatMap { text throws(BaasicProblem) in
      BaasicQuery.isQuery(text) ? try BaasicQuery(text) : nil
    }
    fields = given("fields").map { $0.split(separator: ",").map(String.init) } ?? query?.fields ?? []
  }

  /// The records of the page, and the number on all pages.
  ///
  /// A property is known if the schema names it or any record has it.
  func page(
    of collection: String, known: Set<String>, _ store: DialectStore
  ) throws -> (records: [DemoJSON], total: Int) {
    let keys = try sort.map { [try BaasicOrder($0)] } ?? query?.order ?? []
    for name in keys.map(\.field) + (query?.condition?.fields ?? []) where !known.contains(name) {
      guard try Self.isThere(name, collection, store) else { throw BaasicProblem.noField(name) }
    }
    var condition = DemoSQL(text: "dialect = ? AND collection = ?", arguments: [store.dialect, collection])
    if let part = query?.condition {
      condition.append(" AND ")
      condition.append(part.sql)
    } else if query == nil, let phrase = searchQuery {
      condition.append(" AND ")
      condition.append(Self.search(phrase))
    }
    let total =
      try Int.fetchOne(
        store.database, sql: "SELECT count(*) FROM documents WHERE \(condition.text)",
        arguments: StatementArguments(condition.arguments)) ?? 0
    var rows = DemoSQL(text: "SELECT json FROM documents WHERE ")
    rows.append(condition)
    rows.append(" ORDER BY ")
    for key in keys { rows.append(key.sql) }
    rows.append("position LIMIT ? OFFSET ?", [size, (page - 1) * size])
    let texts = try String.fetchAll(store.database, sql: rows.text, arguments: StatementArguments(rows.arguments))
    return (try texts.map { try DemoJSON(parsing: $0) }, total)
  }

  /// The record with only the requested fields.
  func projected(_ record: DemoJSON) -> DemoJSON {
    fields.isEmpty ? record : Self.projected(record, fields)
  }

  private static func projected(_ record: DemoJSON, _ fields: [String]) -> DemoJSON {
    guard let members = record.members else { return record }
    return .object(
      members.compactMap { member in
        if fields.contains(member.key) { return member }
        let inner = fields.filter { $0.hasPrefix(member.key + ".") }.map { String($0.dropFirst(member.key.count + 1)) }
        return inner.isEmpty ? nil : .init(key: member.key, value: projected(member.value, inner))
      })
  }

  private static func isThere(_ name: String, _ collection: String, _ store: DialectStore) throws -> Bool {
    let row = try Row.fetchOne(
      store.database,
      sql: """
        SELECT 1 FROM documents WHERE dialect = ? AND collection = ? AND json_type(json, ?) IS NOT NULL LIMIT 1
        """, arguments: [store.dialect, collection, DemoSQL.path(name)])
    return row != nil
  }

  /// Searches for a phrase in all texts of a record except its id.
  private static func search(_ phrase: String) -> DemoSQL {
    DemoSQL(
      text: """
        EXISTS (SELECT 1 FROM json_each(documents.json) AS part
        WHERE part.type = 'text' AND part.key <> 'id' AND instr(fold_case(part.value), ?) > 0)
        """, arguments: [phrase.lowercased()])
  }
}
