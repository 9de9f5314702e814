import BackendKit

/// A proxy as an environment variable names it.
struct ProxyServer: Sendable, Hashable {
  enum Kind: Sendable, Hashable { case http, socks }

  let kind: Kind
  let host: String
  let port: Int
  /// User name and password joined by a colon.
  let credentials: String?

  /// The proxy in a text like `http://user:password@host:3128` or `host:3128`, or nil if it cannot be used.
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
      credentials = PercentEncoding.bytes(authority[..<at], isLenient: true).map { String(decoding: $0, as: UTF8.self) }
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

  /// The proxy in the library's form, without its credentials. Proxies that can resolve names do.
  var address: String {
    (kind == .socks ? "socks5h://" : "http://") + (host.contains(":") ? "[\(host)]" : host) + ":\(port)"
  }
}
