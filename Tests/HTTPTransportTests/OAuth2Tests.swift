import BackendKit
import BackendTransport
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import HTTPTransport

/// Tokens of OAuth 2 servers, over real sockets.
@Suite("OAuth 2") struct OAuth2Tests {
  /// A server that gives the tokens t1, t2 and so on, and takes the newest alone.
  private func service(
    token: @escaping @Sendable (Int, String) -> String = { number, _ in OAuth2Tests.token(number) }
  ) throws -> ScriptedServer {
    let given = Mutex(0)
    return try ScriptedServer { request in
      if request.hasPrefix("POST /oauth/token ") {
        let number = given.withLock { count in
          count += 1
          return count
        }
        return token(number, request)
      }
      let number = given.withLock(\.self)
      return request.contains("\r\nAuthorization: Bearer t\(number)\r\n")
        ? ScriptedServer.answer(body: "[]") : ScriptedServer.answer("401 Unauthorized", body: "")
    }
  }

  private static func token(_ number: Int, _ rest: String = #""expires_in":3600"#) -> String {
    ScriptedServer.answer(body: #"{"access_token":"t\#(number)","token_type":"Bearer",\#(rest)}"#)
  }

  private func client(
    _ server: ScriptedServer, _ oauth2: LoginScheme.OAuth2,
    _ given: [LoginScheme.Credential: String] = [.clientID: "me:too", .clientSecret: "s&cret"],
    _ change: (inout TransportSettings) -> Void = { _ in }
  ) throws -> HTTPTransport {
    try transport(server.address + "/api") { settings in
      settings.login = LoginScheme(.oauth2(oauth2))
      settings.give(given)
      change(&settings)
    }
  }

  private func bodies(_ server: ScriptedServer) -> [String] {
    server.requests.filter { $0.hasPrefix("POST /oauth/token ") }
      .map { $0.split(separator: "\r\n\r\n").dropFirst().joined() }
  }

  @Test("Client credentials by HTTP Basic, once for requests that come together")
  func clientCredentials() async throws {
    let server = try service()
    let transport = try client(
      server,
      LoginScheme.OAuth2(
        .clientCredentials, tokenURL: "/oauth/token", scope: "read write", parameters: ["audience": "a"]))
    await withTaskGroup { group in
      for _ in 1...4 { group.addTask { #expect((try? await transport.send(read).status) == 200) } }
    }
    #expect(bodies(server) == ["grant_type=client_credentials&scope=read%20write&audience=a"])
    let request = try #require(server.requests.first)
    // Both parts are encoded before they are joined: RFC 6749, section 2.3.1.
    let basic = Data("me%3Atoo:s%26cret".utf8).base64EncodedString()
    #expect(request.contains("\r\nAuthorization: Basic \(basic)\r\n"))
    #expect(request.contains("\r\nContent-Type: application/x-www-form-urlencoded\r\n"))
    #expect(server.requests.dropFirst().allSatisfy { $0.hasPrefix("GET /api/todos ") })
  }

  @Test("A client that says who it is in the form, at an endpoint below the backend's address")
  func clientInBody() async throws {
    let server = try ScriptedServer { request in
      request.hasPrefix("POST /api/token ") ? OAuth2Tests.token(1) : ScriptedServer.answer(body: "[]")
    }
    let transport = try client(
      server, LoginScheme.OAuth2(.clientCredentials, tokenURL: "token", clientAuthentication: .body))
    #expect(try await transport.send(read).status == 200)
    let request = try #require(server.requests.first)
    #expect(!request.contains("Authorization"))
    #expect(request.hasSuffix("grant_type=client_credentials&client_id=me%3Atoo&client_secret=s%26cret"))
  }

  @Test("The password grant, an expired token renewed by its refresh token, and by the grant where that is refused")
  func refresh() async throws {
    let server = try service { number, request in
      switch number {
      case 1: OAuth2Tests.token(1, #""expires_in":1,"refresh_token":"r1""#)
      case 2: OAuth2Tests.token(2, #""expires_in":1"#)
      case 3: ScriptedServer.answer("400 Bad Request", body: #"{"error":"invalid_grant"}"#)
      default: OAuth2Tests.token(4)
      }
    }
    let transport = try client(
      server, LoginScheme.OAuth2(.password, tokenURL: "/oauth/token", scope: "all"),
      [.username: "ana", .password: "p w", .clientID: "app"])
    #expect(try await transport.send(read).status == 200)
    // Each token is at its end after a second; the next request finds it so.
    for _ in 1...2 {
      while transport.loggedIn != nil { await Task.yield() }
      #expect(try await transport.send(read).status == 200)
    }
    #expect(
      bodies(server) == [
        "grant_type=password&username=ana&password=p%20w&scope=all&client_id=app",
        "grant_type=refresh_token&refresh_token=r1&client_id=app",
        "grant_type=refresh_token&refresh_token=r1&client_id=app",
        "grant_type=password&username=ana&password=p%20w&scope=all&client_id=app",
      ])
  }

  @Test("A token that is refused is renewed once for a request")
  func renewed() async throws {
    let server = try service { number, _ in OAuth2Tests.token(number + 1) }
    let transport = try client(server, LoginScheme.OAuth2(.clientCredentials, tokenURL: "/oauth/token"))
    #expect(try await transport.send(write).status == 401)
    #expect(bodies(server).count == 2)
    #expect(server.requests.count == 4)
  }

  @Test("A refused client is reported in the server's words, without its secret, and not tried again by any transport")
  func refused() async throws {
    let secret = UUID().uuidString
    let server = try service { _, _ in
      ScriptedServer.answer(
        "401 Unauthorized", body: #"{"error":"invalid_client","error_description":"The client is not known."}"#)
    }
    for hint in [
      "check client ID, client secret and scope",
      "it is not retried automatically; correct the credentials in the configuration",
    ] {
      let transport = try client(
        server, LoginScheme.OAuth2(.clientCredentials, tokenURL: "/oauth/token"),
        [.clientID: "app", .clientSecret: secret])
      let error = await failure { () throws(BackendError) in try await transport.send(read) }
      #expect(error?.hint == hint)
      #expect(error?.code == .unauthorized)
      #expect("\(String(describing: error))".contains(secret) == false)
    }
    #expect(server.requests.count == 1)
    let other = try client(
      server, LoginScheme.OAuth2(.clientCredentials, tokenURL: "/oauth/token"),
      [.clientID: "app", .clientSecret: secret + "x"])
    let error = await failure { () throws(BackendError) in try await other.send(read) }
    #expect(
      error?.message
        == "\(server.address) refuses a token to the client app: The client is not known.")
    #expect(error?.hint == "check client ID, client secret and scope")
  }

  @Test("A token endpoint of another server gets the client and nothing that is meant for the backend's server")
  func otherServer() async throws {
    let (server, other) = (
      try service { _, _ in "" }, try ScriptedServer { _ in OAuth2Tests.token(0) }
    )
    let transport = try client(
      server, LoginScheme.OAuth2(.clientCredentials, tokenURL: other.address + "/o/token")
    ) { $0.headers = [("X-Team", "team-s3cret")] }
    #expect(try await transport.send(read).status == 200)
    let request = try #require(other.requests.first)
    #expect(request.hasPrefix("POST /o/token HTTP/1.1\r\n") && !request.contains("team-s3cret"))
    #expect(request.lowercased().contains("\r\nhost: 127.0.0.1:\(other.port)\r\n"))
    #expect(server.requests.allSatisfy { $0.contains("\r\nX-Team: team-s3cret\r\n") && !$0.contains("s&cret") })
    #expect(other.requests.count == 1)
  }

  @Test("The token is kept for later runs with its refresh token, and not for another scope")
  func kept() async throws {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let path = folder.path + "/state/token"
    let server = try service()
    for scope in ["a", "a", "b"] {
      let oauth2 = LoginScheme.OAuth2(.clientCredentials, tokenURL: "/oauth/token", scope: scope)
      #expect(try await client(server, oauth2, change: { $0.tokenFile = path }).send(read).status == 200)
    }
    #expect(bodies(server).count == 2)
  }

  private func client(
    _ server: ScriptedServer, _ oauth2: LoginScheme.OAuth2, change: (inout TransportSettings) -> Void
  ) throws -> HTTPTransport {
    try client(server, oauth2, [.clientID: "app", .clientSecret: "s&cret"], change)
  }

  @Test("A login with a password needs only the client of the configuration; a client alone has nothing to log in with")
  func login() async throws {
    let server = try service()
    let password = try client(
      server, LoginScheme.OAuth2(.password, tokenURL: "/oauth/token"), [.clientID: "app", .clientSecret: "s"])
    #expect(try await password.send(read).status == 401)
    #expect(try await password.login(username: "zoe", password: "p").username == "zoe")
    #expect(try await password.send(read).status == 200)
    #expect(bodies(server) == ["grant_type=password&username=zoe&password=p"])
    let machine = try client(server, LoginScheme.OAuth2(.clientCredentials, tokenURL: "/oauth/token"))
    let error = await failure { () throws(BackendError) in try await machine.login(username: "a", password: "b") }
    #expect(error?.code == .unsupported)
  }

  @Test(
    "A logout revokes the refresh token and the token as the client, and forgets them also where the server refuses",
    arguments: [200, 503])
  func revocation(status: Int) async throws {
    let given = try service { number, _ in OAuth2Tests.token(number, #""refresh_token":"r1""#) }
    let server = try ScriptedServer { _ in ScriptedServer.answer("\(status) Whatever", body: "") }
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let path = folder.path + "/state/token"
    let oauth2 = LoginScheme.OAuth2(
      .password, tokenURL: "/oauth/token", revocationURL: server.address + "/oauth/revoke")
    let transport = try client(given, oauth2, change: { $0.tokenFile = path })
    _ = try await transport.login(username: "zoe", password: "p")
    if status == 200 {
      #expect(try await transport.logout())
    } else {
      let error = await failure { () throws(BackendError) in try await transport.logout() }
      #expect(error?.message == "\(server.address)/oauth/revoke responded to the revocation with status 503")
      #expect(error?.hint == "the token is deleted locally; it may still be valid on the server")
    }
    let sent = server.requests.filter { $0.hasPrefix("POST /oauth/revoke ") }
    #expect(
      Array(sent.map { $0.split(separator: "\r\n\r\n").dropFirst().joined() }.prefix(2)) == [
        "token=r1&token_type_hint=refresh_token", "token=t1&token_type_hint=access_token",
      ])
    #expect(sent.allSatisfy { $0.contains("\r\nAuthorization: Basic ") })
    #expect(!FileManager.default.fileExists(atPath: path))
    #expect(transport.loggedIn == nil)
    #expect(try await !transport.logout())
  }
}
