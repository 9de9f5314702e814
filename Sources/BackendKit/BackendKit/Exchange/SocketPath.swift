/// The path of a Unix socket in an address: `unix:///run/service.sock`, or `http+unix://%2Frun%2Fservice.sock/v1` with
/// a path of the service.
enum SocketPath {
  /// The longest path that the system accepts, in bytes.
  private static let longest = 107

  /// Takes the path from the beginning of an address; nil for an address of another kind.
  static func take(from address: inout Substring) throws(WebAddress.Fault) -> String? {
    let scheme = address.prefix { $0 != ":" }.lowercased()
    switch scheme {
    case "unix":
      let rest = address.dropFirst(5)
      guard rest.hasPrefix("///") else {
        throw WebAddress.Fault("a socket address is unix:// followed by an absolute path: unix:///run/service.sock")
      }
      address = ""
      guard !rest.contains(where: { "%?#".contains($0) }) else {
        throw WebAddress.Fault(
          "a socket path with %, ? or # must be percent-encoded: http+unix://%2Frun%2Fservice.sock")
      }
      return try checked(String(rest.dropFirst(2)))
    case "http+unix":
      let authority = address.dropFirst(12).prefix { !"/?#".contains($0) }
      guard address.dropFirst(9).hasPrefix("://"), !authority.contains("@"),
        let path = PercentEncoding.decoded(authority)
      else { throw WebAddress.Fault("the path of the socket is not valid percent-encoding") }
      address = address[authority.endIndex...]
      return try checked(path)
    case "https+unix": throw WebAddress.Fault("TLS is not supported over a socket: use http+unix")
    default: return nil
    }
  }

  /// One socket has one path, so that settings of one origin apply to no other.
  private static func checked(_ path: String) throws(WebAddress.Fault) -> String {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    guard path.hasPrefix("/"), !parts.isEmpty, !parts.contains(where: { ["", ".", ".."].contains($0) }) else {
      throw WebAddress.Fault("a socket path begins with a slash, and has no empty segment, \".\" or \"..\"")
    }
    guard path.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
      throw WebAddress.Fault("the socket path contains control characters")
    }
    guard path.utf8.count <= longest else {
      throw WebAddress.Fault("the path of the socket is longer than \(longest) bytes")
    }
    return path
  }

  /// The address in its plain form; nil if only the encoded form can be read back.
  static func plain(_ path: String) -> String? {
    path.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"%?#".utf8.contains($0) } ? "unix://\(path)" : nil
  }

  /// The address in the form that a path can follow.
  static func encoded(_ path: String) -> String { "http+unix://\(PercentEncoding.encode(path))" }
}
