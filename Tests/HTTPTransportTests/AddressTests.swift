import BackendKit
import Testing

@testable import HTTPTransport

@Suite("Base address")
struct AddressTests {
  @Test(
    "Path and query are joined without a doubled slash",
    arguments: [
      ("http://h", "http://h/todos"), ("http://h/", "http://h/todos"), ("HTTP://H:80", "http://h/todos"),
      ("http://h:8080/api/v1///", "http://h:8080/api/v1/todos"), ("https://h:443/a%20b", "https://h/a%20b/todos"),
      ("http://[::1]:90", "http://[::1]:90/todos"), ("unix:///run/a.sock", "http+unix://%2Frun%2Fa.sock/todos"),
      ("http+unix://%2Frun%2Fa.sock/v1/", "http+unix://%2Frun%2Fa.sock/v1/todos"),
    ])
  func joined(text: String, expected: String) throws {
    #expect(try WebAddress(configured: text).address(of: read) == expected)
  }

  @Test("The base itself can be asked")
  func base() throws {
    let request = HTTPRequest("GET", .base, query: [("q", "1")], effect: .read)
    #expect(try WebAddress(configured: "http://h").address(of: request) == "http://h/?q=1")
    #expect(try WebAddress(configured: "http://h/api/").address(of: request) == "http://h/api?q=1")
    let slash = HTTPRequest("GET", RequestPath.base.ending(in: "/"), effect: .read)
    #expect(try WebAddress(configured: "http://h/api").address(of: slash) == "http://h/api/")
    #expect(try WebAddress(configured: "http://h").address(of: slash) == "http://h/")
  }

  @Test(
    "An address that a response has named is asked for on this server only",
    arguments: [
      ("things?page=2", "http://h/api/things?page=2"), ("/api/things?page=2", "http://h/api/things?page=2"),
      ("http://H:80/api/t?q=a+b%2B", "http://h/api/t?q=a+b%2B"), ("../other", "http://h/other"),
      ("https://h/api/things?page=2", "http://h/api/things?page=2"),
      ("http://inner:8000/api/things?page=2", "http://h/api/things?page=2"), ("http://inner/api/things/2", nil),
      ("http://h.example/api/t", nil), ("https://h/api/t", nil), ("http://h:81/api/t", nil), ("//evil/api/t", nil),
      ("http://h@evil/t", nil), ("http://", nil), ("a\r\nb", nil), ("file:///etc/passwd", nil),
    ])
  func links(text: String, expected: String?) throws {
    var request = HTTPRequest("GET", try RequestPath("things"), effect: .read)
    request.link = text
    let base = try WebAddress(configured: "http://h/api")
    guard let expected else {
      let error = #expect(throws: BackendError.self) { try base.address(of: request) }
      #expect(error?.effect == .rejected)
      return
    }
    #expect(try base.address(of: request) == expected)
  }

  @Test("A key in the query takes the place of the one that the server has put into an address")
  func keys() throws {
    var request = HTTPRequest("GET", try RequestPath("things"), query: [("key", "new")], effect: .read)
    request.link = "things?key=old&page=2&%6Bey=older"
    #expect(try WebAddress(configured: "http://h").address(of: request) == "http://h/things?page=2&key=new")
  }

  @Test(
    "What is wrong with an address is said",
    arguments: [
      ("", "begins with http"), ("example.org", "begins with http"), ("ftp://h", "begins with http"),
      ("http://", "no host"),
      ("http:///x", "no host"), ("http://h:0", "port"), ("http://h:70000", "port"), ("http://h:x", "port"),
      ("http://h:+8", "port"), ("http://h ost", "character"), ("http://h\u{F6}st", "character"),
      ("http://[::1", "host"),
      ("http://[zz::]", "host"), ("http://h/a?b=c", "query"), ("http://h/a#b", "query"),
      ("http://h/a//b", "double slash"),
      ("http://h/../b", "part"), ("http://h/a b", "spaces"), ("http://h/%2", "encoded"),
      ("unix:/run/a.sock", "absolute path"), ("unix://run/a.sock", "absolute path"),
      ("unix:///", "begins with a slash"),
      ("unix:///run/../a.sock", "begins with a slash"), ("unix:///run//a.sock", "begins with a slash"),
      ("unix:///run/a.sock/", "begins with a slash"), ("unix:///run/a%20b", "percent-encoded"),
      ("unix:///run/a?b=c", "percent-encoded"), ("unix:///run/\(String(repeating: "a", count: 103))", "107 bytes"),
      ("http+unix://run%2Fa.sock", "begins with a slash"), ("http+unix://%2Frun%2", "percent-encoding"),
      ("http+unix://a@%2Frun", "percent-encoding"), ("http+unix:%2Frun", "percent-encoding"),
      ("http+unix://%2Frun%00", "control"), ("https+unix://%2Frun", "TLS"),
    ])
  func refused(text: String, reason: String) {
    let error = #expect(throws: BackendError.self) { try WebAddress(configured: text) }
    #expect(error?.code == .misconfigured)
    #expect(error?.message.contains(reason) == true, "\(String(describing: error))")
    #expect(error?.message.contains("\"\(text)\"") == true)
  }

  @Test("User name and password in an address are refused and not repeated")
  func userInformation() {
    let error = #expect(throws: BackendError.self) { try WebAddress(configured: "http://zoe:pass@h/api") }
    #expect(error?.message.contains("user name or password") == true)
    #expect("\(String(describing: error))".contains("pass@") == false)
    #expect("\(String(describing: error))".contains("zoe") == false)
  }

  @Test("Hosts that are this machine", arguments: ["localhost", "a.localhost", "127.0.0.1", "127.9.9.9", "::1"])
  func loopback(host: String) {
    #expect(Origin(isSecure: false, host: host, port: 80).isLoopback)
  }

  @Test(
    "Hosts that are not", arguments: ["127.example.org", "localhost.org", "10.0.0.1", "128.0.0.1", "127.0.0.1.org"])
  func elsewhere(host: String) {
    #expect(!Origin(isSecure: false, host: host, port: 80).isLoopback)
  }
}
