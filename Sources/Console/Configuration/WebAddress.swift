import BackendKit

/// The rules for a backend's address.
enum WebAddress {
  /// Whether a text begins like an address.
  static func looksLikeOne(_ text: String) -> Bool {
    ["http://", "https://", "demo:"].contains { text.hasPrefix($0) }
  }

  /// Whether an address is one of this machine itself.
  static func isLoopback(_ text: String) -> Bool {
    guard let start = text.firstRange(ofText: "://") else { return false }
    let authority = text[start.upperBound...].prefix { $0 != "/" }.lowercased()
    if authority.hasPrefix("[") { return authority.dropFirst().prefix { $0 != "]" } == "::1" }
    let host = authority.prefix { $0 != ":" }
    if host == "localhost" || host.hasSuffix(".localhost") { return true }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
  }

  /// Why a text is no address of a backend, as a clause, or nil where it is one.
  static func problem(of text: String) -> String? {
    if text.hasPrefix("demo:") {
      return BackendName.isValid(String(text.dropFirst(5)))
        ? nil : "demo: must be followed by the name of a demo service, for example demo:grails"
    }
    guard looksLikeOne(text), let start = text.firstIndex(of: "/") else {
      return "an address begins with http:// or https:// or is demo:NAME"
    }
    guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
      return "an address cannot contain spaces or non-ASCII characters"
    }
    guard !text.contains("?"), !text.contains("#") else { return "an address cannot have a query or a fragment" }
    let authority = text[start...].dropFirst(2).prefix { $0 != "/" }
    if authority.contains("@") { return "an address cannot contain a user name or password" }
    return problem(ofAuthority: authority)
  }

  private static func problem(ofAuthority authority: Substring) -> String? {
    var rest = authority
    if rest.hasPrefix("[") {
      guard let end = rest.firstIndex(of: "]"), rest[..<end].dropFirst().contains(":") else {
        return "the host of the address is malformed"
      }
      rest = rest[rest.index(after: end)...]
      guard rest.isEmpty || rest.hasPrefix(":") else { return "the host of the address is malformed" }
    } else {
      let host = rest.prefix { $0 != ":" }
      guard !host.isEmpty else { return "the address has no host" }
      guard host.allSatisfy({ $0.isLetter || $0.isNumber || "-._".contains($0) }) else {
        return "the host of the address is malformed"
      }
      rest = rest.dropFirst(host.count)
    }
    guard rest.hasPrefix(":") else { return nil }
    let port = rest.dropFirst()
    guard port.allSatisfy(\.isNumber), let number = Int(port), (1...65_535).contains(number) else {
      return "the port of the address must be a number from 1 to 65535"
    }
    return nil
  }
}

/// The rules for a backend's name: `[a-z][a-z0-9-]*`.
enum BackendName {
  static func isValid(_ name: String) -> Bool {
    PluginName.isValid(name) && name.utf8.first.map { $0 >= UInt8(ascii: "a") && $0 <= UInt8(ascii: "z") } == true
  }
}
