import BackendKit
import Glibc

/// Determines the proxy that the environment names for a server.
///
/// As in curl, `http_proxy` counts in lowercase only, because a web server passes a request's `Proxy` field to its
/// programs as `HTTP_PROXY`; the others count in both spellings, lowercase first.
struct ProxyEnvironment: Sendable {
  let variable: @Sendable (String) -> String?

  static var process: ProxyEnvironment {
    ProxyEnvironment { name in getenv(name).map { String(cString: $0) } }
  }

  init(_ variables: [String: String]) { self.init { variables[$0] } }

  init(variable: @escaping @Sendable (String) -> String?) { self.variable = variable }

  /// The proxy for an origin, or nil for a direct connection. Throws `misconfigured` if the named proxy cannot be used:
  /// it may be there to prevent direct connections.
  func proxy(for origin: Origin) throws(BackendError) -> ProxyServer? {
    if origin.isLoopback || isExempt(origin) { return nil }
    let own = origin.isSecure ? either("https_proxy") : set("http_proxy")
    guard let (name, value) = own ?? either("all_proxy") else { return nil }
    let proxy = ProxyServer(value)
    if let proxy { return proxy }
    let isSecure = value.lowercased().hasPrefix("https://")
    // The value may hold a password.
    throw .misconfigured(
      isSecure
        ? "the proxy in the variable \(name) requires TLS, which is not supported for proxies"
        : "the variable \(name) does not name a usable proxy",
      hint: "write http://HOST:PORT or socks5://HOST:PORT, or exempt \(origin.host) in no_proxy")
  }

  private func isExempt(_ origin: Origin) -> Bool {
    guard let list = either("no_proxy")?.value else { return false }
    return list.split(whereSeparator: { $0 == "," || $0 == " " }).contains { entry in
      if entry == "*" { return true }
      if let network = Network(entry) { return network.contains(origin.host) }
      var name = entry.lowercased()[...]
      if let colon = name.lastIndex(of: ":"), let port = Int(name[name.index(after: colon)...]),
        name.filter({ $0 == ":" }).count == 1
      {
        guard port == origin.port else { return false }
        name = name[..<colon]
      }
      while name.first == "." { name = name.dropFirst() }
      return !name.isEmpty && (origin.host == name || origin.host.hasSuffix(".\(name)"))
    }
  }

  private func either(_ name: String) -> (name: String, value: String)? { set(name) ?? set(name.uppercased()) }

  private func set(_ name: String) -> (name: String, value: String)? {
    guard let value = variable(name), !value.isEmpty else { return nil }
    return (name, value)
  }
}
