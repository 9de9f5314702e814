import BackendKit

/// A proxy as an environment variable names it.
struct ProxyServer: Sendable, Hashable {
  /// The protocol of the proxy.
  enum Kind: Sendable, Hashable { case http, socks }

  let kind: Kind
  let host: String
  let port: Int
  /// User name and password with a colon between, or nil for none.
  let credentials: String?

  /// The proxy in a text like `http://user:password@host:3128` or `host:3128`, or nil where it cannot be used.
  init?(_ text: String) {
    var rest = text[...]
    var kind = Kind.http
    if let mark = text.firstRange(ofText: "://") {
      switch text[..<mark.lowerBound].lowercased() {
      case "http": kind = .http
      case "socks", "socks5", "socks5h": kind = .socks
      default: return nil
      }
      rest = text[mark.upperBound...]
    }
    var authority = rest.prefix { $0 != "/" }
    var credentials: String?
    if let at = authority.lastIndex(of: "@") {
      credentials = ProxyServer.decode(authority[..<at])
      authority = authority[authority.index(after: at)...]
    }
    var address = "http://\(authority)"[...]
    guard let origin = try? Origin(takenFrom: &address) else { return nil }
    let hasPort = authority.last != "]" && authority.contains(":")
    self.kind = kind
    host = origin.host
    port = hasPort ? origin.port : 1080
    self.credentials = credentials
  }

  private static func decode(_ text: Substring) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), rest.count >= 2,
        let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The proxy as the library takes it, without its credentials. Names are resolved by a proxy that can.
  var address: String {
    (kind == .socks ? "socks5h://" : "http://") + (host.contains(":") ? "[\(host)]" : host) + ":\(port)"
  }
}
