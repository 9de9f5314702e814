import BackendKit
import BackendTransport
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import HTTPTransport

/// Requests whose token is no longer good.
extension LoginTests {
  @Test("A write that is refused for its token and then meets its own work is unknown", arguments: [404, 409, 412])
  func applied(status: Int) async throws {
    let server = try refusingFirstToken(status)
    let transport = try client(server)
    let error = await failure { () throws(BackendError) in try await transport.send(write) }
    #expect(error?.effect == .unknown && error?.httpStatus == status)
    #expect(
      error?.message
        == "\(server.address) responded with status 401, and when the request was sent again after a login with status \(status): gone already"
    )
  }

  @Test("A write that is sent twice for its token says so in the receipt, unless doing it twice does no harm")
  func twice() async throws {
    for (request, count) in [(write, 1), (replace, 0)] {
      let server = try refusingFirstToken(201)
      let (transport, log) = (try client(server), AttemptLog())
      let status = try await AttemptLog.$current.withValue(log) { try await transport.send(request).status }
      #expect(status == 201 && log.notes.count == count)
      #expect(
        log.notes.allSatisfy {
          $0.hasPrefix("sent again after a login, since the server had responded with status 401")
        })
    }
  }

  /// A server whose first token is refused; requests with another one get this status.
  private func refusingFirstToken(_ status: Int) throws -> ScriptedServer {
    let logins = Mutex(0)
    return try ScriptedServer { request in
      if request.hasPrefix("POST /login") {
        let number = logins.withLock { count in
          count += 1
          return count
        }
        return LoginTests.token(number, #""expires_in":7200"#)
      }
      return request.contains("bearer t1\r\n")
        ? ScriptedServer.answer("401 Unauthorized", body: #"{"details":"invalid_token"}"#)
        : ScriptedServer.answer("\(status) Whatever", body: #"{"message":"gone already"}"#)
    }
  }

  @Test("Who logged in does not become nobody when the token has expired: not in this run, and not in the next")
  func expired() async throws {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let path = folder.path + "/state/token"
    let server = try service(login: { LoginTests.token($0, #""expires_in":1"#) })
    func open() throws -> HTTPTransport {
      try client(server) { settings in
        settings.tokenFile = path
        settings.credentials = nil
      }
    }
    let transport = try open()
    _ = try await transport.login(username: "zoe", password: "p")
    while transport.loggedIn != nil { await Task.yield() }
    for transport in [transport, transport, try open()] {
      let error = await failure { () throws(BackendError) in try await transport.send(read) }
      #expect(error?.code == .unauthorized && error?.effect == .notSent && error?.hint == nil)
      #expect(error?.message == "the login of zoe at \(server.address) is no longer valid")
    }
    #expect(server.requests.count == 1)
    #expect(try await !transport.logout())
    #expect(!FileManager.default.fileExists(atPath: path))
    for transport in [transport, try open()] { #expect(try await transport.send(read).status == 401) }
    #expect(server.requests.dropFirst().allSatisfy { !$0.contains("Authorization") })
  }

  @Test("A token that is refused and cannot be replaced is not left out of the next request")
  func refusedToken() async throws {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let server = try service(takes: { _ in false })
    func open() throws -> HTTPTransport {
      try client(server) { settings in
        settings.tokenFile = folder.path + "/state/token"
        settings.credentials = nil
      }
    }
    let transport = try open()
    _ = try await transport.login(username: "zoe", password: "p")
    #expect(try await transport.send(read).status == 401)
    for transport in [transport, try open()] {
      let error = await failure { () throws(BackendError) in try await transport.send(read) }
      #expect(error?.code == .unauthorized && error?.effect == .notSent)
    }
    #expect(server.requests.count == 2)
    _ = try await transport.login(username: "zoe", password: "p")
    #expect(try await transport.send(read).status == 401)
  }

  @Test("The configured user does not take over the requests of another one whose login has ended")
  func otherUser() async throws {
    let server = try service(login: { LoginTests.token($0, #""expires_in":1"#) })
    let transport = try client(server) { $0.user = "zoe" }
    _ = try await transport.login(username: "bob", password: "p", isForSession: true)
    while transport.loggedIn != nil { await Task.yield() }
    let error = await failure { () throws(BackendError) in try await transport.send(write) }
    #expect(error?.message == "the login of bob at \(server.address) is no longer valid")
    #expect(server.requests.count == 1)
  }

  @Test("A token that was kept of another user than the configured one does not count")
  func otherConfiguration() async throws {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let server = try service()
    for user in ["zoe", "zoe", "bob"] {
      let transport = try client(server) { settings in
        settings.tokenFile = folder.path + "/state/token"
        settings.user = user
        settings.give([.username: user, .password: "p"])
      }
      #expect(try await transport.send(read).status == 200)
    }
    #expect(logins(server) == 2)
    #expect(server.requests.contains { $0.contains("username=bob") })
  }

  @Test(
    "A refresh token that another console has used is not the end of the login if that one has stored its token",
    arguments: [true, false])
  func otherConsole(hasStored: Bool) async throws {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let path = folder.path + "/state/token"
    let server = try ScriptedServer { request in
      if request.hasPrefix("POST /login ") {
        return ScriptedServer.answer(body: #"{"access_token":"t1","refresh_token":"r1","expires_in":1}"#)
      }
      if request.hasPrefix("POST /renewal ") {
        if hasStored, let text = try? String(contentsOfFile: path, encoding: .utf8) {
          let other = text.replacing("\"t1\"", with: "\"t2\"").replacing(/"expiry":\d+,/, with: "")
          try? other.write(toFile: path, atomically: false, encoding: .utf8)
        }
        return ScriptedServer.answer("401 Unauthorized", body: #"{"message":"used before"}"#)
      }
      return request.contains("Bearer t2\r\n")
        ? ScriptedServer.answer(body: "[]") : ScriptedServer.answer("401 Unauthorized", body: "")
    }
    let (login, renewal) = (try RequestPath("login"), try RequestPath("renewal"))
    func open() throws -> HTTPTransport {
      try transport(server.address) { settings in
        settings.tokenFile = path
        settings.login = LoginScheme(
          .login(
            LoginScheme.TokenLogin(
              .init("POST", login, body: .json(Object([("p", "$password")]))),
              refresh: .init("POST", renewal, body: .json(Object([("by", "$refreshToken")]))))))
      }
    }
    let first = try open()
    _ = try await first.login(username: "zoe", password: "p")
    while first.loggedIn != nil { await Task.yield() }
    for console in [first, first, try open()] {
      if hasStored {
        #expect(try await console.send(read).status == 200)
      } else {
        #expect(await failure { () throws(BackendError) in try await console.send(read) }?.code == .unauthorized)
      }
    }
    #expect(server.requests.count { $0.hasPrefix("POST /renewal ") } == 1)
    #expect(FileManager.default.fileExists(atPath: path))
  }
}
