/// Answers for users and roles.
struct BaasicMembers {
  let kind: BaasicMember
  let request: DemoRequest
  let answer: BaasicAnswer
  let store: DemoStore

  func respond(to route: BaasicRoute) throws -> DemoResponse {
    switch (route, request.method) {
    case (.members, "GET"), (.members, "HEAD"):
      let find = try BaasicFind(request)
      let known: Set = ["id", "userName", "email", "name", "description", "isApproved", "isLockedOut"]
      let page = try store.read("baasic") { try find.page(of: kind.rawValue, known: known, $0) }
      return answer.page(find, page.records.map(shown), total: page.total, in: kind.path)
    case (.members, "POST"): return try insert()
    case (.member(_, let key), "GET"):
      return answer.record(shown(try store.read("baasic") { try member(key, $0) }), in: kind.path)
    case (.member(_, let key), "PUT"):
      let sent = try BaasicBody.object(request)
      return try change(key) { try kind.record(sent, over: $0) }
    case (.member(_, let key), "DELETE"): return try change(key) { _ in nil }
    case (.userAction(let key, let action), "PUT"): return try change(key) { try acted(action, on: $0) }
    default: throw BaasicProblem.noMethod
    }
  }

  /// A user without the password, and with roles only if they are asked for.
  private func shown(_ record: DemoJSON) -> DemoJSON {
    guard kind == .users else { return record }
    var shown = record
    shown["password"] = nil
    if Form(request.query)["embed"]?.split(separator: ",").contains("roles") != true { shown["roles"] = [] }
    return shown
  }

  private func member(_ key: String, _ store: DialectStore) throws -> DemoJSON {
    guard let record = try store.record(in: kind.rawValue, id: key) else { throw BaasicProblem.noRecord(key) }
    return record
  }

  private func insert() throws -> DemoResponse {
    let record = try kind.record(try BaasicBody.object(request))
    let key = kind.key(of: record[kind.naming]?.text ?? "")
    try store.write("baasic") { store in
      guard try store.document(in: kind.rawValue, id: key) == nil else {
        throw BaasicProblem(409, "One of this name exists already.")
      }
      try store.keep(record, in: kind.rawValue, id: key)
    }
    return answer.record(shown(record), in: kind.path, status: 201)
  }

  /// Puts another record in the place of one, or none.
  private func change(_ key: String, _ change: (DemoJSON) throws -> DemoJSON?) throws -> DemoResponse {
    try store.write("baasic") { store in
      if let record = try change(try member(key, store)) {
        try store.keep(record, in: kind.rawValue, id: key)
      } else {
        try store.remove(in: kind.rawValue, id: key)
      }
    }
    return BaasicAnswer.noContent
  }

  private func acted(_ action: String, on user: DemoJSON) throws -> DemoJSON {
    var user = user
    switch action {
    case "lock": user["isLockedOut"] = true
    case "unlock": user["isLockedOut"] = false
    case "approve": user["isApproved"] = true
    case "disapprove": user["isApproved"] = false
    case "change-password":
      guard let password = try BaasicBody.object(request)["newPassword"] else {
        throw BaasicProblem(400, "The property 'newPassword' is required.", details: "newPassword")
      }
      user["password"] = password
    default: throw BaasicProblem.noRoute
    }
    return user
  }
}
