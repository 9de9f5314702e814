/// Puts rows into the form of PostgREST's responses.
struct PostgRESTAnswer {
  private let request: DemoRequest

  init(_ request: DemoRequest) { self.request = request }

  /// Returns whether the client states this preference.
  func prefers(_ wish: String) -> Bool {
    (request.header("prefer") ?? "").split(separator: ",").contains { $0.drop { $0 == " " } == wish }
  }

  /// The objects in the body of a write: one, or several in a list.
  var bodies: [DemoJSON] {
    get throws(PostgRESTProblem) {
      guard let body = try? DemoJSON(parsing: String(decoding: request.body, as: UTF8.self)) else {
        throw .unreadable
      }
      let bodies = body.elements ?? [body]
      guard bodies.allSatisfy({ $0.members != nil }) else { throw .unreadable }
      return bodies
    }
  }

  func list(
    _ rows: [DemoJSON], from first: Int, total: Int?, _ query: PostgRESTQuery, _ table: DemoTable
  ) throws(PostgRESTProblem) -> DemoResponse {
    if let total, first > total {
      throw PostgRESTProblem(
        416, "PGRST103", "Requested range not satisfiable",
        details: "An offset of \(first) was requested, but there are only \(total) rows.")
    }
    let range = rows.isEmpty ? "*" : "\(first)-\(first + rows.count - 1)"
    let status = total.map { rows.count < $0 ? 206 : 200 } ?? 200
    return try json(
      status, rows, query, table, headers: [("Content-Range", "\(range)/\(total.map(String.init) ?? "*")")])
  }

  func written(
    _ status: Int, _ rows: [DemoJSON], _ query: PostgRESTQuery, _ table: DemoTable
  ) throws(PostgRESTProblem) -> DemoResponse {
    guard prefers("return=representation") else {
      if isSingular, rows.count != 1 { throw Self.notOne(rows.count) }
      return DemoResponse(status: status == 201 ? 201 : 204, headers: [("Content-Range", "*/*")])
    }
    return try json(status, rows, query, table, headers: [("Preference-Applied", "return=representation")])
  }

  /// Refuses a write of more rows than the client allows.
  func checkAffected(_ count: Int) throws(PostgRESTProblem) {
    guard prefers("handling=strict") else { return }
    for wish in (request.header("prefer") ?? "").split(separator: ",") {
      let parts = wish.drop { $0 == " " }.split(separator: "=")
      guard parts.count == 2, parts[0] == "max-affected", let most = Int(parts[1]), count > most else { continue }
      throw PostgRESTProblem(
        400, "PGRST124", "Query result exceeds max-affected preference constraint",
        details: "The query affects \(count) rows")
    }
  }

  func failure(_ problem: PostgRESTProblem) -> DemoResponse {
    let body: DemoJSON = [
      "code": .string(problem.code), "details": problem.details.map { .string($0) } ?? .null, "hint": .null,
      "message": .string(problem.message),
    ]
    return DemoResponse(
      status: problem.status, type: "application/json; charset=utf-8", text: body.compact(),
      headers: problem.status == 416 ? [("Content-Range", "*/*")] : [])
  }

  private var isSingular: Bool { request.header("accept")?.contains("application/vnd.pgrst.object+json") == true }

  private static func notOne(_ count: Int) -> PostgRESTProblem {
    PostgRESTProblem(
      406, "PGRST116", "JSON object requested, multiple (or no) rows returned",
      details: "The result contains \(count) rows")
  }

  private func json(
    _ status: Int, _ rows: [DemoJSON], _ query: PostgRESTQuery, _ table: DemoTable, headers: [(String, String)]
  ) throws(PostgRESTProblem) -> DemoResponse {
    let shown = rows.map { row in
      DemoJSON.object((query.fields ?? table.columns.map(\.name)).map { .init(key: $0, value: row[$0] ?? .null) })
    }
    guard isSingular else {
      let text = DemoJSON.array(shown).compact()
      return DemoResponse(status: status, type: "application/json; charset=utf-8", text: text, headers: headers)
    }
    guard shown.count == 1 else { throw Self.notOne(shown.count) }
    return DemoResponse(
      status: status == 206 ? 200 : status, type: "application/vnd.pgrst.object+json; charset=utf-8",
      text: shown[0].compact(), headers: headers)
  }
}
