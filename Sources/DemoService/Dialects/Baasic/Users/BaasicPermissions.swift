/// The permissions of roles and users in the application's sections: one of its modules, or a schema's resources. Only
/// Anonymous is held to them.
///
/// Assumed: the section of a dynamic resource has the name of its schema.
struct BaasicPermissions {
  static let actions = ["Create", "Delete", "Read", "Update"]
  private static let modules = ["ResourceSchema", "Roles", "Users"]

  let request: DemoRequest
  let answer: BaasicAnswer
  let store: DemoStore

  func respond(to route: BaasicRoute) throws -> DemoResponse {
    switch (route, request.method) {
    case (.sections, "GET"), (.sections, "HEAD"):
      let schemas = try store.read("baasic") { try $0.records(in: BaasicSchema.collection) }
      let names = Self.modules + schemas.map { BaasicSchema(record: $0).name }
      return page(names.map { ["abrv": .string($0), "name": .string($0), "description": .null] })
    case (.section(let name), "GET"), (.section(let name), "HEAD"):
      return page(try store.read("baasic") { try $0.records(in: Self.section(name)) })
    case (.permissions, "POST"): return try grant()
    case (.permission(let section, let grant), "DELETE"):
      return try Self.withdraw(grant, from: Self.section(section), store)
    default: throw BaasicProblem.noMethod
    }
  }

  /// Returns whether an anonymous user may do this with the records of a schema.
  static func admitsAnonymous(_ method: String, schema: String, _ store: DialectStore) throws -> Bool {
    let action = ["POST": "Create", "DELETE": "Delete", "PUT": "Update", "PATCH": "Update"][method] ?? "Read"
    return try store.document(in: section(schema), id: "\(action)/roles/Anonymous") != nil
  }

  /// Takes a grant back: `ACTION/roles/NAME`.
  static func withdraw(_ grant: String, from collection: String, _ store: DemoStore) throws -> DemoResponse {
    guard try store.write("baasic", { try $0.remove(in: collection, id: grant) }) else {
      throw BaasicProblem(404, "There is no policy by which that may be done.")
    }
    return BaasicAnswer.noContent
  }

  /// The collection with what is granted in a section.
  private static func section(_ name: String) -> String { "section/\(name.lowercased())" }

  private func page(_ items: [DemoJSON], status: Int = 200) -> DemoResponse {
    let page: DemoJSON = [
      "item": .array(items), "page": 1, "recordsPerPage": .number(String(max(1, items.count))), "searchQuery": .null,
      "sort": .null, "totalRecords": .number(String(items.count)),
    ]
    return answer.json(page, status: status)
  }

  private func grant() throws -> DemoResponse {
    let sent = try BaasicBody.object(request)
    let asked = sent["actions"]?.elements?.compactMap { $0["abrv"]?.text } ?? []
    let subject = sent["role"]?.text.map { "roles/\($0)" } ?? sent["userName"]?.text.map { "users/\($0)" }
    guard let section = sent["section"]?.text, let subject, !asked.isEmpty, asked.allSatisfy(Self.actions.contains)
    else { throw BaasicProblem(400, "A policy needs a section, actions, and a role or a user.") }
    let policies = try store.write("baasic") { store in
      try asked.map { action in
        let policy: DemoJSON = [
          "section": .string(section), "role": sent["role"] ?? "", "userName": sent["userName"] ?? "",
          "actions": [["abrv": .string(action), "name": .string(action)]],
        ]
        try store.keep(policy, in: Self.section(section), id: "\(action)/\(subject)")
        return policy
      }
    }
    return page(policies, status: 201)
  }
}
