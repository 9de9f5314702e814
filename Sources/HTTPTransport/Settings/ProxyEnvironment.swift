import BackendKit
import Glibc

/// Which proxy the environment names for a server.
///
/// As with curl: `http_proxy` counts in small letters only, because a web server hands a request's `Proxy` field to its
/// programs as `HTTP_PROXY`; the others count in both spellings, small letters first.
struct ProxyEnvironment {
  /// Reads a variable.
  let variable: (String) -> String?

  /// The environment of this process.
  static var process: ProxyEnvironment {
    ProxyEnvironment { name in getenv(name).map { String(cString: $0) } }
  }

  /// Reads the variables given.
  init(_ variables: [String: String]) { self.init { variables[$0] } }

  /// Reads each variable with a closure.
  init(variable: @escaping (String) -> String?) { self.variable = variable }

  /// The proxy for an origin, or nil to go there directly. Throws `misconfigured` where the one that is named cannot be
  /// used: going there directly could be what the proxy is to prevent.
  func proxy(for origin: Origin) throws(BackendError) -> ProxyServer? {
    if origin.isLoopback || isExempt(origin) { return nil }
    let own = origin.isSecure ? either("https_proxy") : set("http_proxy")
    guard let (name, value) = own ?? either("all_proxy") else { return nil }
    let proxy = ProxyServer(value)
    if let proxy { return proxy }
    let isSecure = value.lowercased().hasPrefix("https://")
    // The value may hold a password.
    throw BackendError(
      .misconfigured,
      isSecure
        ? "the proxy in the variable \(name) requires TLS, which is not supported for proxies"
        : "the variable \(name) does not name a usable proxy",
      effect: .notSent, hint: "write http://HOST:PORT or socks5://HOST:PORT, or exempt \(origin.host) in no_proxy")
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
