/// The access list of one record.
///
/// Actions, roles and users have identifiers; accepting their names instead is an assumption. Lists are not enforced.
struct BaasicAccess {
  static let collection = "acl"
  private static let actions = ["Create", "Delete", "Read", "Update"]
  private static let roles = ["Administrators", "Readers", "Anonymous"]

  let schema: BaasicSchema
  let id: String
  let request: DemoRequest
  let answer: BaasicAnswer
  let store: DemoStore

  func respond(to route: BaasicRoute) throws -> DemoResponse {
    switch (route, request.method) {
    case (.access, "GET"), (.access, "HEAD"):
      let policies = try store.read("baasic") { try listed($0) }
      if policies.isEmpty, request.settings["baasic.empty"] == "nocontent" { return BaasicAnswer.noContent }
      return answer.json(.array(policies))
    case (.access, "PUT"): return try grant()
    case (.withdrawal(_, _, let action, let kind, let subject), "DELETE"): return try withdraw(action, kind, subject)
    default: throw BaasicProblem.noMethod
    }
  }

  private var key: String { "\(schema.resources)/\(id)" }

  private func listed(_ store: DialectStore) throws -> [DemoJSON] {
    guard try store.document(in: schema.resources, id: id) != nil else { throw BaasicProblem.noRecord(id) }
    let stored = try store.document(in: Self.collection, id: key).map { try DemoJSON(parsing: $0.json) }
    return try stored?.elements
      ?? Self.actions.map { try Self.policy(["actionId": .string($0), "roleId": "Administrators"], users: []) }
  }

  private func keep(_ policies: [DemoJSON], _ store: DialectStore) throws {
    let json = DemoJSON.array(policies).compact()
    if try store.document(in: Self.collection, id: key) == nil {
      try store.insert(in: Self.collection, id: key, json: json)
    } else {
      try store.replace(in: Self.collection, id: key, json: json)
    }
  }

  private func grant() throws -> DemoResponse {
    guard let sent = try BaasicBody.json(request).elements, !sent.isEmpty else {
      throw BaasicProblem(400, "The request body must be a JSON array of policies.")
    }
    let granted = try store.read("baasic") { store in
      try sent.map { try Self.policy($0, users: try BaasicUser.names(store)) }
    }
    try store.write("baasic") { store in
      var policies = try listed(store)
      for policy in granted where !policies.contains(policy) { policies.append(policy) }
      try keep(policies, store)
    }
    return answer.json(.array(granted), status: 201)
  }

  private func withdraw(_ action: String, _ kind: String, _ subject: String) throws -> DemoResponse {
    let member = kind == "users" ? "user" : "role"
    try store.write("baasic") { store in
      let policies = try listed(store)
      let left = policies.filter { policy in
        policy["action"]?["name"]?.text?.lowercased() != action.lowercased()
          || policy[member]?["name"]?.text?.lowercased() != subject.lowercased()
      }
      guard left.count < policies.count else {
        throw BaasicProblem(404, "There is no policy by which the \(member) '\(subject)' may do that.")
      }
      try keep(left, store)
    }
    return BaasicAnswer.noContent
  }

  /// A policy as stored and sent.
  private static func policy(_ sent: DemoJSON, users: [String]) throws(BaasicProblem) -> DemoJSON {
    guard let action = found(sent["actionId"], "actions", actions) else {
      throw BaasicProblem(400, "The property 'actionId' must name an action.", details: "actionId")
    }
    let role = found(sent["roleId"], "roles", roles)
    let user = found(sent["userId"], "users", users)
    guard role != nil || user != nil else {
      throw BaasicProblem(400, "A policy needs a role or a user.", details: "roleId")
    }
    var policy: DemoJSON = ["actionId": action["id"] ?? .null, "action": action]
    if let role { (policy["roleId"], policy["role"]) = (role["id"], role) }
    if let user { (policy["userId"], policy["user"]) = (user["id"], user) }
    return policy
  }

  /// Returns the object that a value identifies, by its identifier or its name.
  private static func found(_ value: DemoJSON?, _ kind: String, _ names: [String]) -> DemoJSON? {
    guard let text = value?.text, !text.isEmpty else { return nil }
    let all = names.enumerated().map { (id: BaasicID.seeded(kind, $0.offset), name: $0.element) }
    return all.first { $0.id == text || $0.name.lowercased() == text.lowercased() }.map {
      ["id": .string($0.id), "name": .string($0.name)]
    }
  }
}
