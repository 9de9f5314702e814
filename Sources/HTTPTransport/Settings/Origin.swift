import BackendKit

/// Scheme, host and port: what has to be the same for a redirect to be followed.
struct Origin: Sendable, Hashable, CustomStringConvertible {
  /// Whether the scheme is `https`.
  let isSecure: Bool
  /// The host in small letters, an IPv6 address without its brackets.
  let host: String
  /// The port, also where it is the scheme's usual one.
  let port: Int

  /// The origin as an address, the usual port left out.
  var description: String {
    let name = host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host
    let usual = isSecure ? 443 : 80
    return (isSecure ? "https://" : "http://") + name + (port == usual ? "" : ":\(port)")
  }

  /// Whether the host is this machine itself.
  var isLoopback: Bool {
    if host == "localhost" || host.hasSuffix(".localhost") || host == "::1" { return true }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
  }

  init(isSecure: Bool, host: String, port: Int) {
    self.isSecure = isSecure
    self.host = host
    self.port = port
  }

  /// The origin at the beginning of an address; throws a reason that does not repeat the address.
  init(_ address: inout Substring) throws(BaseAddress.Fault) {
    let lower = address.prefix(8).lowercased()
    if lower.hasPrefix("http://") {
      isSecure = false
      address = address.dropFirst(7)
    } else if lower.hasPrefix("https://") {
      isSecure = true
      address = address.dropFirst(8)
    } else {
      throw BaseAddress.Fault("it must begin with http:// or https://")
    }
    var authority = address.prefix { !"/?#".contains($0) }
    address = address[authority.endIndex...]
    guard !authority.contains("@") else {
      throw BaseAddress.Fault("it must not hold a user name or password", isSecret: true)
    }
    host = try Origin.takeHost(&authority)
    port = try Origin.port(authority, usual: isSecure ? 443 : 80)
  }

  private static func takeHost(_ authority: inout Substring) throws(BaseAddress.Fault) -> String {
    if authority.first == "[" {
      guard let end = authority.firstIndex(of: "]") else { throw BaseAddress.Fault("its IPv6 address is not closed") }
      let host = authority[authority.index(after: authority.startIndex)..<end]
      guard host.contains(":"), host.allSatisfy({ $0.isHexDigit || $0 == ":" || $0 == "." }) else {
        throw BaseAddress.Fault("its IPv6 address is malformed")
      }
      authority = authority[authority.index(after: end)...]
      return host.lowercased()
    }
    let host = authority.prefix { $0 != ":" }
    guard !host.isEmpty else { throw BaseAddress.Fault("it has no host") }
    guard host.utf8.allSatisfy(isHostByte) else {
      throw BaseAddress.Fault("its host holds a character no host can have")
    }
    authority = authority[host.endIndex...]
    return host.lowercased()
  }

  private static func isHostByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
    default: false
    }
  }

  private static func port(_ text: Substring, usual: Int) throws(BaseAddress.Fault) -> Int {
    if text.isEmpty { return usual }
    let digits = text.dropFirst()
    guard text.first == ":", let port = UInt16(digits), port > 0, digits.first != "+" else {
      throw BaseAddress.Fault("its port must be a number from 1 to 65535")
    }
    return Int(port)
  }
}
