/// The users and the roles of the application, which are listed, made, changed and deleted alike.
///
/// Assumed: a user is found by name, without regard to case; roles are given and shown by name.
enum BaasicMember: String {
  case users
  case roles

  /// The path of the collection.
  var path: String { self == .users ? "users" : "lookups/roles" }
  /// The property with the name.
  var naming: String { self == .users ? "userName" : "name" }
  /// The property of a policy that names one.
  var inPolicies: String { self == .users ? "user" : "role" }

  func id(of name: String) -> String { BaasicID.seeded("\(self)/\(name)", 0) }

  /// The last part of the path to one.
  func key(of name: String) -> String { self == .users ? name.lowercased() : id(of: name) }

  /// The record for what was sent, in the place of an old one: properties left out are removed, except the password.
  func record(
    _ sent: DemoJSON, over old: DemoJSON? = nil, at now: String = BaasicDate.now
  ) throws(BaasicProblem) -> DemoJSON {
    guard let name = sent[naming]?.text, !name.isEmpty else {
      throw BaasicProblem(400, "The property '\(naming)' is required.", details: naming)
    }
    let id = old?["id"] ?? .string(id(of: name))
    guard self == .users else { return ["id": id, "name": .string(name), "description": sent["description"] ?? .null] }
    return [
      "id": id, "userName": old?["userName"] ?? .string(name), "email": sent["email"] ?? .null,
      "name": sent["name"] ?? .null, "roles": sent["roles"] ?? [], "isApproved": sent["isApproved"] ?? true,
      "isLockedOut": sent["isLockedOut"] ?? false, "password": old?["password"] ?? sent["password"] ?? .null,
      "dateCreated": old?["dateCreated"] ?? .string(now), "dateUpdated": .string(now),
    ]
  }

  static func seed(_ store: DialectStore) throws {
    for name in ["Administrators", "Readers", "Anonymous"] { try roles.seed(["name": .string(name)], store) }
    let people = [("ana", "Ana", "correct horse", "Administrators"), ("bo", "Bo", "battery staple", "Readers")]
    for (name, shown, password, role) in people {
      let user: DemoJSON = [
        "userName": .string(name), "email": .string("\(name)@example.org"), "name": .string(shown),
        "roles": [.string(role)], "password": .string(password),
      ]
      try users.seed(user, store)
    }
  }

  private func seed(_ sent: DemoJSON, _ store: DialectStore) throws {
    let record = try record(sent, at: BaasicDialect.seededAt)
    try store.keep(record, in: rawValue, id: key(of: sent[naming]?.text ?? ""))
  }
}
