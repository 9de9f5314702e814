import BackendKit
import BackendTransport
import Files
import Testing

@testable import ConsoleSetup

@Suite("Marks of connections that are not safe") struct ConnectionMarkTests {
  private func backend(_ url: String, _ change: (inout BackendConfiguration) -> Void = { _ in }) -> BackendConfiguration
  {
    var backend = BackendConfiguration(name: "b", plugin: "p", url: url)
    change(&backend)
    return backend
  }

  private func insecure(_ backend: inout BackendConfiguration) {
    var tls = TLSSettings()
    tls.insecure = true
    backend.tls = tls
  }

  private static let remote = [
    "http://h", "http://h:8080/x", "http://128.0.0.1", "http://127.0.0.1.example.org", "http://[::2]",
  ]
  private static let local = [
    "http://localhost", "http://127.0.0.1:8080/x", "http://a.localhost", "http://[::1]:8080", "https://localhost",
    "demo:grails",
  ]

  @Test("a server that is not verified is marked, unless it is this machine") func unverified() {
    #expect(backend("https://h", insecure).connectionMark(isLoggedIn: false) == "server not verified")
    #expect(backend("https://h").connectionMark(isLoggedIn: true) == nil)
    for url in Self.local { #expect(backend(url, insecure).connectionMark(isLoggedIn: true) == nil, "\(url)") }
  }

  @Test("secrets over plain http are marked, unless the server is this machine", arguments: [0, 1, 2, 3, 4])
  func unencrypted(kind: Int) {
    let credentials = Credentials([.username: .literal("a"), .password: .environment("X")])
    let change: (inout BackendConfiguration) -> Void = { backend in
      switch kind {
      case 0: backend.credentials = credentials
      case 1: backend.headers = [("X-Team", .environment("X"))]
      case 2: backend.headers = [("X-Api-Key", .literal("x"))]
      case 3: backend.options["apiKey"] = .string("x")
      default: break
      }
    }
    for url in Self.remote {
      #expect(backend(url, change).connectionMark(isLoggedIn: kind == 4) == "not encrypted", "\(url)")
      #expect(backend(url).connectionMark(isLoggedIn: false) == nil)
    }
    for url in Self.local { #expect(backend(url, change).connectionMark(isLoggedIn: kind == 4) == nil, "\(url)") }
  }

  @Test("the digest of a key is read in the spellings that tools print") func pins() {
    let digits = "00ff" + String(repeating: "a1", count: 30)
    let colons = stride(from: 0, to: 64, by: 2).map { start in
      String(digits.dropFirst(start).prefix(2)).uppercased()
    }.joined(separator: ":")
    let base64 = Base64.encode([0, 255] + [UInt8](repeating: 0xA1, count: 30))
    for text in [
      digits, digits.uppercased(), colons, base64, "sha256//\(base64)", "SHA256:\(base64.dropLast())",
      "sha256:\(digits)",
    ] {
      #expect(KeyPin.digest(text) == digits, "\(text)")
    }
    for text in [
      "", "abc", String(digits.dropLast()), digits + "a", "sha1//" + base64, base64 + "=",
      String(repeating: "g", count: 64),
    ] {
      #expect(KeyPin.digest(text) == nil, "\(text)")
    }
  }
}
