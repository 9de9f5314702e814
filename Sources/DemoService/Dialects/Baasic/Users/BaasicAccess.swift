/// The access list of one record. Nobody is held to it, and Administrators are always in it.
struct BaasicAccess {
  let schema: BaasicSchema
  let id: String
  let request: DemoRequest
  let answer: BaasicAnswer
  let store: DemoStore

  /// The collection with what is granted on a record.
  static func list(_ schema: BaasicSchema, _ id: String) -> String { "access/\(schema.resources)/\(id)" }

  func respond(to route: BaasicRoute) throws -> DemoResponse {
    let list = Self.list(schema, id)
    let granted = try store.read("baasic") { store in
      guard try store.document(in: schema.resources, id: id) != nil else { throw BaasicProblem.noRecord(id) }
      return try store.records(in: list)
    }
    switch (route, request.method) {
    case (.access, "GET"), (.access, "HEAD"):
      let always = BaasicPermissions.actions.map { Self.policy($0, .roles, "Administrators") }
      return answer.json(.array(always + granted))
    case (.access, "PUT"): return try grant(in: list)
    case (.withdrawal(_, _, let grant), "DELETE"):
      return try BaasicPermissions.withdraw(grant, from: list, store)
    default: throw BaasicProblem.noMethod
    }
  }

  private func grant(in list: String) throws -> DemoResponse {
    let sent = try BaasicBody.json(request).elements ?? []
    let policies = try store.write("baasic") { store in
      try sent.map { policy in
        let kind = policy["roleId"] == nil ? BaasicMember.users : .roles
        guard
          let action = BaasicPermissions.actions.first(where: {
            Self.isMeant(by: policy["actionId"], id: Self.id(of: $0), name: $0)
          })
        else { throw BaasicProblem(400, "The property 'actionId' must name an action.", details: "actionId") }
        let member = try store.records(in: kind.rawValue).first {
          Self.isMeant(by: policy[kind.inPolicies + "Id"], id: $0["id"], name: $0[kind.naming]?.text ?? "")
        }
        guard let name = member?[kind.naming]?.text else {
          throw BaasicProblem(400, "A policy needs a role or a user.", details: "roleId")
        }
        let granted = Self.policy(action, kind, name)
        try store.keep(granted, in: list, id: "\(action)/\(kind)/\(name)")
        return granted
      }
    }
    return answer.json(.array(policies), status: 201)
  }

  /// True if a value is the identifier or the name; that a name is taken for an identifier is an assumption.
  private static func isMeant(by value: DemoJSON?, id: DemoJSON?, name: String) -> Bool {
    guard let text = value?.text else { return false }
    return value == id || text.lowercased() == name.lowercased()
  }

  private static func id(of action: String) -> DemoJSON { .string(BaasicID.seeded("actions/\(action)", 0)) }

  private static func policy(_ action: String, _ kind: BaasicMember, _ name: String) -> DemoJSON {
    let id = DemoJSON.string(kind.id(of: name))
    return [
      "actionId": Self.id(of: action), "action": ["id": Self.id(of: action), "name": .string(action)],
      kind.inPolicies + "Id": id, kind.inPolicies: ["id": id, "name": .string(name)],
    ]
  }
}
