/// A user who can log in, as stored: the record of `users` with the password.
struct BaasicUser {
  static let collection = "users"

  let record: DemoJSON

  var name: String { record["userName"]?.text ?? "" }
  var password: String { record["password"]?.text ?? "" }
  var roles: [String] { record["roles"]?.elements?.compactMap(\.text) ?? [] }
  var canWrite: Bool { roles.contains("Administrators") }
  var isLocked: Bool { record["isLockedOut"] == .bool(true) }
  var isApproved: Bool { record["isApproved"] != .bool(false) }

  static func named(_ name: String, _ store: DialectStore) throws -> BaasicUser? {
    try store.document(in: collection, id: name.lowercased()).map { BaasicUser(record: try DemoJSON(parsing: $0.json)) }
  }

  static func names(_ store: DialectStore) throws -> [String] { try store.documents(in: collection).map(\.id) }

  /// The user's account as shown to that user.
  var json: DemoJSON {
    let actions: DemoJSON = canWrite ? ["create", "delete", "read", "update"] : ["read"]
    return [
      "userName": .string(name), "displayName": record["name"] ?? .null, "email": record["email"] ?? .null,
      "roles": record["roles"] ?? [], "permissions": ["dynamicresource": actions],
    ]
  }
}
