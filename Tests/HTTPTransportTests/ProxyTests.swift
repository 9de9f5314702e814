import BackendKit
import BackendTransport
import Testing

@testable import HTTPTransport

@Suite("Proxies of the environment")
struct ProxyTests {
  private func proxy(_ address: String, _ variables: [String: String]) throws -> String? {
    let origin = try WebAddress(configured: address).origin
    return try ProxyEnvironment { variables[$0] }.proxy(for: origin).map { "\($0.kind) \($0.host):\($0.port)" }
  }

  @Test("Each scheme has its variable, and all_proxy stands in for both")
  func variables() throws {
    #expect(try proxy("http://h", ["http_proxy": "http://p:3128"]) == "http p:3128")
    #expect(try proxy("https://h", ["http_proxy": "http://p:3128"]) == nil)
    #expect(try proxy("https://h", ["HTTPS_PROXY": "p:3128/"]) == "http p:3128")
    #expect(try proxy("https://h", ["https_proxy": "a:1", "HTTPS_PROXY": "b:2"]) == "http a:1")
    #expect(try proxy("http://h", ["all_proxy": "socks5://p"]) == "socks p:1080")
    #expect(try proxy("http://h", ["http_proxy": ""]) == nil)
    #expect(try proxy("http://h", [:]) == nil)
  }

  @Test("HTTP_PROXY in capitals does not count")
  func capitals() throws {
    #expect(try proxy("http://h", ["HTTP_PROXY": "p:1"]) == nil)
    #expect(try proxy("http://h", ["ALL_PROXY": "p:1"]) == "http p:1")
  }

  @Test(
    "This machine is never reached through a proxy",
    arguments: ["http://localhost", "http://127.0.0.1:80", "http://[::1]"])
  func loopback(address: String) throws {
    #expect(try proxy(address, ["http_proxy": "p:1", "all_proxy": "p:1"]) == nil)
  }

  @Test(
    "no_proxy exempts hosts and domains",
    arguments: ["*", "h.org", "a, h.org", ".org", "org", "H.ORG", "h.org:80", "a,.h.org"])
  func exempt(list: String) throws {
    #expect(try proxy("http://h.org", ["http_proxy": "p:1", "no_proxy": list]) == nil)
  }

  @Test("no_proxy exempts nothing else", arguments: ["", ",", ".", "rg", "x.h.org", "h.org:81", "h.or"])
  func notExempt(list: String) throws {
    #expect(try proxy("http://h.org", ["http_proxy": "p:1", "no_proxy": list]) == "http p:1")
  }

  @Test(
    "no_proxy exempts the addresses of a network, and no names",
    arguments: [
      ("http://10.1.2.3", "a, 10.0.0.0/8", true), ("http://10.1.2.3", "10.1.2.3/32", true),
      ("http://10.200.0.1", "10.0.0.0/9", false), ("http://10.1.2.3", "0.0.0.0/0", true),
      ("http://10.1.2.3", "10.0.0.0/33", false), ("http://10.1.2.3", "10.0.0.0/-1", false),
      ("http://10.1.2.3", "::/0", false), ("http://[fd00::1]:8080", "fd00::/8", true),
      ("http://[fe00::1]", "fd00::/8", false), ("http://h.org", "0.0.0.0/0", false),
    ])
  func networks(address: String, list: String, isExempt: Bool) throws {
    #expect(try proxy(address, ["http_proxy": "p:1", "no_proxy": list]) == (isExempt ? nil : "http p:1"))
  }

  @Test(
    "A proxy that cannot be used is refused with its variable and without its value",
    arguments: [
      ("https_proxy", "https://ann:geheim@p:3128"),
      ("ALL_PROXY", "ftp://geheim"), ("https_proxy", "http://geheim:x"),
    ])
  func unusable(name: String, value: String) throws {
    let error = #expect(throws: BackendError.self) { try proxy("https://h.org", [name: value]) }
    #expect(error?.code == .misconfigured && error?.effect == .notSent)
    #expect(error?.message.contains("the variable \(name) ") == true)
    #expect(error.map { "\($0)".contains("geheim") } == false)
    #expect(error?.message.hasSuffix("requires TLS, which is not supported for proxies") == value.hasPrefix("https"))
    #expect(try proxy("https://h.org", [name: value, "no_proxy": "h.org"]) == nil)
    #expect(try proxy("https://127.0.0.1", [name: value]) == nil)
  }

  /// A server that first acts as a SOCKS proxy (RFC 1928, RFC 1929), and hears what it is asked: the user with the password, and the
  /// name and port of the server.
  private func socks(accepting login: String) throws -> (server: ScriptedServer, asked: Event) {
    let asked = Event()
    let server = try ScriptedServer { connection, _ in
      func text() -> String { String(decoding: connection.bytes(Int(connection.bytes(1).first ?? 0)), as: UTF8.self) }
      _ = connection.bytes(1)
      guard connection.bytes(Int(connection.bytes(1).first ?? 0)).contains(2) else { return asked.report("no login") }
      connection.write([5, 2])
      _ = connection.bytes(1)
      let given = "\(text()):\(text())"
      asked.report(given)
      connection.write([1, given == login ? 0 : 1])
      guard given == login, connection.bytes(4) == [5, 1, 0, 3] else { return }
      let name = text()
      asked.report("\(name) \(connection.bytes(2))")
      connection.write([5, 0, 0, 1, 0, 0, 0, 0, 0, 0])
      while connection.request() != nil { connection.write(ScriptedServer.answer()) }
    }
    return (server, asked)
  }

  private func client(_ proxy: ScriptedServer) throws -> HTTPTransport {
    try HTTPTransport(
      TransportSettings(address: "http://service.test"),
      environment: ProxyEnvironment { $0 == "all_proxy" ? "socks5://ann:p%40ss@127.0.0.1:\(proxy.port)" : nil })
  }

  @Test("A SOCKS proxy is told user name and password, and resolves the name of the server")
  func socks() async throws {
    let (proxy, asked) = try socks(accepting: "ann:p@ss")
    #expect(try await client(proxy).send(write).text() == "{}")
    #expect(await asked.wait() == "ann:p@ss")
    #expect(await asked.wait() == "service.test [0, 80]")
    #expect(proxy.requests.first?.contains("Host: service.test\r\n") == true)
  }

  @Test("A SOCKS proxy that does not accept the password has sent nothing on, and no message has the password")
  func socksRefusal() async throws {
    let (proxy, _) = try socks(accepting: "bob:other")
    let client = try client(proxy)
    let error = await failure { () throws(BackendError) in try await client.send(write) }
    #expect(error?.code == .unavailable && error?.effect == .notSent)
    #expect(error.map { "\($0)".contains("p@ss") || "\($0)".contains("p%40ss") } == false)
    #expect(proxy.requests == [])
  }

  @Test("A proxy's user name and password are decoded")
  func credentials() {
    let proxy = ProxyServer("http://ann:p%40ss@p:1")
    #expect(proxy?.credentials == "ann:p@ss")
    #expect(proxy?.host == "p")
  }
}
