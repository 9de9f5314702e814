/// Puts rows into the form of OData's JSON with minimal metadata.
struct ODataAnswer {
  private let request: DemoRequest

  init(_ request: DemoRequest) { self.request = request }

  /// The body of a write.
  var body: DemoJSON {
    get throws {
      do { return try DemoJSON(parsing: String(decoding: request.body, as: UTF8.self)) } catch {
        throw TableProblem.malformed("it is not JSON")
      }
    }
  }

  /// The list of entity sets.
  var service: DemoResponse {
    let sets = DemoTable.all.map { table -> DemoJSON in
      ["name": .string(table.name), "kind": "EntitySet", "url": .string(table.name)]
    }
    return json(200, ["@odata.context": .string("\(request.baseAddress)/$metadata"), "value": .array(sets)])
  }

  func list(_ rows: [DemoJSON], _ query: ODataQuery, _ table: DemoTable, total: Int?) -> DemoResponse {
    var members = isBare ? [] : [DemoJSON.Member(key: "@odata.context", value: .string(context(table)))]
    if let total { members.append(.init(key: "@odata.count", value: .number(String(total)))) }
    let shown = rows.prefix(query.size)
    members.append(.init(key: "value", value: .array(shown.map { entity($0, query.fields, table) })))
    if rows.count > shown.count, let next = query.next(after: shown.count) {
      members.append(.init(key: "@odata.nextLink", value: .string("\(request.baseAddress)/\(table.name)?\(next)")))
    }
    return json(200, .object(members))
  }

  func entity(_ row: DemoJSON, _ query: ODataQuery, _ table: DemoTable) -> DemoResponse {
    json(200, whole(entity(row, query.fields, table), table), headers: [("ETag", Self.tag(row))])
  }

  func created(_ row: DemoJSON, _ table: DemoTable) -> DemoResponse {
    let place = "\(request.baseAddress)/\(table.name)(\(row[DemoTable.key]?.numberText ?? ""))"
    let headers = [("Location", place), ("ETag", Self.tag(row))]
    if prefers("return=minimal") { return DemoResponse(status: 204, headers: headers + [("OData-EntityId", place)]) }
    return json(201, whole(entity(row, nil, table), table), headers: headers)
  }

  func changed(_ row: DemoJSON, _ table: DemoTable) -> DemoResponse {
    guard prefers("return=representation") else { return DemoResponse(status: 204, headers: [("ETag", Self.tag(row))]) }
    return json(200, whole(entity(row, nil, table), table), headers: [("ETag", Self.tag(row))])
  }

  func failure(_ problem: ODataProblem) -> DemoResponse {
    var error: DemoJSON = ["code": .string(problem.code), "message": .string(problem.message)]
    if let target = problem.target {
      error["target"] = .string(target)
      error["details"] = [
        ["code": .string(problem.code), "target": .string(target), "message": .string(problem.message)]
      ]
    }
    return json(problem.status, ["error": error])
  }

  /// Refuses a write of a version that is no longer there.
  func checkTag(of row: DemoJSON) throws(ODataProblem) {
    guard let tags = request.header("if-match"), tags != "*" else { return }
    guard tags.split(separator: ",").contains(where: { $0.drop { $0 == " " } == Self.tag(row) }) else {
      throw ODataProblem(412, "PreconditionFailed", "The entity has changed.")
    }
  }

  /// True if the client requests no annotations except those that a list needs.
  private var isBare: Bool { request.header("accept")?.contains("odata.metadata=none") == true }

  private func prefers(_ wish: String) -> Bool { request.header("prefer")?.contains(wish) == true }

  private func context(_ table: DemoTable) -> String { "\(request.baseAddress)/$metadata#\(table.name)" }

  private func whole(_ entity: DemoJSON, _ table: DemoTable) -> DemoJSON {
    isBare
      ? entity
      : .object(
        [.init(key: "@odata.context", value: .string(context(table) + "/$entity"))] + (entity.members ?? []))
  }

  private func entity(_ row: DemoJSON, _ fields: [String]?, _ table: DemoTable) -> DemoJSON {
    let names = table.columns.map(\.name).filter { fields?.contains($0) ?? true }
    return .object(
      (isBare ? [] : [.init(key: "@odata.etag", value: .string(Self.tag(row)))])
        + names.map { .init(key: $0, value: row[$0] ?? .null) })
  }

  private static func tag(_ row: DemoJSON) -> String { "W/\"\(row[DialectStore.version]?.numberText ?? "")\"" }

  private func json(_ status: Int, _ value: DemoJSON, headers: [(String, String)] = []) -> DemoResponse {
    DemoResponse(
      status: status, type: "application/json;odata.metadata=\(isBare ? "none" : "minimal")", text: value.compact(),
      headers: [("OData-Version", "4.0")] + headers)
  }
}
