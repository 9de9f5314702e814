import BackendKit
import BackendTransport
import Foundation
import Synchronization
import Testing

@testable import HTTPTransport

/// The requests of each kind of login, over real sockets.
@Suite("Kinds of login") struct LoginKindTests {
  /// The texts that were reported as secret.
  private let secrets = Secrets()

  private func client(
    _ server: ScriptedServer, _ scheme: LoginScheme, _ given: [LoginScheme.Credential: String],
    path: String = "", _ change: (inout TransportSettings) -> Void = { _ in }
  ) throws -> HTTPTransport {
    try transport(server.address + path) { settings in
      settings.login = scheme
      settings.give(given)
      settings.keepSecret = { [secrets] in secrets.add($0) }
      change(&settings)
    }
  }

  private func service() throws -> ScriptedServer { try ScriptedServer { _ in ScriptedServer.answer(body: "[]") } }

  @Test("Basic sends name and password as RFC 7617 has it, and registers both spellings as secrets")
  func basic() async throws {
    let server = try service()
    let transport = try client(server, LoginScheme(.basic), [.username: "Aladdin", .password: "open sesame"])
    #expect(try await transport.send(read).status == 200)
    #expect(server.requests.first?.contains("\r\nAuthorization: Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==\r\n") == true)
    #expect(secrets.all.isSuperset(of: ["open sesame", "QWxhZGRpbjpvcGVuIHNlc2FtZQ=="]))
    #expect(transport.loggedIn == nil)
  }

  @Test("A name that HTTP Basic cannot carry is refused before anything is sent")
  func colon() async throws {
    let server = try service()
    let transport = try client(server, LoginScheme(.basic), [.username: "a:b", .password: "p"])
    let error = await failure { () throws(BackendError) in try await transport.send(read) }
    #expect(error?.code == .misconfigured && error?.effect == .notSent && server.requests.isEmpty)
  }

  @Test(
    "A token stands after its prefix, and alone where the prefix is empty",
    arguments: [("Bearer", "Bearer t0ken"), ("Token", "Token t0ken"), ("", "t0ken")])
  func bearer(prefix: String, expected: String) async throws {
    let server = try service()
    let transport = try client(server, LoginScheme(.bearer(prefix: prefix)), [.token: "t0ken"])
    #expect(try await transport.send(read).status == 200)
    #expect(server.requests.first?.contains("\r\nAuthorization: \(expected)\r\n") == true)
  }

  @Test("A key stands in the header field that is named, or in the query in the place of one of that name")
  func key() async throws {
    let server = try service()
    let header = try client(server, LoginScheme(.key(.header("X-Api-Key"))), [.key: "k&y"])
    #expect(try await header.send(read).status == 200)
    let query = try client(server, LoginScheme(.key(.query("api key"))), [.key: "k&y"])
    let request = HTTPRequest("GET", todos, query: [("a", "1"), ("api key", "other")], effect: .read)
    #expect(try await query.send(request).status == 200)
    #expect(server.requests.first?.contains("\r\nX-Api-Key: k&y\r\n") == true)
    #expect(server.requests.last?.hasPrefix("GET /todos?a=1&api%20key=k%26y HTTP/1.1\r\n") == true)
    #expect(secrets.all == ["k&y"])
  }

  @Test("A key that could begin another header field is refused")
  func hostileKey() async throws {
    let server = try service()
    let transport = try client(server, LoginScheme(.bearer()), [.token: "t\r\nX: y"])
    let error = await failure { () throws(BackendError) in try await transport.send(read) }
    #expect(error?.code == .misconfigured && server.requests.isEmpty)
  }

  @Test("Without what a scheme needs requests go as they are")
  func anonymous() async throws {
    let server = try service()
    #expect(try await client(server, LoginScheme(.basic), [.username: "u"]).send(read).status == 200)
    #expect(server.requests.first?.contains("Authorization") == false)
  }

