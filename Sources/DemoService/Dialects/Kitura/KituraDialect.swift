import HTTPTypes

/// A Kitura to-do list server, like its sample application: one collection at the root.
struct KituraDialect: Dialect {
  static let collection = "todos"

  let name = "kitura"
  let switches = KituraSwitches.all

  func respond(to request: DemoRequest, store: DemoStore) async throws -> DemoResponse {
    var response = try answer(request, store)
    if request.header("origin") != nil, !response.headers.contains(where: { $0.name == "Access-Control-Allow-Origin" })
    {
      response.headers.append(("Access-Control-Allow-Origin", "*"))
    }
    return response
  }

  private func answer(_ request: DemoRequest, _ store: DemoStore) throws -> DemoResponse {
    guard KituraRoute.methods.contains(request.method) else {
      return DemoResponse(status: 400, headers: [("Connection", "close")])
    }
    if request.method == "OPTIONS", request.header("origin") != nil { return KituraAnswer.preflight(request) }
    let answer = KituraAnswer(request)
    let writer = KituraWriter(request: request, answer: answer)
    switch (request.method, KituraRoute(request)) {
    case ("GET", .health): return answer.health
    case ("GET", .root): return try list(request, answer, store)
    case ("POST", .root): return try writer.create(in: store)
    case ("DELETE", .root):
      try store.write(name) { try $0.removeAll(in: Self.collection) }
      return answer.deleted
    case (_, .root): return answer.welcome
    case ("GET", .item(let id)): return try show(id, answer, store)
    // Only reading has a route for the word; for other methods it is an invalid identifier.
    case ("PATCH", .health), ("PUT", .health): return try writer.update("health", in: store)
    case ("DELETE", .health): return DemoResponse(status: 422)
    case ("PATCH", .item(let id)), ("PUT", .item(let id)): return try writer.update(id, in: store)
    case ("DELETE", .item(let id)): return try delete(id, request, answer, store)
    default: return answer.cannot
    }
  }

  private func list(_ request: DemoRequest, _ answer: KituraAnswer, _ store: DemoStore) throws -> DemoResponse {
    let todos = try store.read(name) { try $0.documents(in: Self.collection).map { try Todo(stored: $0.json) } }
    return answer.json(.array(todos.map(answer.representation)))
  }

  private func show(_ text: String, _ answer: KituraAnswer, _ store: DemoStore) throws -> DemoResponse {
    guard let id = Int(text) else { return DemoResponse(status: 422) }
    let found = try store.read(name) { try $0.document(in: Self.collection, id: String(id)) }
    guard let found else { return DemoResponse(status: 404) }
    return answer.json(answer.representation(try Todo(stored: found.json)))
  }

  private func delete(
    _ text: String, _ request: DemoRequest, _ answer: KituraAnswer, _ store: DemoStore
  ) throws -> DemoResponse {
    guard let id = Int(text) else { return DemoResponse(status: 422) }
    // With a database all records with the identifier are deleted, in memory only the first.
    let isLenient = request.settings["kitura.delete"] == "lenient"
    let isThere = try store.write(name) { store in
      guard !isLenient else { return try store.remove(in: Self.collection, id: String(id)) }
      guard let first = try store.document(in: Self.collection, id: String(id)) else { return false }
      try store.remove(first)
      return true
    }
    return isThere || isLenient ? answer.deleted : DemoResponse(status: 404)
  }
}
