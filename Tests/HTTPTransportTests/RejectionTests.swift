import BackendKit
import BackendTransport
import Foundation
import Synchronization
import Testing

@testable import HTTPTransport

/// Services that say with other statuses than 401 that a token has ended, and tokens that a person gives for a session.
@Suite struct RejectionTests {
  /// A service whose tokens are t1, t2 and so on; it responds so to all but the newest.
  private func service(_ status: String, _ body: String) throws -> ScriptedServer {
    let logins = Mutex(0)
    return try ScriptedServer { request in
      if request.hasPrefix("POST /login") {
        let number = logins.withLock { count in
          count += 1
          return count
        }
        return ScriptedServer.answer(body: #"{"access_token":"t\#(number)"}"#)
      }
      if request.contains("\r\nAuthorization: Bearer t2\r\n") { return ScriptedServer.answer(body: "[]") }
      return ScriptedServer.answer(status, body: body)
    }
  }

  private func client(_ server: ScriptedServer, _ rejections: [LoginScheme.Rejection]) throws -> HTTPTransport {
    let fields = Object([("u", "$username"), ("p", "$password")])
    let login = LoginScheme.TokenLogin(.init("POST", try RequestPath("login"), body: .json(fields)))
    return try transport(server.address) { settings in
      settings.login = LoginScheme(.login(login), rejections: rejections)
      settings.give([.username: "zoe", .password: UUID().uuidString])
    }
  }

  @Test(arguments: [
    ("403 Forbidden", #"{"error":"token_expired"}"#, LoginScheme.Rejection(text: "token_expired")),
    (
      "400 Bad Request", #"{"error":{"code":191}}"#,
      LoginScheme.Rejection([400, 409], text: "191", member: "error.code")
    ),
    ("400 Bad Request", #"{"expired":true}"#, LoginScheme.Rejection([400], member: "expired")),
    ("498 Invalid Token", "", LoginScheme.Rejection([498])),
    ("500 Internal Server Error", "<h1>token expired</h1>", LoginScheme.Rejection([500], text: "token expired")),
  ])
  func `A response that is named renews the token, and the request is sent again`(
    _ status: String, _ body: String, _ rejection: LoginScheme.Rejection
  ) async throws {
    let server = try service(status, body)
    let transport = try client(server, [rejection])
    for _ in 1...2 { #expect(try await transport.send(read).status == 200) }
    #expect(server.requests.count { $0.hasPrefix("POST /login") } == 2)
    #expect(server.requests.count == 5)
  }

  @Test(arguments: [
    ("403 Forbidden", #"{"error":"permission denied"}"#, LoginScheme.Rejection(text: "token_expired")),
    ("403 Forbidden", #"{"error":"token_expired"}"#, LoginScheme.Rejection([400], text: "token_expired")),
    ("400 Bad Request", #"{"code":1911}"#, LoginScheme.Rejection([400], text: "191", member: "code")),
    ("400 Bad Request", #"{"expired":null}"#, LoginScheme.Rejection([400], member: "expired")),
    ("400 Bad Request", "expired", LoginScheme.Rejection([400], member: "expired")),
    ("401 Unauthorized", "no license", LoginScheme.Rejection(text: "token_expired")),
  ])
  func `Another response is returned as it is`(
    _ status: String, _ body: String, _ rejection: LoginScheme.Rejection
  ) async throws {
    let server = try service(status, body)
    let answer = try await client(server, [rejection]).send(read)
    #expect(answer.status == Int(status.prefix(3)))
    #expect(try await answer.text() == body)
    #expect(server.requests.count == 2)
  }

  @Test func `A 401 still renews the token if another status is named`() async throws {
    let server = try service("401 Unauthorized", "")
    #expect(try await client(server, [.init([403], text: "token_expired")]).send(read).status == 200)
  }

  @Test func `A write is not sent again after a failure of the server, and the next request has another token`()
    async throws
  {
    let server = try service("500 Internal Server Error", "token expired")
    let transport = try client(server, [.init([500], text: "token expired")])
    #expect(try await transport.send(write).status == 500)
    #expect(server.requests.count { $0.hasPrefix("POST /todos") } == 1)
    #expect(try await transport.send(write).status == 200)
  }

  @Test(arguments: [
    (LoginScheme.Kind.bearer(), [LoginScheme.Credential.token: "old"], "", "Authorization: Bearer new"),
    (.key(.header("X-Key")), [.key: "old"], "", "X-Key: new"),
    (.key(.cookie("sid")), [.key: "old"], "", "Cookie: sid=new"),
    (
      .basic, [.username: "ana", .password: "old"], "ana",
      "Authorization: Basic \(Data("ana:new".utf8).base64EncodedString())"
    ),
  ])
  func `A secret that is given takes the place of the refused one, and is not followed by that`(
    _ kind: LoginScheme.Kind, _ given: [LoginScheme.Credential: String], _ user: String, _ field: String
  ) async throws {
    let takes = Mutex(true)
    let server = try ScriptedServer { request in
      let isGood = request.contains("\r\n\(field)\r\n") && takes.withLock(\.self)
      return isGood ? ScriptedServer.answer(body: "[]") : ScriptedServer.answer("401 Unauthorized", body: "")
    }
    let transport = try transport(server.address) { settings in
      settings.login = LoginScheme(kind)
      settings.give(given)
    }
    #expect(try await transport.send(read).status == 401)
    _ = try await transport.login(username: user, password: "new")
    for _ in 1...2 { #expect(try await transport.send(read).status == 200) }
    takes.withLock { $0 = false }
    let before = server.requests.count
    #expect(try await transport.send(read).status == 401)
    let error = await failure { () throws(BackendError) in try await transport.send(read) }
    #expect(error?.code == .unauthorized && error?.effect == .notSent, "\(String(describing: error))")
    #expect(server.requests.dropFirst(before).allSatisfy { $0.contains("\r\n\(field)\r\n") })
    #expect(server.requests.count == before + 1)
  }

  @Test func `After a logout no secret is sent`() async throws {
    let server = try ScriptedServer { _ in ScriptedServer.answer(body: "[]") }
    let transport = try transport(server.address) { settings in
      settings.login = LoginScheme(.bearer())
      settings.give([.token: "t0ken"])
    }
    _ = try await transport.send(read)
    #expect(try await transport.logout())
    _ = try await transport.send(read)
    #expect(server.requests.map { $0.contains("t0ken") } == [true, false])
  }
}
