import Foundation

/// Logging in and out, and what a call may do by its token.
struct BaasicSessions {
  private static let collection = "sessions"

  let request: DemoRequest
  let answer: BaasicAnswer
  let store: DemoStore

  func respond() throws -> DemoResponse {
    switch request.method {
    case "POST": return try logIn()
    case "PUT": return try refresh()
    case "DELETE":
      let token = try sentToken()
      guard try store.write("baasic", { try $0.remove(in: Self.collection, id: token) }) else {
        throw BaasicProblem(404, "There is no such token.")
      }
      return BaasicAnswer.noContent
    case "GET", "HEAD":
      guard let session = try session() else { throw BaasicProblem.unauthorized(.missing) }
      try prolong(session)
      return answer.json(session.user.json)
    default: throw BaasicProblem.noMethod
    }
  }

  /// Lets a call pass, or says why not; its session, if it has one.
  func permit(to route: BaasicRoute) throws -> Session? {
    if let session = try session() {
      guard session.user.canWrite || request.isRead else { throw BaasicProblem.forbidden }
      return session
    }
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

  /// Moves the end of a sliding token on.
  func prolong(_ session: Session) throws {
    guard session.isSliding else { return }
    // A session that has ended meanwhile is not there to be replaced.
    let json = session.record(until: expiry).compact()
    _ = try store.write("baasic") { try $0.replace(in: Self.collection, id: session.token, json: json) }
  }

  struct Session {
    let token: String
    let user: BaasicUser
    let isSliding: Bool

    fileprivate func record(until end: Int) -> DemoJSON {
      ["userName": .string(user.name), "expires": .number(String(end)), "sliding": .bool(isSliding)]
    }
  }

  private var now: Int { Int(Date().timeIntervalSince1970 * 1000) }
  private var lifetime: Int { request.settings.number("baasic.lifetime") }
  private var expiry: Int { now + lifetime * 1000 }

  /// The session of the token in `Authorization`; a scheme other than bearer counts as a wrong token.
  private func session() throws -> Session? {
    guard let header = request.header("authorization") else { return nil }
    let parts = header.split(separator: " ", maxSplits: 1)
    let token = parts.count == 2 && parts[0].lowercased() == "bearer" ? String(parts[1]) : ""
    guard let session = try store.read("baasic", { try session(token, $0) }) else {
      throw BaasicProblem.unauthorized(.invalid)
    }
    return session
  }

  private func session(_ token: String, _ store: DialectStore) throws -> Session? {
    guard let record = try store.record(in: Self.collection, id: token),
      let user = try BaasicUser.named(record["userName"]?.text ?? "", store),
      let end = record["expires"]?.numberText.flatMap({ Int($0) }), end > now
    else { return nil }
    return Session(token: token, user: user, isSliding: record["sliding"] == true)
  }

  private func sentToken() throws -> String { try BaasicBody.object(request)["token"]?.text ?? "" }

  private func logIn() throws -> DemoResponse {
    guard request.header("content-type")?.mediaType == "application/x-www-form-urlencoded" else {
      throw BaasicProblem(400, "The request body must be a form.", details: "invalid_request")
    }
    let form = Form(String(decoding: request.body, as: UTF8.self))
    guard form["grant_type"] == "password", let name = form["username"], let password = form["password"] else {
      throw BaasicProblem(400, "The grant type must be password.", details: "unsupported_grant_type")
    }
    let options = (Form(request.query)["options"] ?? "").split(separator: ",")
    // Nil for a wrong password: a throw would undo the count of failures.
    let response = try store.write("baasic") { store -> DemoResponse? in
      guard let user = try BaasicUser.named(name, store) else { return nil }
      let counter = "failures/\(user.name)"
      let limit = request.settings.number("baasic.lock")
      let failures = try store.counter(counter)
      if user.isLocked || limit > 0 && failures >= limit { throw Self.refused("User is locked.") }
      if !user.isApproved { throw Self.refused("User is not approved.") }
      try store.setCounter(counter, to: user.password == password ? 0 : failures + 1)
      guard user.password == password else { return nil }
      if request.settings["baasic.login"] == "error" {
        return answer.json(["error": "invalid_grant", "error_description": "The login was not completed."])
      }
      let status = request.settings.number("baasic.login")
      return try begin(user, isSliding: options.contains("sliding"), status: status, store)
    }
    guard let response else { throw Self.refused("The user name or the password is wrong.") }
    return response
  }

  private static func refused(_ message: String) -> BaasicProblem {
    BaasicProblem(400, message, details: "invalid_grant")
  }

  /// Stores a new token and names it.
  private func begin(
    _ user: BaasicUser, isSliding: Bool, status: Int, _ store: DialectStore
  ) throws -> DemoResponse {
    let token = (BaasicID.random() + BaasicID.random()).lowercased() + "_" + BaasicID.random()
    let session = Session(token: token, user: user, isSliding: isSliding)
    try store.keep(session.record(until: expiry), in: Self.collection, id: token)
    let body: DemoJSON = [
      "access_token": .string(token), isSliding ? "sliding_window" : "expires_in": .number(String(lifetime)),
      "token_type": "bearer", "access_url_token": .string(BaasicID.random()),
    ]
    return answer.json(body, status: status)
  }

  private func refresh() throws -> DemoResponse {
    let token = try sentToken()
    return try store.write("baasic") { store in
      guard let old = try session(token, store) else {
        throw BaasicProblem(400, "The token is not valid or has expired.", details: "invalid_token")
      }
      try store.remove(in: Self.collection, id: token)
      return try begin(old.user, isSliding: old.isSliding, status: 200, store)
    }
  }
}
