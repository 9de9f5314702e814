/// An imitation of PostgREST, of what the preset `postgrest` needs: conditions in parameters, `order`, `limit`, `offset`, `select`, counts
/// in Content-Range, and writes whose condition decides which rows they meet.
struct PostgRESTDialect: Dialect {
  let name = "postgrest"
  let switches = [
    Switch(
      name: "postgrest.maxrows", values: .number(0...1_000_000), standard: "0",
      help: "the most rows that a response has, whatever is asked for; 0: any")
  ]

  func seed(_ store: DialectStore, count: Int?, settings: Settings) throws { try store.seedTables(count) }

  func load(_ data: DemoJSON, into store: DialectStore, settings: Settings) throws {
    try store.loadTables(data, name)
  }

  func respond(to request: DemoRequest, store: DemoStore) async throws -> DemoResponse {
    let answer = PostgRESTAnswer(request)
    do {
      guard let path = PercentEncoding.decoded(request.path), let table = DemoTable.named(String(path.dropFirst()))
      else {
        throw PostgRESTProblem(404, "PGRST205", "Could not find the table '\(request.path)' in the schema cache")
      }
      let query = try PostgRESTQuery(request, table)
      switch request.method {
      case "GET", "HEAD":
        let (rows, total) = try store.read(name) { store in
          (
            try store.rows(of: table, query.rows),
            answer.prefers("count=exact") ? try store.count(of: table, query.rows) : nil
          )
        }
        return try answer.list(rows, from: query.rows.offset, total: total, query, table)
      case "POST":
        let bodies = try answer.bodies
        return try store.write(name) { store in
          let rows = try bodies.map { try store.insert($0, into: table, coerces: true) }
          return try answer.written(201, rows, query, table)
        }
      case "PATCH":
        guard let body = try answer.bodies.first else { throw PostgRESTProblem.unreadable }
        return try store.write(name) { store in
          let met = try store.rows(of: table, query.rows)
          try answer.checkAffected(met.count)
          let rows = try met.map { try store.update($0, with: body, in: table, coerces: true) }
          return try answer.written(200, rows, query, table)
        }
      case "DELETE":
        return try store.write(name) { store in
          let met = try store.rows(of: table, query.rows)
          try answer.checkAffected(met.count)
          for row in met { try store.delete(row, from: table) }
          return try answer.written(200, met, query, table)
        }
      default: throw PostgRESTProblem(405, "PGRST117", "Unsupported HTTP method: \(request.method)")
      }
    } catch let problem as PostgRESTProblem {
      return answer.failure(problem)
    } catch let problem as TableProblem {
      return answer.failure(PostgRESTProblem(problem, request.path.split(separator: "/").first.map(String.init) ?? ""))
    }
  }
}
