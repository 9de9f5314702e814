import BackendKit
import BackendTransport
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import HTTPTransport

@Suite("Login")
struct LoginTests {
  static let scheme: LoginScheme = {
    let login = (try? RequestPath("login")) ?? .base
    let form = Object([("grant_type", "password"), ("username", "$username"), ("password", "$password")])
    let logout = Object([("token", "$token"), ("type", "bearer")])
    return LoginScheme(
      .login(
        LoginScheme.TokenLogin(
          .init("POST", login, query: ["options": "session"], body: .form(form)),
          response: LoginScheme.TokenResponse(slidingWindow: "sliding_window", refreshToken: nil),
          place: .header("Authorization", prefix: "bearer"), logout: .init("DELETE", login, body: .json(logout)))),
      rejections: ["invalid_token"], identity: .init("GET", login), identityFields: ["userName", "email"])
  }()

  /// A service whose tokens are t1, t2 and so on; only the newest is good, unless `takes` says otherwise.
  func service(
    login: @escaping @Sendable (Int) -> String = { token($0, #""expires_in":7200"#) },
    takes: @escaping @Sendable (String) -> Bool = { _ in true }
  ) throws -> ScriptedServer {
    let logins = Mutex(0)
    return try ScriptedServer { request in
      if request.hasPrefix("POST /login") {
        let number = logins.withLock { count in
          count += 1
          return count
        }
        return login(number)
      }
      if request.hasPrefix("DELETE /login") { return "HTTP/1.1 204 No Content\r\n\r\n" }
      if request.hasPrefix("GET /login") {
        return ScriptedServer.answer(body: #"{"email":"z@h","roles":[],"userName":"zoe"}"#)
      }
      let number = logins.withLock { $0 }
      guard request.contains("\r\nAuthorization: bearer t\(number)\r\n"), takes(request) else {
        return ScriptedServer.answer("401 Unauthorized", body: #"{"details":"invalid_token"}"#)
      }
      return ScriptedServer.answer(body: "[]")
    }
  }

  static func token(_ number: Int, _ rest: String) -> String {
    ScriptedServer.answer("201 Created", body: #"{"access_token":"t\#(number)","token_type":"bearer",\#(rest)}"#)
  }

  func client(
    _ server: ScriptedServer, password: String = UUID().uuidString,
    _ change: (inout TransportSettings) -> Void = { _ in }
  ) throws -> HTTPTransport {
    try transport(server.address) { settings in
      settings.login = LoginTests.scheme
      settings.give([.username: "zoe", .password: password])
      change(&settings)
    }
  }

  func logins(_ server: ScriptedServer) -> Int {
    server.requests.count { $0.hasPrefix("POST /login") }
  }

  @Test("The first request logs in with a form, the next use the token")
  func first() async throws {
    let server = try service()
    let transport = try client(server, password: "a&b c")
    for _ in 1...3 { #expect(try await transport.send(read).status == 200) }
    #expect(server.requests.count == 4)
    let login = try #require(server.requests.first)
    #expect(login.hasPrefix("POST /login?options=session HTTP/1.1\r\n"))
    #expect(login.contains("\r\nContent-Type: application/x-www-form-urlencoded\r\n"))
    #expect(login.hasSuffix("\r\n\r\ngrant_type=password&username=zoe&password=a%26b%20c"))
    #expect(!login.contains("Authorization"))
  }

  @Test("Requests that come together log in once")
  func together() async throws {
    let server = try service()
    let transport = try client(server)
    await withTaskGroup { group in
      for _ in 1...8 { group.addTask { #expect((try? await transport.send(read).status) == 200) } }
    }
    #expect(logins(server) == 1)
  }

  @Test("A rejected token is renewed once, and the request sent once more", arguments: [read, write])
  func renewed(request: HTTPRequest) async throws {
    let server = try service(takes: { $0.contains("bearer t2") })
    #expect(try await client(server).send(request).text() == "[]")
    #expect(logins(server) == 2)
    #expect(server.requests.count == 4)
  }

  @Test("A token that is rejected again is not renewed again")
  func renewedOnce() async throws {
    let server = try service(takes: { _ in false })
    let answer = try await client(server).send(read)
    #expect(answer.status == 401)
    #expect(try await answer.text() == #"{"details":"invalid_token"}"#)
    #expect(logins(server) == 2)
    #expect(server.requests.count == 4)
  }

  @Test("A refusal that does not speak of the token keeps it")
  func otherRefusal() async throws {
    let server = try ScriptedServer { request in
      request.hasPrefix("POST /login")
        ? LoginTests.token(1, #""expires_in":7200"#) : ScriptedServer.answer("401 Unauthorized", body: "no")
    }
    let transport = try client(server)
    for _ in 1...2 { #expect(try await transport.send(read).text() == "no") }
    #expect(logins(server) == 1)
    #expect(transport.loggedIn != nil)
  }

  @Test("A rejection in WWW-Authenticate counts")
  func rejectedInField() async throws {
    let server = try ScriptedServer { request in
      if request.hasPrefix("POST /login") { return LoginTests.token(1, #""expires_in":7200"#) }
      return ScriptedServer.answer("401 Unauthorized", #"WWW-Authenticate: Bearer error="invalid_token""#, body: "")
    }
    #expect(try await client(server).send(read).status == 401)
    #expect(logins(server) == 2)
  }

  @Test(
    "A refused login is not tried again, by no transport of the process",
    arguments: [
      ("400 Bad Request", "error"), ("401 Unauthorized", "error"), ("422 Unprocessable", "error"),
      ("423 Locked", "error"), ("200 OK", "error"), ("200 OK", "code"),
    ])
  func refused(status: String, member: String) async throws {
    let server = try service(login: { _ in
      ScriptedServer.answer(status, body: #"{"\#(member)":"invalid_grant","error_description":"User is locked."}"#)
    })
    let password = UUID().uuidString
    for _ in 1...3 {
      let transport = try client(server, password: password)
      let error = await failure { () throws(BackendError) in try await transport.send(write) }
      #expect(error?.code == .unauthorized && error?.effect == .notSent)
      #expect("\(String(describing: error))".contains(password) == false)
    }
    #expect(server.requests.count == 1)
  }

  @Test("The server's words stand in the error of a login without a token")
  func withoutToken() async throws {
    let server = try service(login: { _ in ScriptedServer.answer(body: #"{"ok":false,"message":"wrong password"}"#) })
    let transport = try client(server)
    let error = await failure { () throws(BackendError) in try await transport.send(read) }
    #expect(error?.message == "\(server.address) responded to the login without a token: wrong password")
    #expect(error?.hint == "check user name and password; the token is expected as access_token")
  }

  @Test("A login that gets no response has sent nothing of the request", arguments: [read, write])
  func lost(request: HTTPRequest) async throws {
    let server = try ScriptedServer { connection, _ in _ = connection.request() }
    let transport = try client(server)
    let error = await failure { () throws(BackendError) in try await transport.send(request) }
    #expect(error?.code == .unavailable && error?.effect == .notSent)
    #expect(server.requests.allSatisfy { $0.hasPrefix("POST /login") })
  }

  @Test("A login that has to wait says for how long")
  func busy() async throws {
    let server = try service(login: { _ in ScriptedServer.answer("429 Too Many", "Retry-After: 60") })
    let transport = try client(server)
    let error = await failure { () throws(BackendError) in try await transport.send(write) }
    #expect(error?.code == .rateLimited && error?.effect == .notSent)
    #expect(error?.retryAfter == 60 && error?.hint == "retry after 60 s")
  }

  @Test(
    "Who is logged in is what the server says: a status other than 401 is not that nobody is", arguments: [403, 404])
  func unknownIdentity(status: Int) async throws {
    let server = try ScriptedServer { request in
      request.hasPrefix("POST /login")
        ? LoginTests.token(1, #""expires_in":7200"#)
        : ScriptedServer.answer("\(status) Whatever", body: #"{"message":"not here"}"#)
    }
    let transport = try client(server) { $0.credentials = nil }
    let nobody = await failure { () throws(BackendError) in try await transport.identity() }
    #expect(nobody?.code == .unauthorized && nobody?.message == "not logged in at \(server.address)")
    _ = try await transport.login(username: "zoe", password: "p")
    let error = await failure { () throws(BackendError) in try await transport.identity() }
    #expect(
      error?.message == "\(server.address) responded with status \(status) when asked who is logged in: not here")
  }

  @Test("A login that the server could not answer may be tried again")
  func unanswered() async throws {
    let server = try service(login: { number in
      number == 1 ? ScriptedServer.answer("502 Bad", body: "<html>") : LoginTests.token(number, #""expires_in":7200"#)
    })
    let transport = try client(server)
    let error = await failure { () throws(BackendError) in try await transport.send(read) }
    #expect(error?.code == .unavailable)
    #expect(try await transport.send(read).status == 200)
  }

  @Test("A refusal that repeats the password is not passed on")
  func repeatedPassword() async throws {
    let password = UUID().uuidString
    let server = try service(login: { _ in
      ScriptedServer.answer("400 Bad Request", body: #"{"message":"no user zoe with \#(password)"}"#)
    })
    let transport = try client(server, password: password)
    let error = await failure { () throws(BackendError) in try await transport.send(read) }
    #expect("\(String(describing: error))".contains(password) == false)
  }

  @Test("An ended token is replaced before a request, a sliding one lasts longer with each call")
  func expiry() {
    let fixed = Token("t", username: "zoe", lifetime: 7200, sliding: 600, now: 1000)
    #expect(fixed.isValid(at: 8169))
    #expect(!fixed.isValid(at: 8170))
    #expect(fixed.extended(at: 5000) == fixed)
    let sliding = Token("t", username: "zoe", lifetime: nil, sliding: 600, now: 1000)
    #expect(sliding.isValid(at: 1569))
    #expect(!sliding.isValid(at: 1570))
    #expect(sliding.extended(at: 1500).isValid(at: 2069))
    #expect(Token("t", username: "zoe", lifetime: 10, sliding: nil, now: 1000).isValid(at: 1004))
    #expect(Token("t", username: "zoe", lifetime: nil, sliding: nil, now: 1000).isValid(at: 1 << 40))
  }

  @Test("The token is kept in a file for its owner alone and found by the next transport")
  func tokenFile() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appendingPathComponent("state/token").path
    let server = try service()
    #expect(try await client(server, { $0.tokenFile = path }).send(read).status == 200)
    #expect(try mode(path) == 0o600)
    #expect(try mode(folder.path) == 0o700)
    let next = try client(server) { settings in
      settings.tokenFile = path
      settings.credentials = nil
    }
    #expect(try await next.send(read).status == 200)
    #expect(logins(server) == 1)
    let other = try service()
    let stranger = try client(other) { $0.tokenFile = path }
    #expect(try await stranger.send(read).status == 200)
    #expect(logins(other) == 1, "a token must not be sent to another server")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/state") == ["token"])
  }

  @Test("A token file that others can read is not used")
  func openFile() async throws {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let path = folder.path + "/state/token"
    let server = try service()
    #expect(try await client(server, { $0.tokenFile = path }).send(read).status == 200)
    chmod(path, 0o644)
    #expect(try await client(server, { $0.tokenFile = path }).send(read).status == 200)
    #expect(logins(server) == 2)
    #expect(try mode(path) == 0o600)
  }

  @Test("Who is logged in is reported, and logging out forgets the token")
  func session() async throws {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let path = folder.path + "/state/token"
    let server = try service()
    let transport = try client(server) { $0.tokenFile = path }
    #expect(transport.loggedIn == nil)
    let login = try await transport.login(username: "zoe", password: "p")
    #expect(login.username == "zoe")
    #expect((7100...7200).contains(login.lifetime ?? 0))
    #expect(!login.isSliding)
    #expect(try await transport.identity() == Object([("userName", "zoe"), ("email", "z@h")]))
    #expect(try await transport.logout())
    #expect(server.requests.last?.hasSuffix("\r\n\r\n{\"token\":\"t1\",\"type\":\"bearer\"}") == true)
    #expect(!FileManager.default.fileExists(atPath: path))
    #expect(try await !transport.logout())
    #expect(try await transport.send(read).status == 401)
    #expect(logins(server) == 1)
  }

  @Test("A refused login can be made good by hand")
  func byHand() async throws {
    let server = try service(login: { number in
      number == 1 ? ScriptedServer.answer("400 Bad Request") : LoginTests.token(number, #""sliding_window":1200"#)
    })
    let transport = try client(server)
    _ = await failure { () throws(BackendError) in try await transport.send(read) }
    #expect(try await transport.login(username: "zoe", password: "right").isSliding)
    #expect(try await transport.send(read).status == 200)
  }

  private func mode(_ path: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    return try #require(attributes[.posixPermissions] as? Int)
  }
}
