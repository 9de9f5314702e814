/// A user who can log in, as stored: the record of `users` with the password.
struct BaasicUser {
  let record: DemoJSON

  var name: String { record["userName"]?.text ?? "" }
  var password: String { record["password"]?.text ?? "" }
  var canWrite: Bool { record["roles"]?.elements?.contains("Administrators") == true }
  var isLocked: Bool { record["isLockedOut"] == true }
  var isApproved: Bool { record["isApproved"] != false }

  static func named(_ name: String, _ store: DialectStore) throws -> BaasicUser? {
    try store.record(in: BaasicMember.users.rawValue, id: BaasicMember.users.key(of: name)).map(BaasicUser.init)
  }

  /// The user's account as shown to that user.
  var json: DemoJSON {
    let actions: DemoJSON = canWrite ? ["create", "delete", "read", "update"] : ["read"]
    return [
      "userName": .string(name), "displayName": record["name"] ?? .null, "email": record["email"] ?? .null,
      "roles": record["roles"] ?? [], "permissions": ["dynamicresource": actions],
    ]
  }
}
