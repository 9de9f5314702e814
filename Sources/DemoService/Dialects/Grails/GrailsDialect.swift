/// A Grails 3.3 application "announcements" with the REST profile.
///
/// Versioned reads are on `/announcements`, everything else on `/announcement`.
struct GrailsDialect: Dialect {
  static let collection = "announcements"

  let name = "grails"
  let switches = GrailsSwitches.all
  /// The list of the singular path, if the switch makes it random.
  private let singularByChance = Bool.random() ? "v1" : "v2"

  func respond(to request: DemoRequest, store: DemoStore) async throws -> DemoResponse {
    let route = GrailsRoute(request)
    let answer = GrailsAnswer(request: request, format: route.format)
    guard !route.isBadTarget else { return DemoResponse(status: 400) }
    switch (route.method, route.path) {
    case ("GET", .root): return GrailsHealth.response
    case ("HEAD", .root): return GrailsHealth.response
    case ("GET", .plural(nil)):
      return try list(request, answer, store, showsBody: route.version == "1.0")
    case ("GET", .plural(let id?)), ("GET", .singular(let id?)):
      return try show(id, answer, store)
    case ("GET", .singular(nil)):
      let chosen = request.settings["grails.singular"]
      return try list(request, answer, store, showsBody: (chosen == "random" ? singularByChance : chosen) == "v1")
    case ("POST", .singular(nil)):
      return try GrailsWriter(request: request, answer: answer).save(in: store)
    case ("PUT", .singular(let id?)), ("PATCH", .singular(let id?)):
      return try GrailsWriter(request: request, answer: answer).update(id, in: store)
    case ("DELETE", .singular(let id?)):
      return try delete(id, in: store)
    default: return GrailsAnswer.routingNotFound
    }
  }

  private func show(_ id: String, _ answer: GrailsAnswer, _ store: DemoStore) throws -> DemoResponse {
    guard let id = GrailsRoute.recordID(id),
      let document = try store.read(name, { try $0.document(in: Self.collection, id: id) })
    else { return GrailsAnswer.missing }
    return answer.json(document.json)
  }

  private func delete(_ id: String, in store: DemoStore) throws -> DemoResponse {
    guard let id = GrailsRoute.recordID(id), try store.write(name, { try $0.remove(in: Self.collection, id: id) })
    else { return GrailsAnswer.missing }
    return DemoResponse(status: 204)
  }

  private func list(
    _ request: DemoRequest, _ answer: GrailsAnswer, _ store: DemoStore, showsBody: Bool
  ) throws -> DemoResponse {
    guard let page = GrailsPage(Form(request.query), settings: request.settings) else {
      return GrailsAnswer.internalError
    }
    let rows = try store.read(name) { store in
      try store.documents(
        in: Self.collection, orderedBy: page.order, limit: page.max, offset: page.offset,
        columns: showsBody ? "json" : Self.titleOnly)
    }
    return answer.json("[" + rows.map(\.json).joined(separator: ",") + "]")
  }

  /// The projection of the newer list; `->` gives the title as JSON text, just as it was stored.
  private static let titleOnly = #"'{"id":' || id || ',"title":' || (json -> '$.title') || '}'"#
}
