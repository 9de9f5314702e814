/// Users, roles, and their permissions in the sections of the application.
///
/// Assumed: a user is found by name or id, ignoring case; roles are given and shown by name; the section of a dynamic
/// resource has the name of its schema.
struct BaasicMembership {
  static let roles = "roles"
  static let policies = "policies"

  let request: DemoRequest
  let answer: BaasicAnswer
  let store: DemoStore

  func respond(to route: BaasicRoute) throws -> DemoResponse {
    switch (route, request.method) {
    case (.users, "GET"), (.users, "HEAD"): return try find(in: BaasicUser.collection, "users")
    case (.roles, "GET"), (.roles, "HEAD"): return try find(in: Self.roles, "lookups/roles")
    case (.users, "POST"): return try insertUser()
    case (.roles, "POST"): return try insertRole()
    case (.user(let name), "GET"): return answer.record(try shown(user(name).json), in: "users")
    case (.role(let id), "GET"): return answer.record(try role(id), in: "lookups/roles")
    case (.user(let name), "PUT"): return try update(name)
    case (.role(let id), "PUT"): return try updateRole(id)
    case (.user(let name), "DELETE"):
      let id = try user(name).id
      return try done { try $0.remove(in: BaasicUser.collection, id: id) }
    case (.role(let id), "DELETE"):
      _ = try role(id)
      return try done { try $0.remove(in: Self.roles, id: id) }
    case (.userAction(let name, let action), "PUT"): return try act(action, name)
    default: throw BaasicProblem.noMethod
    }
  }

  private func done(_ change: (DialectStore) throws -> Bool) throws -> DemoResponse {
    _ = try store.write("baasic", change)
    return BaasicAnswer.noContent
  }

  private func find(in collection: String, _ path: String) throws -> DemoResponse {
    let find = try BaasicFind(request)
    let known: Set<String> = ["id", "userName", "email", "name", "description", "isApproved", "isLockedOut"]
    let page = try store.read("baasic") { try find.page(of: collection, known: known, $0) }
    let records = collection == BaasicUser.collection ? try page.records.map(shown) : page.records
    return answer.page(find, records, total: page.total, in: path)
  }

  // MARK: Users

  /// A user without the password, and with roles only if requested.
  private func shown(_ record: DemoJSON) throws -> DemoJSON {
    let embeds = (Form(request.query)["embed"] ?? "").split(separator: ",")
    return .object(
      (record.members ?? []).filter { $0.key != "password" }.map { member in
        member.key == "roles" && !embeds.contains("roles") ? .init(key: "roles", value: []) : member
      })
  }

  private func user(_ name: String) throws -> (id: String, json: DemoJSON) {
    let all = try store.read("baasic") { try $0.documents(in: BaasicUser.collection) }
    for document in all {
      let json = try DemoJSON(parsing: document.json)
      if document.id == name.lowercased() || json["id"]?.text == name { return (document.id, json) }
    }
    throw BaasicProblem(404, "There is no user '\(name)'.")
  }

  private func insertUser() throws -> DemoResponse {
    let sent = try BaasicBody.object(request)
    for name in ["userName", "email", "password", "confirmPassword"] where (sent[name]?.text ?? "").isEmpty {
      throw BaasicProblem(400, "The property '\(name)' is required.", details: name)
    }
    guard sent["password"] == sent["confirmPassword"] else {
      throw BaasicProblem(400, "The passwords differ.", details: "confirmPassword")
    }
    let name = sent["userName"]?.text ?? ""
    let record = try store.write("baasic") { store in
      guard try BaasicUser.named(name, store) == nil else {
        throw BaasicProblem(409, "There is a user '\(name)' already.")
      }
      let record = try Self.record(sent, id: BaasicID.seeded("new/users/\(name)", 0), created: BaasicDate.now, store)
      try store.insert(in: BaasicUser.collection, id: name.lowercased(), json: record.compact())
      return record
    }
    return answer.record(try shown(record), in: "users", status: 201)
  }

  /// Replaces the user: properties left out are removed, except the password.
  private func update(_ name: String) throws -> DemoResponse {
    let sent = try BaasicBody.object(request)
    let (id, old) = try user(name)
    return try done { store in
      var record = try Self.record(
        sent, id: old["id"]?.text ?? "", created: old["dateCreated"]?.text ?? BaasicDate.now, store)
      (record["userName"], record["password"]) = (old["userName"], old["password"])
      return try store.replace(in: BaasicUser.collection, id: id, json: record.compact())
    }
  }

