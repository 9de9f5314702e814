/// Scheme, host and port, or a socket of this machine: what tells servers apart.
public struct Origin: Sendable, Hashable, CustomStringConvertible {
  /// True if the scheme is `https`.
  public let isSecure: Bool
  /// The host in small letters, an IPv6 address without its brackets.
  public let host: String
  /// The port, also where it is the scheme's usual one.
  public let port: Int
  /// The path of the socket; nil for a server that is reached through the network.
  public let socket: String?

  /// The origin of a server that is reached through the network.
  public init(isSecure: Bool, host: String, port: Int) {
    (self.isSecure, self.host, self.port, socket) = (isSecure, host, port, nil)
  }

  /// Takes the origin from the beginning of an address; of `unix:///run/service.sock` all of it. A server at a socket
  /// is told that it is `localhost`.
  public init(takenFrom address: inout Substring) throws(WebAddress.Fault) {
    if let socket = try SocketPath.take(from: &address) {
      (isSecure, host, port, self.socket) = (false, "localhost", 80, socket)
      return
    }
    let lower = address.prefix(8).lowercased()
    isSecure = lower.hasPrefix("https://")
    guard isSecure || lower.hasPrefix("http://") else {
      throw WebAddress.Fault("an address begins with http://, https:// or unix:///")
    }
    address = address.dropFirst(isSecure ? 8 : 7)
    var authority = address.prefix { !"/?#".contains($0) }
    address = address[authority.endIndex...]
    guard !authority.contains("@") else {
      throw WebAddress.Fault("an address cannot contain a user name or password", isSecret: true)
    }
    socket = nil
    host = try Self.takeHost(&authority)
    port = try Self.port(authority, usual: isSecure ? 443 : 80)
  }

  /// The origin as an address, the usual port left out.
  public var description: String { socket.flatMap(SocketPath.plain) ?? address }

  /// The same, so that a path can follow.
  public var address: String {
    socket.map(SocketPath.encoded) ?? (port == (isSecure ? 443 : 80) ? server : "\(server):\(port)")
  }

  /// The same with its port, whichever that is.
  public var withPort: String { socket.map(SocketPath.encoded) ?? "\(server):\(port)" }

  /// The address of a path, which is empty or begins with a slash.
  public func address(of path: String) -> String { path.isEmpty ? description : address + path }

  /// Returns whether an address written by this server leads to the server itself: to its own origin or, from a socket,
  /// to the host that requests name.
  public func isOwn(_ other: Origin) -> Bool {
    other == self || socket != nil && other == Origin(isSecure: isSecure, host: host, port: port)
  }

  private var server: String {
    (isSecure ? "https://" : "http://") + (host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host)
  }

  /// True if the host is this machine.
  public var isLoopback: Bool {
    if host == "localhost" || host.hasSuffix(".localhost") || host == "::1" { return true }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
  }

  /// True if no one on the way to the server can read what is sent.
  public var isPrivate: Bool { isSecure || isLoopback }

  private static func takeHost(_ authority: inout Substring) throws(WebAddress.Fault) -> String {
    if authority.first == "[" {
      guard let end = authority.firstIndex(of: "]"),
        case let host = authority[authority.index(after: authority.startIndex)..<end], host.contains(":"),
        host.allSatisfy({ $0.isHexDigit || $0 == ":" || $0 == "." })
      else { throw WebAddress.Fault("the host of the address is malformed") }
      authority = authority[authority.index(after: end)...]
      return host.lowercased()
    }
    let host = authority.prefix { $0 != ":" }
    guard !host.isEmpty else { throw WebAddress.Fault("the address has no host") }
    guard host.utf8.allSatisfy(isHostByte) else { throw WebAddress.Fault("the host of the address is malformed") }
    authority = authority[host.endIndex...]
    return host.lowercased()
  }

  private static func isHostByte(_ byte: UInt8) -> Bool {
    byte.isLetterOrDigit || [0x2D, 0x2E, 0x5F].contains(byte)
  }

  private static func port(_ text: Substring, usual: Int) throws(WebAddress.Fault) -> Int {
    if text.isEmpty { return usual }
    let digits = text.dropFirst()
    guard text.first == ":", let port = UInt16(digits), port > 0, digits.first != "+" else {
      throw WebAddress.Fault("the port of the address must be a number from 1 to 65535")
    }
    return Int(port)
  }
}
