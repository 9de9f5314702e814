import Foundation

/// Login, logout, and authorization of calls by token.
struct BaasicSessions {
  static let collection = "sessions"

  let request: DemoRequest
  let answer: BaasicAnswer
  let store: DemoStore

  func respond() throws -> DemoResponse {
    switch request.method {
    case "POST": return try logIn()
    case "PUT": return try refresh()
    case "DELETE": return try logOut()
    case "GET", "HEAD":
      guard let token else { throw BaasicProblem.unauthorized(.missing) }
      let session = try session(token)
      try prolong(token)
      return answer.json(session.user.json)
    default: throw BaasicProblem.noMethod
    }
  }

  /// Authorizes a call or throws; returns its token, if it has one.
  func permit(to route: BaasicRoute) throws -> String? {
    guard let token else {
      if let schema = route.resourceName,
        try store.read("baasic", { try BaasicPermissions.admitsAnonymous(request.method, schema: schema, $0) })
      {
        return nil
      }
      switch request.settings["baasic.anonymous"] {
      case "401": throw BaasicProblem.unauthorized(.missing)
      case "403": throw BaasicProblem.forbidden
      default: return nil
      }
    }
    guard try session(token).user.canWrite || request.isRead else { throw BaasicProblem.forbidden }
    return token
  }

  func prolong(_ token: String) throws {
    guard try session(token, evenExpired: true).isSliding else { return }
    try store.write("baasic") { store in
      guard let document = try store.document(in: Self.collection, id: token) else { return }
      var record = try DemoJSON(parsing: document.json)
      record["expires"] = .number(String(expiry))
      try store.replace(in: Self.collection, id: token, json: record.compact())
    }
  }

  private struct Session {
    var user: BaasicUser
    var isSliding: Bool
  }

  /// The token in `Authorization`; a scheme other than bearer counts as a wrong token.
  private var token: String? {
    guard let header = request.header("authorization") else { return nil }
    let parts = header.split(separator: " ", maxSplits: 1)
    return parts.count == 2 && parts[0].lowercased() == "bearer" ? String(parts[1]) : ""
  }

  private var now: Int { Int(Date().timeIntervalSince1970 * 1000) }
  private var lifetime: Int { request.settings.number("baasic.lifetime") }
  private var expiry: Int { now + lifetime * 1000 }

  private func session(_ token: String, evenExpired: Bool = false) throws -> Session {
    let document = try store.read("baasic") { try $0.document(in: Self.collection, id: token) }
    guard let record = try document.map({ try DemoJSON(parsing: $0.json) }),
      let user = try store.read("baasic", { try BaasicUser.named(record["userName"]?.text ?? "", $0) }),
      let end = record["expires"]?.numberText.flatMap({ Int($0) }), evenExpired || end > now
    else { throw BaasicProblem.unauthorized(.invalid) }
    return Session(user: user, isSliding: record["sliding"] == .bool(true))
  }

  private func logIn() throws -> DemoResponse {
    let media = (request.header("content-type") ?? "").prefix { $0 != ";" }.filter { $0 != " " }.lowercased()
    guard media == "application/x-www-form-urlencoded" else {
      throw BaasicProblem(400, "The request body must be a form.", details: "invalid_request")
    }
    let form = Form(String(decoding: request.body, as: UTF8.self))
    guard form["grant_type"] == "password", let name = form["username"], let password = form["password"] else {
      throw BaasicProblem(400, "The grant type must be password.", details: "unsupported_grant_type")
    }
    let options = (Form(request.query)["options"] ?? "").split(separator: ",")
    let response = try store.write("baasic") { store -> DemoResponse? in
      guard let user = try BaasicUser.named(name, store) else { return nil }
      if user.isLocked { throw BaasicProblem(400, "User is locked.", details: "invalid_grant") }
      if !user.isApproved { throw BaasicProblem(400, "User is not approved.", details: "invalid_grant") }
      let counter = "failures/\(user.name)"
      let limit = request.settings.number("baasic.lock")
      let failures = try store.counter(counter)
      if limit > 0, failures >= limit { throw BaasicProblem(400, "User is locked.", details: "invalid_grant") }
      try store.setCounter(counter, to: user.password == password ? 0 : failures + 1)
      guard user.password == password else { return nil }
      return try begin(user, isSliding: options.contains("sliding"), status: "login", store)
    }
    guard let response else { throw Self.wrongCredentials }
    return response
  }

  private static let wrongCredentials = BaasicProblem(
    400, "The user name or the password is wrong.", details: "invalid_grant")

  /// Stores and returns a new token.
  private func begin(
    _ user: BaasicUser, isSliding: Bool, status: String, _ store: DialectStore
  ) throws -> DemoResponse {
    if request.settings["baasic.login"] == "error", status == "login" {
      return answer.json(["error": "invalid_grant", "error_description": "The login was not completed."])
    }
    let token = (BaasicID.random() + BaasicID.random()).lowercased() + "_" + BaasicID.random()
    let record: DemoJSON = [
      "userName": .string(user.name), "expires": .number(String(expiry)), "sliding": .bool(isSliding),
    ]
    try store.insert(in: Self.collection, id: token, json: record.compact())
    let span: DemoJSON = .number(String(lifetime))
    let body: DemoJSON = [
      "access_token": .string(token), isSliding ? "sliding_window" : "expires_in": span, "token_type": "bearer",
      "access_url_token": .string(BaasicID.random()),
    ]
    return answer.json(body, status: status == "login" ? request.settings.number("baasic.login") : 200)
  }

  private func refresh() throws -> DemoResponse {
    let token = try BaasicBody.object(request)["token"]?.text ?? ""
    guard let session = try? session(token) else {
      throw BaasicProblem(400, "The token is not valid or has expired.", details: "invalid_token")
    }
    return try store.write("baasic") { store in
      // Another process may have been faster.
      guard try store.remove(in: Self.collection, id: token) else {
        throw BaasicProblem(400, "The token is not valid or has expired.", details: "invalid_token")
      }
      return try begin(session.user, isSliding: session.isSliding, status: "refresh", store)
    }
  }

  private func logOut() throws -> DemoResponse {
    let token = try BaasicBody.object(request)["token"]?.text ?? ""
    guard try store.write("baasic", { try $0.remove(in: Self.collection, id: token) }) else {
      throw BaasicProblem(404, "There is no such token.")
    }
    return BaasicAnswer.noContent
  }
}
