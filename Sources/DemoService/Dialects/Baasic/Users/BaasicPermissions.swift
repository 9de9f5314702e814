/// The permissions of roles and users in the application's sections: one of its modules, or a schema's resources.
struct BaasicPermissions {
  private static let modules = ["ResourceSchema", "Roles", "Users"]
  private static let actions = ["Create", "Delete", "Read", "Update"]

  let request: DemoRequest
  let answer: BaasicAnswer
  let store: DemoStore

  func respond(to route: BaasicRoute) throws -> DemoResponse {
    switch (route, request.method) {
    case (.sections, "GET"), (.sections, "HEAD"):
      let names = try store.read("baasic") { store in
        try store.documents(in: BaasicSchema.collection).map {
          try BaasicSchema(record: DemoJSON(parsing: $0.json)).name
        }
      }
      return page((Self.modules + names).map { ["abrv": .string($0), "name": .string($0), "description": .null] })
    case (.section(let name), "GET"), (.section(let name), "HEAD"):
      let found = try store.read("baasic") { try Self.policies(name, $0) }
      return page(found.filter { !Self.names(of: $0).isEmpty })
    case (.permissions, "POST"): return try grant()
    case (.permission(let section, let action, let kind, let subject), "DELETE"):
      try withdraw(section, action, kind, subject)
      return BaasicAnswer.noContent
    default: throw BaasicProblem.noMethod
    }
  }

  /// Returns whether an anonymous user may use a method on the records of a schema.
  static func admitsAnonymous(_ method: String, schema: String, _ store: DialectStore) throws -> Bool {
    let action = ["POST": "Create", "DELETE": "Delete", "PUT": "Update", "PATCH": "Update"][method] ?? "Read"
    return try policies(schema, store).contains { $0["role"]?.text == "Anonymous" && names(of: $0).contains(action) }
  }

  private func page(_ items: [DemoJSON]) -> DemoResponse {
    answer.json([
      "item": .array(items), "page": 1, "recordsPerPage": .number(String(max(1, items.count))), "searchQuery": .null,
      "sort": .null, "totalRecords": .number(String(items.count)),
    ])
  }

  private static func names(of policy: DemoJSON) -> [String] {
    policy["actions"]?.elements?.compactMap { $0["abrv"]?.text } ?? []
  }

  /// The policies of a section; each has one subject and all its permissions.
  private static func policies(_ section: String, _ store: DialectStore) throws -> [DemoJSON] {
    let stored = try store.document(in: BaasicMembership.policies, id: section.lowercased())
    return try stored.map { try DemoJSON(parsing: $0.json).elements ?? [] } ?? []
  }

  private static func keep(_ policies: [DemoJSON], _ section: String, _ store: DialectStore) throws {
    let id = section.lowercased()
    try store.remove(in: BaasicMembership.policies, id: id)
    try store.insert(in: BaasicMembership.policies, id: id, json: DemoJSON.array(policies).compact())
  }

  private static func policy(_ section: String, _ subject: (key: String, name: String), _ actions: [String]) -> DemoJSON
  {
    [
      "section": .string(section), "role": .string(subject.key == "role" ? subject.name : ""),
      "userName": .string(subject.key == "userName" ? subject.name : ""),
      "actions": .array(actions.map { ["abrv": .string($0), "name": .string($0)] }),
    ]
  }

  private func grant() throws -> DemoResponse {
    let sent = try BaasicBody.object(request)
    guard let section = sent["section"]?.text, !section.isEmpty else {
      throw BaasicProblem(400, "The property 'section' is required.", details: "section")
    }
    let asked = Self.names(of: sent)
    guard !asked.isEmpty, asked.allSatisfy(Self.actions.contains) else {
      throw BaasicProblem(400, "The property 'actions' must name actions.", details: "actions")
    }
    let subjects = ["role", "userName"].compactMap { key in
      sent[key]?.text.flatMap { $0.isEmpty ? nil : (key: key, name: $0) }
    }
    guard let subject = subjects.first, subjects.count == 1 else {
      throw BaasicProblem(400, "A policy needs a role or a user.", details: "role")
    }
    let policy = try store.write("baasic") { store in
      var all = try Self.policies(section, store)
      let old = all.first { $0[subject.key]?.text == subject.name }.map(Self.names) ?? []
      all.removeAll { $0[subject.key]?.text == subject.name }
      let policy = Self.policy(section, subject, Self.actions.filter { old.contains($0) || asked.contains($0) })
      try Self.keep(all + [policy], section, store)
      return policy
    }
    return answer.json(["item": [policy], "page": 1, "recordsPerPage": 1, "totalRecords": 1], status: 201)
  }

  private func withdraw(_ section: String, _ action: String, _ kind: String, _ subject: String) throws {
    let key = kind == "users" ? "userName" : "role"
    try store.write("baasic") { store in
      var all = try Self.policies(section, store)
      guard
        let place = all.firstIndex(where: { policy in
          policy[key]?.text?.lowercased() == subject.lowercased()
            && Self.names(of: policy).contains { $0.lowercased() == action.lowercased() }
        })
      else { throw BaasicProblem(404, "There is no policy by which '\(subject)' may do that.") }
      let left = Self.names(of: all[place]).filter { $0.lowercased() != action.lowercased() }
      all[place] = Self.policy(section, (key, all[place][key]?.text ?? subject), left)
      try Self.keep(all, section, store)
    }
  }
}
