import BackendKit
import BackendTransport
import Foundation
import TestSupport
import Testing

@testable import HTTPTransport

/// Logins by a form with a token against forged requests.
@Suite("Form logins") struct FormLoginTests {
  /// The configured login for each service.
  static let logins: [String: String] = [
    "django": #"""
    {"kind": "login", "request": {"path": "login/", "form": {"username": "$username", "password": "$password"}}, "cookie": "sessionid",
     "csrf": {"path": "login/", "cookie": "csrftoken", "header": "X-CSRFToken"}, "rejections": ["credentials were not provided"],
     "logout": {"method": "POST", "path": "logout"}}
    """#,
    "flask": #"""
    {"kind": "login", "cookie": "session", "csrf": {"path": "login/", "field": "csrf_token", "header": "X-CSRFToken", "rejections": ["CSRF token"]},
     "request": {"path": "login/", "form": {"username": "$username", "password": "$password", "csrf_token": "$csrf"}}}
    """#,
    "json": #"""
    {"kind": "login", "request": {"path": "login/", "form": {"username": "$username", "password": "$password"}}, "cookie": "sessionid",
     "csrf": {"path": "token", "member": "result.csrf", "header": "X-CSRFToken"}}
    """#,
    "ticket": #"""
    {"kind": "login", "request": {"path": "login/", "form": {"username": "$username", "password": "$password"}}, "cookie": "session",
     "response": {"token": "data.ticket"}, "csrf": {"member": "data.token", "header": "X-CSRFToken"}}
    """#,
  ]
  private let secrets = Secrets()

  private func client(
    _ server: PythonServer, _ mode: String, as login: String? = nil, password: String = "s3cret",
    _ change: (inout TransportSettings) -> Void = { _ in }
  ) throws -> HTTPTransport {
    let scheme = try LoginScheme(reading: try JSONReader.read(Self.logins[login ?? mode] ?? ""))
    return try transport("\(server.address)/\(mode)") { settings in
      settings.login = scheme
      settings.give([.username: "ana", .password: password])
      settings.keepSecret = { [secrets] in secrets.add($0) }
      change(&settings)
    }
  }

  /// Returns the requests sent since the last call.
  private func log(_ server: PythonServer) async throws -> [String] {
    let text = try await transport(server.address).send(HTTPRequest("GET", try RequestPath("log"), effect: .read))
      .text()
    return try JSONReader.read(text).array?.compactMap(\.text) ?? []
  }

  private func tell(_ server: PythonServer, _ mode: String, _ what: String) async throws {
    let request = HTTPRequest("POST", try RequestPath(mode, what), effect: .session)
    #expect(try await transport(server.address).send(request).status == 200)
    _ = try await log(server)
  }

  @Test("a session is a cookie, and writes carry the token", arguments: ["django", "flask", "json", "ticket"])
  func session(mode: String) async throws {
    let server = try await PythonServer("Server/forms.py")
    let client = try client(server, mode)
    #expect(try await client.send(read).status == 200)
    #expect(try await client.send(write).status == 201)
    #expect(try await client.send(replace).status == 201)
    let page = ["GET /\(mode)/login/ 200"]
    let start: [String] =
      switch mode {
      case "json": ["POST /json/login/ 302", "GET /json/token 200"]
      case "ticket": ["POST /ticket/login/ 200"]
      default: page + ["POST /\(mode)/login/ 302"]
      }
    let rest = ["GET /\(mode)/todos 200", "POST /\(mode)/todos 201", "PUT /\(mode)/todos 201"]
    #expect(try await log(server) == start + rest)
    #expect(client.loggedIn?.username == "ana")
    #expect(secrets.all.contains { $0.hasPrefix("s3ssion") } && secrets.all.contains { $0.hasPrefix("t") })
    #expect(!secrets.all.contains("en"))
  }

  @Test(
    "a token that is refused is renewed once, and the write sent again",
    arguments: ["django", "flask", "json", "ticket"])
  func renewed(mode: String) async throws {
    let server = try await PythonServer("Server/forms.py")
    let client = try client(server, mode)
    #expect(try await client.send(read).status == 200)
    try await tell(server, mode, "expire")
    #expect(try await client.send(write).status == 201)
    let sent = try await log(server)
    let refused = mode == "flask" ? "400" : "403"
    #expect(sent.first == "POST /\(mode)/todos \(refused)" && sent.last == "POST /\(mode)/todos 201", "\(sent)")
    #expect(sent.count { $0.hasPrefix("POST /\(mode)/todos") } == 2)
    #expect(sent.contains { $0.contains("/login/") } == (mode != "json"))
    #expect(sent.contains { $0.hasPrefix("POST /\(mode)/login/") } == (mode == "ticket"))
  }

  @Test("a service that refuses every token is asked for one more and no further")
  func stubborn() async throws {
    let server = try await PythonServer("Server/forms.py")
    let client = try client(server, "json")
    #expect(try await client.send(read).status == 200)
    try await tell(server, "json", "stubborn")
    #expect(try await client.send(write).status == 403)
    #expect(try await log(server) == ["POST /json/todos 403", "GET /json/token 200", "POST /json/todos 403"])
  }

  @Test(
    "a session that has ended is begun anew: after a 401, a 403 that says so, and for a read that is led to the login",
    arguments: ["django", "flask", "json", "ticket"])
  func ended(mode: String) async throws {
    let server = try await PythonServer("Server/forms.py")
    let client = try client(server, mode)
    #expect(try await client.send(read).status == 200)
    try await tell(server, mode, "end")
    #expect(try await client.send(read).status == 200)
    let sent = try await log(server)
    #expect(
      sent.count { $0.hasPrefix("POST /\(mode)/login/") } == 1 && sent.last == "GET /\(mode)/todos 200", "\(sent)")
    try await tell(server, mode, "end")
    // The target of a write's redirect does not tell whether the write was done.
    #expect(try await client.send(write).status == (mode == "flask" ? 302 : 201))
    #expect(try await log(server).count { $0.hasPrefix("POST /\(mode)/todos") } == (mode == "flask" ? 1 : 2))
    // The next one has another session.
    #expect(try await client.send(write).status == 201)
    #expect(try await log(server).contains { $0.hasPrefix("POST /\(mode)/login/") } == (mode == "flask"))
  }

  @Test(
    "a refusal of a value that has the word in it is none of the token, and is passed on as it is",
    arguments: ["400 Bad Request", "422 Unprocessable"])
  func echoed(status: String) async throws {
    let words = #"{"message":"csrf is no title"}"#
    let server = try ScriptedServer { request in
      request.hasPrefix("POST /login")
        ? ScriptedServer.answer(body: #"{"access_token":"t","token":"c"}"#) : ScriptedServer.answer(status, body: words)
    }
    let scheme = try LoginScheme(
      reading: try JSONReader.read(
        #"{"kind": "login", "request": {"path": "login", "json": {"n": "$username", "p": "$password"}}, "csrf": {"member": "token", "header": "X-CSRFToken"}}"#
      ))
    let client = try transport(server.address) { settings in
      settings.login = scheme
      settings.give([.username: "ana", .password: "s3cret"])
    }
    #expect(try await client.send(write).text() == words)
    #expect(server.requests.count == 2 && server.requests.last?.contains("\r\nX-CSRFToken: c\r\n") == true)
  }

  @Test(
    "a wrong password is a refusal, however the form says so, and not tried again",
    arguments: ["django", "flask", "json", "ticket"])
  func refused(mode: String) async throws {
    let server = try await PythonServer("Server/forms.py")
    let client = try client(server, mode, password: UUID().uuidString)
    for _ in 1...2 {
      let error = await failure { () throws(BackendError) in try await client.send(read) }
      #expect(error?.code == .unauthorized, "\(String(describing: error))")
    }
    #expect(try await log(server).count { $0.hasPrefix("POST /\(mode)/login/") } == 1)
  }

  @Test("a page without the token, and a token for another host, end the login before the password is sent")
  func missing() async throws {
    let server = try await PythonServer("Server/forms.py")
    for (mode, login, words) in [
      ("broken", "flask", "the field csrf_token is missing"), ("foreign", "django", "the cookie csrftoken is missing"),
    ] {
      let client = try client(server, mode, as: login)
      let error = await failure { () throws(BackendError) in try await client.send(write) }
      #expect(error?.code == .badResponse && error?.effect == .notSent)
      #expect(error?.message == "\(server.address) returns no CSRF token at /login/: \(words)")
      #expect(try await log(server) == ["GET /\(mode)/login/ 200"])
    }
  }

  @Test("a page that leads to another server is not followed there")
  func foreignPage() async throws {
    let other = try ScriptedServer { _ in ScriptedServer.answer("200 OK", "Set-Cookie: csrftoken=stolen") }
    let server = try ScriptedServer { _ in ScriptedServer.answer("302 Found", "Location: \(other.address)/login/") }
    let scheme = try LoginScheme(reading: try JSONReader.read(Self.logins["django"] ?? ""))
    let client = try transport(server.address) { settings in
      settings.login = scheme
      settings.give([.username: "ana", .password: "s3cret"])
    }
    let error = await failure { () throws(BackendError) in try await client.send(read) }
    #expect(error?.message == "\(server.address) redirects to another server, \(other.address)/login/")
    #expect(other.connections == 0 && server.requests.count == 1)
  }

  @Test("a later run goes on with the session and its token, and a logout takes the token along")
  func kept() async throws {
    let server = try await PythonServer("Server/forms.py")
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let file = folder.path + "/state/token"
    #expect(try await client(server, "django", { $0.tokenFile = file }).send(read).status == 200)
    _ = try await log(server)
    let second = try client(server, "django") { settings in
      settings.tokenFile = file
      settings.credentials = nil
    }
    #expect(try await second.send(write).status == 201)
    #expect(try await second.logout())
    #expect(try await log(server) == ["POST /django/todos 201", "POST /django/logout 302"])
    #expect(second.loggedIn == nil && !FileManager.default.fileExists(atPath: file))
  }

  @Test("cookies are taken as a browser takes those of one host")
  func cookies() {
    let origin = Origin(isSecure: false, host: "a.example.org", port: 80)
    var cookies = SessionCookies()
    let fields = [
      "a=1; Domain=.example.org", "b=2; Domain=org.evil", "c=3; Secure", "d=4; Max-Age=0",
      "e=5; Expires=Thu, 01 Jan 1970 00:00:00 GMT",
      "f=\"x=y\"; path=/x", "no", "=6", "g=7\u{7}", "h h=8", "i=9; Expires=Fri, 31 Dec 9999 23:59:59 GMT; Max-Age=60",
    ]
    cookies.take(
      HTTPResponse(status: 200, headers: fields.map { ("SET-cookie", $0) }, body: HTTPBody(whole: [])), from: origin,
      now: 1_000)
    #expect(cookies.text == "a=1; f=\"x=y\"; i=9")
    cookies.take(
      HTTPResponse(status: 200, headers: [("Set-Cookie", "a=; Max-Age=-1")], body: HTTPBody(whole: [])), from: origin,
      now: 1_000)
    #expect(cookies["a"] == nil)
  }

  @Test(
    "fields of a page are found however they are written",
    arguments: [
      ("<input name='t' value='a'>", "a"), ("<INPUT VALUE=\"a\" NAME=t>", "a"), ("<meta name=t content=a/>", "a/"),
      ("<input name=t value='&lt;&#x41;&#66;&amp;&nope;&'>", "<AB&&nope;&"),
      ("<!-- <input name=t value=old> --><input name=t value=new>", "new"),
      ("<inputs name=t value=a>", nil), ("<input name=t", nil), ("<input name=t value='a", "a"),
      ("<input name=t value=a name=u>", "a"),
      ("<!-- <input name=t value=a>", nil),
    ])
  func fields(page: String, expected: String?) { #expect(PageField.value(of: "t", in: Array(page.utf8)) == expected) }
}
