import HTTPTypes

/// Baasic's dynamic resources: collections defined by schemas, in one application.
struct BaasicDialect: Dialect {
  let name = "baasic"
  let switches = BaasicSwitches.all

  func respond(to request: DemoRequest, store: DemoStore) async throws -> DemoResponse {
    let answer = BaasicAnswer(request)
    do {
      return try respond(request, answer, store)
    } catch let problem as BaasicProblem {
      return answer.problem(problem)
    }
  }

  private func respond(_ request: DemoRequest, _ answer: BaasicAnswer, _ store: DemoStore) throws -> DemoResponse {
    if request.header("transfer-encoding") != nil {
      throw BaasicProblem(request.settings.number("baasic.chunked"), "The request has no body of a known length.")
    }
    let route = try BaasicRoute(request.path)
    if request.settings["baasic.failure"] == "yes" { throw BaasicProblem.broken }
    let sessions = BaasicSessions(request: request, answer: answer, store: store)
    if case .login = route { return try sessions.respond() }
    let session = try sessions.permit(to: route)
    let response = try respond(route, request, answer, store)
    if let session, response.status < 400 { try sessions.prolong(session) }
    return response
  }

  private func respond(
    _ route: BaasicRoute, _ request: DemoRequest, _ answer: BaasicAnswer, _ store: DemoStore
  ) throws -> DemoResponse {
    if let name = route.resourceName {
      let schema = try store.read(self.name) { try BaasicSchema.named(name, in: $0) }
      guard let schema else { throw BaasicProblem.noSchema(name) }
      switch route {
      case .access(_, let id), .withdrawal(_, let id, _):
        let access = BaasicAccess(schema: schema, id: id, request: request, answer: answer, store: store)
        return try access.respond(to: route)
      default: break
      }
      return try BaasicResources(schema: schema, request: request, answer: answer, store: store).respond(to: route)
    }
    switch route {
    case .members(let kind), .member(let kind, _):
      return try BaasicMembers(kind: kind, request: request, answer: answer, store: store).respond(to: route)
    case .userAction:
      return try BaasicMembers(kind: .users, request: request, answer: answer, store: store).respond(to: route)
    case .permissions, .sections, .section, .permission:
      return try BaasicPermissions(request: request, answer: answer, store: store).respond(to: route)
    default: break
    }
    return try BaasicSchemas(request: request, answer: answer, store: store).respond(to: route)
  }
}

extension BaasicRoute {
  /// The schema of the records in the path.
  var resourceName: String? {
    switch self {
    case .resources(let name), .purge(let name), .batch(let name), .resource(let name, _), .access(let name, _),
      .withdrawal(let name, _, _):
      name
    default: nil
    }
  }
}

extension DemoRequest {
  var isRead: Bool { method == "GET" || method == "HEAD" }
}
