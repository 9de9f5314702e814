/// Responds to requests for the records of one schema.
struct BaasicResources {
  let schema: BaasicSchema
  let request: DemoRequest
  let answer: BaasicAnswer
  let store: DemoStore

  func respond(to route: BaasicRoute) throws -> DemoResponse {
    if !request.isRead, Form(request.query)["query"] != nil { try requireBulk() }
    if request.settings["baasic.conflict"] == "yes", ["POST", "PUT", "PATCH"].contains(request.method) {
      throw BaasicProblem.conflict(request.method)
    }
    switch (route, request.method) {
    case (.resources, "GET"), (.resources, "HEAD"): return try find()
    case (.resources, "POST"): return try insert()
    case (.resource(_, let id), "GET"), (.resource(_, let id), "HEAD"): return try get(id)
    case (.resource(_, let id), "PUT"): return try update(id)
    case (.resource(_, let id), "PATCH"): return try patch(id)
    case (.resource(_, let id), "DELETE"):
      try store.write("baasic") { try writer.delete(id, $0) }
      return BaasicAnswer.noContent
    case (.purge, "DELETE"):
      try requireBulk()
      try store.write("baasic") { try $0.removeAll(in: schema.resources) }
      return BaasicAnswer.noContent
    case (.batch, "POST"), (.batch, "PUT"), (.batch, "PATCH"), (.batch, "DELETE"):
      try requireBulk()
      return try batch()
    default: throw BaasicProblem.noMethod
    }
  }

  private var writer: BaasicWriter { BaasicWriter(schema: schema, settings: request.settings) }
  private var path: String { "resources/\(schema.name)" }

  private func requireBulk() throws(BaasicProblem) {
    if request.settings["baasic.bulk"] != "enabled" { throw .forbidden }
  }

  private func find() throws -> DemoResponse {
    let find = try BaasicFind(request)
    let known = Set(schema.properties.map(\.key) + ["id"])
    let page = try store.read("baasic") { try find.page(of: schema.resources, known: known, $0) }
    return answer.page(find, page.records, total: page.total, in: path)
  }

  private func get(_ id: String) throws -> DemoResponse {
    let find = try BaasicFind(request)
    let record = try store.read("baasic") { try $0.record(in: schema.resources, id: id) }
    guard let record else { throw BaasicProblem.noRecord(id) }
    return answer.record(record, find, in: path)
  }

  private func insert() throws -> DemoResponse {
    let sent = try BaasicBody.object(request)
    let record = try store.write("baasic") { try writer.insert(sent, $0) }
    return answer.record(record, in: path, status: request.settings.number("baasic.insert"))
  }

  private func update(_ id: String) throws -> DemoResponse {
    let sent = try BaasicBody.object(request)
    _ = try store.write("baasic") { try writer.update(id, sent, $0) }
    return BaasicAnswer.noContent
  }

  private func patch(_ id: String) throws -> DemoResponse {
    if request.settings["baasic.patch"] == "405" { throw BaasicProblem.noMethod }
    let sent = try BaasicBody.object(request)
    let record = try store.write("baasic") { try writer.patch(id, sent, $0) }
    return request.settings["baasic.patch"] == "200" ? answer.record(record, in: path) : BaasicAnswer.noContent
  }

  /// Performs operations in sequence; each has its own result.
  private func batch() throws -> DemoResponse {
    guard let parts = try BaasicBody.json(request).elements else {
      throw BaasicProblem(400, "The request body must be a JSON array.")
    }
    let results = try store.write("baasic") { store in
      try parts.map { part in
        do {
          return Self.result(try one(part, store))
        } catch let problem as BaasicProblem {
          return problem.json()
        }
      }
    }
    return answer.json(.array(results))
  }

  /// The record after an operation of a batch; null if deleted.
  private func one(_ part: DemoJSON, _ store: DialectStore) throws -> DemoJSON {
    if request.method == "DELETE" {
      guard let id = part.text else { throw BaasicProblem(400, "A batch of deletions is an array of ids.") }
      try writer.delete(id, store)
      return .null
    }
    guard part.members != nil else { throw BaasicProblem(400, "A batch is an array of JSON objects.") }
    if request.method == "POST" { return try writer.insert(part, store) }
    guard let id = part["id"]?.text else { throw BaasicProblem(400, "A record of a batch needs its id.") }
    return request.method == "PUT" ? try writer.update(id, part, store) : try writer.patch(id, part, store)
  }

  private static func result(_ record: DemoJSON) -> DemoJSON {
    [
      "message": .null, "details": .null, "error": .null, "errorCode": .null, "response": record, "statusCode": 200,
    ]
  }
}
