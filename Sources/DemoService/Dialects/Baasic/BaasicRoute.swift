enum BaasicRoute {
  case login
  case users
  case user(String)
  case userAction(String, action: String)
  case roles
  case role(String)
  case permissions
  case sections
  case section(String)
  case permission(section: String, action: String, kind: String, subject: String)
  case schemas
  case schema(String)
  case resources(schema: String)
  case purge(schema: String)
  case batch(schema: String)
  case resource(schema: String, id: String)
  case access(schema: String, id: String)
  case withdrawal(schema: String, id: String, action: String, kind: String, subject: String)

  /// The only application.
  static let application = "demo"

  /// A path may begin with version and application; without them the only application is meant.
  init(_ path: String) throws(BaasicProblem) {
    var segments: [String] = []
    for segment in path.split(separator: "/", omittingEmptySubsequences: false).dropFirst() {
      guard let text = PercentEncoding.decoded(segment) else {
        throw BaasicProblem(400, "The address is not well formed.")
      }
      segments.append(text)
    }
    if segments.last?.isEmpty == true { segments.removeLast() }
    if let version = segments.first?.lowercased(), version == "v1" || version == "beta" {
      guard segments.count > 1, segments[1].lowercased() == Self.application else { throw .noApplication }
      segments.removeFirst(2)
    }
    guard !segments.contains(""), let first = segments.first else { throw .noRoute }
    switch (first.lowercased(), segments.count) {
    case ("login", 1): self = .login
    case ("users", 1): self = .users
    case ("users", 2): self = .user(segments[1])
    case ("users", 3): self = .userAction(segments[1], action: segments[2].lowercased())
    // Newer clients use paths below `lookups`; older ones the root.
    case ("roles", 1): self = .roles
    case ("roles", 2): self = .role(segments[1])
    case ("lookups", 2) where segments[1].lowercased() == "roles": self = .roles
    case ("lookups", 3) where segments[1].lowercased() == "roles": self = .role(segments[2])
    case ("permissions", 1): self = .permissions
    case ("permissions", 2) where segments[1].lowercased() == "sections": self = .sections
    case ("permissions", 3) where segments[1].lowercased() == "sections": self = .section(segments[2])
    case ("permissions", 7) where segments[1].lowercased() == "sections" && segments[3].lowercased() == "actions":
      let kind = segments[5].lowercased()
      guard kind == "users" || kind == "roles" else { throw .noRoute }
      self = .permission(section: segments[2], action: segments[4], kind: kind, subject: segments[6])
    case ("schemas", 1): self = .schemas
    case ("schemas", 2): self = .schema(segments[1])
    case ("resources", 2): self = .resources(schema: segments[1])
    case ("resources", 3): self = Self.below(segments[1], segments[2])
    case ("resources", 4) where segments[3].lowercased() == "acl":
      self = .access(schema: segments[1], id: segments[2])
    case ("resources", 8) where segments[3].lowercased() == "acl" && segments[4].lowercased() == "actions":
      let kind = segments[6].lowercased()
      guard kind == "users" || kind == "roles" else { throw .noRoute }
      self = .withdrawal(
        schema: segments[1], id: segments[2], action: segments[5], kind: kind, subject: segments[7])
    default: throw .noRoute
    }
  }

  private static func below(_ schema: String, _ last: String) -> BaasicRoute {
    switch last.lowercased() {
    case "purge": .purge(schema: schema)
    case "batch": .batch(schema: schema)
    default: .resource(schema: schema, id: last)
    }
  }
}