  private func act(_ action: String, _ name: String) throws -> DemoResponse {
    var (id, record) = try user(name)
    switch action {
    case "lock": record["isLockedOut"] = true
    case "unlock": record["isLockedOut"] = false
    case "approve": record["isApproved"] = true
    case "disapprove": record["isApproved"] = false
    case "change-password":
      guard let password = try BaasicBody.object(request)["newPassword"]?.text, !password.isEmpty else {
        throw BaasicProblem(400, "The property 'newPassword' is required.", details: "newPassword")
      }
      record["password"] = .string(password)
    default: throw BaasicProblem.noRoute
    }
    let json = record.compact()
    return try done { try $0.replace(in: BaasicUser.collection, id: id, json: json) }
  }

  private static func record(
    _ sent: DemoJSON, id: String, created: String, updated: String = BaasicDate.now, _ store: DialectStore
  ) throws -> DemoJSON {
    let given = (sent["roles"]?.elements ?? []).compactMap { $0.text ?? $0["name"]?.text }
    let known = try store.documents(in: roles).map { try DemoJSON(parsing: $0.json)["name"]?.text ?? "" }
    if let unknown = given.first(where: { !known.contains($0) }) {
      throw BaasicProblem(400, "There is no role '\(unknown)'.", details: "roles")
    }
    return [
      "id": .string(id), "userName": sent["userName"] ?? .null, "email": sent["email"] ?? .null,
      "name": sent["name"] ?? .null, "roles": .array(given.map { .string($0) }),
      "isApproved": sent["isApproved"] ?? true, "isLockedOut": sent["isLockedOut"] ?? false,
      "password": sent["password"] ?? .null, "dateCreated": .string(created), "dateUpdated": .string(updated),
    ]
  }

  // MARK: Roles

  private func role(_ id: String) throws -> DemoJSON {
    guard let document = try store.read("baasic", { try $0.document(in: Self.roles, id: id) }) else {
      throw BaasicProblem(404, "There is no role with the id '\(id)'.")
    }
    return try DemoJSON(parsing: document.json)
  }

  private func insertRole() throws -> DemoResponse {
    let sent = try BaasicBody.object(request)
    let record = try Self.role(sent, id: BaasicID.seeded("new/roles/\(sent["name"]?.text ?? "")", 0))
    try store.write("baasic") { store in
      let names = try store.documents(in: Self.roles).map { try DemoJSON(parsing: $0.json)["name"] }
      guard !names.contains(record["name"]) else { throw BaasicProblem(409, "There is a role of that name already.") }
      try store.insert(in: Self.roles, id: record["id"]?.text ?? "", json: record.compact())
    }
    return answer.record(record, in: "lookups/roles", status: 201)
  }

  private func updateRole(_ id: String) throws -> DemoResponse {
    _ = try role(id)
    let json = try Self.role(try BaasicBody.object(request), id: id).compact()
    return try done { try $0.replace(in: Self.roles, id: id, json: json) }
  }

  private static func role(_ sent: DemoJSON, id: String) throws(BaasicProblem) -> DemoJSON {
    guard let name = sent["name"]?.text, !name.isEmpty else {
      throw BaasicProblem(400, "The property 'name' is required.", details: "name")
    }
    return ["id": .string(id), "name": .string(name), "description": sent["description"] ?? .null]
  }

  // MARK: Seeds

  private static let seededAt = "2015-01-01T14:24:56.795849Z"

  static func seed(_ store: DialectStore) throws {
    for (number, name) in ["Administrators", "Readers", "Anonymous"].enumerated() {
      let id = BaasicID.seeded("roles", number)
      try store.insert(in: roles, id: id, json: role(["name": .string(name)], id: id).compact())
    }
    let users = [("ana", "Ana", "correct horse", "Administrators"), ("bo", "Bo", "battery staple", "Readers")]
    for (number, (name, shown, password, role)) in users.enumerated() {
      let record = try record(
        [
          "userName": .string(name), "email": .string("\(name)@example.org"), "name": .string(shown),
          "roles": [.string(role)], "password": .string(password),
        ], id: BaasicID.seeded("users", number), created: seededAt, updated: seededAt, store)
      try store.insert(in: BaasicUser.collection, id: name, json: record.compact())
    }
  }
}
