/// The route of a path.
enum BaasicRoute {
  case login
  case members(BaasicMember)
  case member(BaasicMember, key: String)
  case userAction(key: String, action: String)
  case permissions
  case sections
  case section(String)
  case permission(section: String, grant: String)
  case schemas
  case schema(String)
  case resources(schema: String)
  case purge(schema: String)
  case batch(schema: String)
  case resource(schema: String, id: String)
  case access(schema: String, id: String)
  case withdrawal(schema: String, id: String, grant: String)

  /// The one application there is.
  static let application = "demo"

  /// A path may begin with version and application; without them it belongs to the one application.
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
    case ("users", 1): self = .members(.users)
    case ("users", 2): self = .member(.users, key: segments[1].lowercased())
    case ("users", 3): self = .userAction(key: segments[1].lowercased(), action: segments[2].lowercased())
    case ("lookups", 2) where segments[1].lowercased() == "roles": self = .members(.roles)
    case ("lookups", 3) where segments[1].lowercased() == "roles": self = .member(.roles, key: segments[2])
    case ("permissions", 1): self = .permissions
    case ("permissions", 2) where segments[1].lowercased() == "sections": self = .sections
    case ("permissions", 3) where segments[1].lowercased() == "sections": self = .section(segments[2])
    case ("permissions", 7) where segments[1].lowercased() == "sections":
      self = .permission(section: segments[2], grant: try Self.grant(segments))
    case ("schemas", 1): self = .schemas
    case ("schemas", 2): self = .schema(segments[1])
    case ("resources", 2): self = .resources(schema: segments[1])
    case ("resources", 3): self = Self.below(segments[1], segments[2])
    case ("resources", 4) where segments[3].lowercased() == "acl":
      self = .access(schema: segments[1], id: segments[2])
    case ("resources", 8) where segments[3].lowercased() == "acl":
      self = .withdrawal(schema: segments[1], id: segments[2], grant: try Self.grant(segments))
    default: throw .noRoute
    }
  }

  /// The grant at the end of a path, `actions/ACTION/roles/NAME` or `actions/ACTION/users/NAME`, as it is stored.
  private static func grant(_ segments: [String]) throws(BaasicProblem) -> String {
    let parts = Array(segments.suffix(4))
    guard parts[0].lowercased() == "actions", let kind = BaasicMember(rawValue: parts[2].lowercased()) else {
      throw .noRoute
    }
    return "\(parts[1])/\(kind)/\(parts[3])"
  }

  private static func below(_ schema: String, _ last: String) -> BaasicRoute {
    switch last.lowercased() {
    case "purge": .purge(schema: schema)
    case "batch": .batch(schema: schema)
    default: .resource(schema: schema, id: last)
    }
  }
}
