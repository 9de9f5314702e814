/// An imitation of an OData 4 service, of what the preset `odata4` needs: lists with `$filter`, `$orderby`, `$top`, `$skip`, `$count` and
/// `$select`, pages of the server's own, and writes with entity tags.
struct ODataDialect: Dialect {
  let name = "odata4"
  let switches = [
    Switch(
      name: "odata4.page", values: .number(1...1000), standard: "20",
      help: "how many records a response has at most; a longer list has an @odata.nextLink")
  ]

  func seed(_ store: DialectStore, count: Int?, settings: Settings) throws { try store.seedTables(count) }

  func load(_ data: DemoJSON, into store: DialectStore, settings: Settings) throws {
    try store.loadTables(data, name)
  }

  func respond(to request: DemoRequest, store: DemoStore) async throws -> DemoResponse {
    let answer = ODataAnswer(request)
    do {
      guard let path = PercentEncoding.decoded(request.path) else { throw ODataProblem.notFound(request.path) }
      if path == "/" { return answer.service }
      guard let (table, key, isCount) = Self.route(path.dropFirst()) else { throw ODataProblem.notFound(path) }
      switch (request.method, key) {
      case ("GET", nil), ("HEAD", nil):
        let query = try ODataQuery(request, table)
        return try store.read(name) { store in
          if isCount {
            return DemoResponse(
              status: 200, type: "text/plain", text: String(try store.count(of: table, query.counted)))
          }
          return answer.list(
            try store.rows(of: table, query.page), query, table,
            total: query.counts ? try store.count(of: table, query.counted) : nil)
        }
      case ("GET", let key?), ("HEAD", let key?):
        let query = try ODataQuery(request, table)
        return answer.entity(try store.read(name) { try Self.row(key, table, $0) }, query, table)
      case ("POST", nil):
        let body = try answer.body
        return answer.created(try store.write(name) { try $0.insert(body, into: table, coerces: false) }, table)
      case ("PATCH", let key?):
        let body = try answer.body
        return answer.changed(
          try store.write(name) { store in
            let row = try Self.row(key, table, store)
            try answer.checkTag(of: row)
            return try store.update(row, with: body, in: table, coerces: false)
          }, table)
      case ("DELETE", let key?):
        try store.write(name) { store in
          let row = try Self.row(key, table, store)
          try answer.checkTag(of: row)
          try store.delete(row, from: table)
        }
        return DemoResponse(status: 204)
      default: throw ODataProblem(405, "MethodNotAllowed", "\(request.method) is not supported here.")
      }
    } catch let problem as ODataProblem {
      return answer.failure(problem)
    } catch let problem as TableProblem {
      return answer.failure(ODataProblem(problem))
    }
  }

  /// Returns the parts of `tasks`, `tasks(3)` and `tasks/$count`.
  private static func route(_ path: Substring) -> (DemoTable, key: String?, isCount: Bool)? {
    if path.hasSuffix("/$count") { return DemoTable.named(String(path.dropLast(7))).map { ($0, nil, true) } }
    guard path.hasSuffix(")"), let open = path.firstIndex(of: "(") else {
      return DemoTable.named(String(path)).map { ($0, nil, false) }
    }
    return DemoTable.named(String(path[..<open])).map {
      ($0, String(path[path.index(after: open)...].dropLast()), false)
    }
  }

  private static func row(_ key: String, _ table: DemoTable, _ store: DialectStore) throws -> DemoJSON {
    guard let id = Int64(key) else { throw ODataProblem(400, "BadRequest", "The key '\(key)' is not an Edm.Int64.") }
    guard let document = try store.document(in: table.name, id: String(id)) else {
      throw ODataProblem(404, "NotFound", "There is no \(table.name)(\(id)).")
    }
    return try DemoJSON(parsing: document.json)
  }
}
