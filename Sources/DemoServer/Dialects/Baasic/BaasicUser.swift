/// Somebody who can log in.
struct BaasicUser {
  let name: String
  let password: String
  let displayName: String
  let canWrite: Bool

  private static let all = [
    BaasicUser(name: "ana", password: "correct horse", displayName: "Ana", canWrite: true),
    BaasicUser(name: "bo", password: "battery staple", displayName: "Bo", canWrite: false),
  ]

  static var names: [String] { all.map(\.name) }

  static func named(_ name: String) -> BaasicUser? { all.first { $0.name == name.lowercased() } }

  /// What the user is told about himself.
  var json: DemoJSON {
    let actions: DemoJSON = canWrite ? ["create", "delete", "read", "update"] : ["read"]
    return [
      "userName": .string(name), "displayName": .string(displayName), "email": .string("\(name)@example.org"),
      "roles": [canWrite ? "Administrators" : "Readers"], "permissions": ["dynamicresource": actions],
    ]
  }
}