  @Test("Basic credentials that the server has refused are sent once; the refusal itself is passed on")
  func refusedBasic() async throws {
    let server = try ScriptedServer { _ in ScriptedServer.answer("401 Unauthorized", body: "no") }
    let password = UUID().uuidString
    let transport = try client(server, LoginScheme(.basic), [.username: "ana", .password: password])
    #expect(try await transport.send(read).text() == "no")
    let error = await failure { () throws(BackendError) in try await transport.send(read) }
    #expect(error?.code == .unauthorized && error?.effect == .notSent)
    #expect(error?.message.contains("rejected the user name and password of ana before") == true)
    #expect(server.requests.count == 1)
  }

  @Test(
    "Of requests that come together one tries a password; after a refusal none of the others is sent",
    arguments: [LoginScheme.Kind.basic, .digest])
  func refusedTogether(kind: LoginScheme.Kind) async throws {
    let challenge = #"WWW-Authenticate: Digest realm="r", nonce="n", qop="auth", algorithm=SHA-256"#
    let server = try ScriptedServer { _ in ScriptedServer.answer("401 Unauthorized", challenge, body: "no") }
    let given = [LoginScheme.Credential.username: "ana", .password: UUID().uuidString]
    // Two ways to one server share the turns.
    let transports = try (0..<2).map { _ in try client(server, LoginScheme(kind), given) }
    let refused = await withTaskGroup(of: Bool.self) { group in
      for place in 0..<8 {
        group.addTask {
          // The one that was sent has its response.
          do throws(BackendError) { _ = try await transports[place % 2].send(read) } catch {
            return error.effect == .notSent
          }
          return false
        }
      }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(server.requests.count { $0.contains("\r\nAuthorization: ") } == 1)
    #expect(refused == 7)
  }

  @Test("Requests that come together are sent once the password was accepted, and none waits for another then")
  func acceptedTogether() async throws {
    let server = try service()
    let transport = try client(server, LoginScheme(.basic), [.username: "ana", .password: UUID().uuidString])
    let statuses = await withTaskGroup(of: Int?.self) { group in
      for _ in 0..<8 { group.addTask { try? await transport.send(read).status } }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(statuses == Array(repeating: 200, count: 8) && server.requests.count == 8)
  }

  @Test("Without a password, requests wait for no other") func anonymousTogether() async throws {
    // None is answered before all are there.
    let asked = Mutex(0)
    let all = DispatchSemaphore(value: 0)
    let server = try ScriptedServer { _ in
      let isLast = asked.withLock { count in
        count += 1
        return count == 4
      }
      if isLast { for _ in 0..<4 { all.signal() } }
      all.wait()
      return ScriptedServer.answer()
    }
    let transport = try client(server, LoginScheme(.basic), [.username: "u"])
    let statuses = await withTaskGroup(of: Int?.self) { group in
      for _ in 0..<4 { group.addTask { try? await transport.send(read).status } }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(statuses == [200, 200, 200, 200])
  }

  @Test("What was accepted once is not given up for one refusal")
  func acceptedBasic() async throws {
    let server = try ScriptedServer { request in
      request.hasPrefix("POST") ? ScriptedServer.answer("401 Unauthorized", body: "no") : ScriptedServer.answer()
    }
    let transport = try client(
      server, LoginScheme(.basic), [.username: "ana", .password: UUID().uuidString])
    for (request, status) in [(read, 200), (write, 401), (read, 200), (write, 401)] {
      #expect(try await transport.send(request).status == status)
    }
    #expect(server.requests.count == 4)
  }

  @Test(
    "A refused token is read anew once, and the request sent again only with another one", arguments: [true, false])
  func refusedToken(hasOther: Bool) async throws {
    let server = try ScriptedServer { request in
      request.contains("Bearer new") ? ScriptedServer.answer() : ScriptedServer.answer("401 Unauthorized", body: "no")
    }
    let reads = Mutex<[Bool]>([])
    let transport = try client(server, LoginScheme(.bearer()), [:]) { settings in
      settings.credentials = { _, isRefused throws(BackendError) in
        reads.withLock { $0.append(isRefused) }
        return TransportSettings.Given([.token: isRefused && hasOther ? "new" : "old"])
      }
    }
    for _ in 1...3 { #expect(try await transport.send(read).status == (hasOther ? 200 : 401)) }
    #expect(reads.withLock(\.self) == [false, true])
    #expect(server.requests.count == (hasOther ? 4 : 3))
  }

  @Test("What has expired is asked for again")
  func expired() async throws {
    let server = try service()
    let reads = Mutex(0)
    let transport = try client(server, LoginScheme(.bearer()), [:]) { settings in
      settings.credentials = { _, _ throws(BackendError) in
        let number = reads.withLock { count in
          count += 1
          return count
        }
        return TransportSettings.Given([.token: "t\(number)"], expiry: number == 1 ? 1 : nil)
      }
    }
    for _ in 1...3 { #expect(try await transport.send(read).status == 200) }
    let tokens = server.requests.map { $0.split(separator: "Bearer t").last?.first }
    #expect(tokens == ["1", "2", "2"])
  }

  @Test("A JSON login: nested fields, a token at a path, an end that is a date, sent in the query, renewed and left")
  func jsonLogin() async throws {
    let server = try ScriptedServer { request in
      if request.hasPrefix("POST /v1/session HTTP") {
        return ScriptedServer.answer(
          body: #"{"data":{"token":"first","ends":"2101-01-01T00:00:00Z","renewal":"r1"}}"#)
      }
      if request.hasPrefix("POST /v1/session/renewal") {
        return ScriptedServer.answer(body: #"{"data":{"token":"second","ends":"2101-01-01T00:00:00+02:00"}}"#)
      }
      if request.contains("session=first"), request.hasPrefix("POST /v1/todos") {
        return ScriptedServer.answer("401 Unauthorized", body: "")
      }
      return ScriptedServer.answer(request.hasPrefix("DELETE") ? "204 No Content" : "200 OK", body: "")
    }
    let session = try RequestPath("session")
    let user: Value = ["mail": "$username", "secret": "$password"]
    let body = Object([("user", user), ("remember", .bool(true))])
    let scheme = LoginScheme(
      .login(
        LoginScheme.TokenLogin(
          .init("POST", session, body: .json(body)),
          response: .init(token: "data.token", expiresAt: "data.ends", refreshToken: "data.renewal"),
          place: .query("session"),
          refresh: .init("POST", try RequestPath("session", "renewal"), body: .json(Object([("by", "$refreshToken")]))),
          logout: .init("DELETE", session))))
    let transport = try client(server, scheme, [.username: "ana", .password: "p4ssword"], path: "/v1")
    for request in [read, write, read] { #expect(try await transport.send(request).status == 200) }
    #expect(try await transport.logout())
    let bodies = server.requests.map { $0.split(separator: "\r\n\r\n").dropFirst().joined() }
    #expect(
      server.requests.map { $0.split(separator: " ").prefix(2).joined(separator: " ") } == [
        "POST /v1/session", "GET /v1/todos?session=first", "POST /v1/todos?session=first",
        "POST /v1/session/renewal", "POST /v1/todos?session=second", "GET /v1/todos?session=second",
        "DELETE /v1/session?session=second",
      ])
    #expect(bodies[0] == #"{"user":{"mail":"ana","secret":"p4ssword"},"remember":true}"#)
    #expect(bodies[3] == #"{"by":"r1"}"#)
    #expect(secrets.all.isSuperset(of: ["p4ssword", "first", "second", "r1"]))
  }
}

/// The texts that a transport reports as secret.
final class Secrets: Sendable {
  private let texts = Mutex<Set<String>>([])

  var all: Set<String> { texts.withLock(\.self) }

  func add(_ more: [String]) { texts.withLock { $0.formUnion(more) } }
}
