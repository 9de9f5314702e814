import BackendKit
import BackendTransport
import CCurl

/// The way to one server: what all requests to it have in common.
final class Way: Sendable {
  let origin: Origin
  let proxy: ProxyServer?
  let tls: TLSMaterial
  let connect: Duration
  let decompressionRatio: Int
  /// The maximum number of connections to the server at once.
  let maxConcurrent: Int
  /// True if several requests may share a connection, as the server says.
  let usesHTTP2: Bool

  init(
    origin: Origin, proxy: ProxyServer?, tls: TLSMaterial, connect: Duration, decompressionRatio: Int,
    maxConcurrent: Int, usesHTTP2: Bool = false
  ) {
    (self.origin, self.proxy, self.tls, self.connect) = (origin, proxy, tls, connect)
    (self.decompressionRatio, self.maxConcurrent, self.usesHTTP2) = (decompressionRatio, maxConcurrent, usesHTTP2)
  }

  /// Sets what all requests of a handle to the server have in common.
  func prepare(_ handle: UnsafeMutableRawPointer) -> Bool {
    var isSet = true
    func number(_ option: CURLoption, _ number: Int) { isSet = cc_set_number(handle, option, Int64(number)) && isSet }
    func text(_ option: CURLoption, _ text: String) { isSet = cc_set_text(handle, option, text) && isSet }
    number(CURLOPT_NOSIGNAL, 1)
    number(CURLOPT_PATH_AS_IS, 1)
    number(CURLOPT_PROTOCOLS, 1 << 0 | 1 << 1)  // http, https
    number(CURLOPT_HTTP_VERSION, usesHTTP2 ? 4 : 2)  // 2 over TLS, or 1.1
    if usesHTTP2 {
      // Wait for a connection that is being made, which may take the request, too.
      number(CURLOPT_PIPEWAIT, 1)
      cc_report_refusals(handle)
    }
    number(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    number(CURLOPT_CONNECTTIMEOUT_MS, connect.milliseconds)
    // Below the shortest time after which common servers close (4 to 5 s).
    number(CURLOPT_MAXAGE_CONN, 3)
    // Set even where there is none: the library would look into the environment itself.
    text(CURLOPT_PROXY, proxy?.address ?? "")
    text(CURLOPT_NOPROXY, "")
    if let proxy, let credentials = proxy.credentials {
      text(CURLOPT_PROXYUSERNAME, String(credentials.prefix { $0 != ":" }))
      text(CURLOPT_PROXYPASSWORD, String(credentials.drop { $0 != ":" }.dropFirst()))
    }
    if let socket = origin.socket { text(CURLOPT_UNIX_SOCKET_PATH, socket) }
    return origin.isSecure ? tls.prepare(handle) && isSet : isSet
  }
}

extension Duration {
  /// The whole milliseconds in it, at least one and at most a year's.
  var milliseconds: Int {
    let (seconds, attoseconds) = components
    guard seconds < 365 * 86_400 else { return 365 * 86_400_000 }
    return max(1, Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000))
  }
}
