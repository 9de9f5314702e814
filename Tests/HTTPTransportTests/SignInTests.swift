import BackendKit
import BackendTransport
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import HTTPTransport

/// Logins by a person at an authorization server of the tests, with a browser that is a program.
@Suite("Logins by a person") struct SignInTests {
  private let server: PythonServer
  private let folder: TemporaryFolder
  private let secrets = Secrets()
  private let browser = ScriptedBrowser()

  init() async throws {
    server = try await PythonServer("Server/authorization.py")
    folder = try TemporaryFolder()
  }

  private func client(
    _ grant: LoginScheme.OAuth2.Grant = .authorizationCode, issuer: String = "", isConfidential: Bool = false,
    scope: String? = "read", _ change: (inout LoginScheme.OAuth2) -> Void = { _ in }
  ) throws -> HTTPTransport {
    var oauth2 = LoginScheme.OAuth2(grant, scope: scope, issuer: server.address + issuer)
    change(&oauth2)
    let name = isConfidential ? "confidential" : "public"
    return try transport(server.address) { [oauth2] settings in
      settings.login = LoginScheme(.oauth2(oauth2))
      settings.give(
        [.clientID: name].merging(isConfidential ? [.clientSecret: "s3cret of the client"] : [:]) { $1 })
      settings.user = name
      settings.tokenFile = folder.path + "/state/token"
      settings.keepSecret = { [secrets] in secrets.add($0) }
    }
  }

  private func logIn(_ transport: HTTPTransport, prefersDevice: Bool = false) async throws(BackendError) -> Login {
    try await transport.signIn(SignIn(prefersDevice: prefersDevice) { [browser] in browser.open($0) })
  }

  private func set(_ mode: String) throws { _ = try server.read("mode", mode) }

  private struct Sent: Decodable {
    let request: String
    let form: [String: String]
    let query: [String: String]
    let authorization: String
  }

  private func sent(_ request: String) throws -> [Sent] {
    try JSONDecoder().decode([Sent].self, from: Data(server.read("log").utf8)).filter { $0.request == request }
  }

  private func grants() throws -> [String?] { try sent("POST /token").map { $0.form["grant_type"] } }

  @Test("a person logs in in the browser, and later runs are logged in", arguments: [false, true])
  func inBrowser(isConfidential: Bool) async throws {
    let transport = try client(isConfidential: isConfidential)
    let login = try await logIn(transport)
    #expect(login.username == "zoe" && login.scope == "read")
    #expect(try await browser.page().contains("200 <!DOCTYPE html>"))
    #expect(try await transport.send(read).status == 200)
    let asked = try #require(try sent("GET /authorize").first?.query)
    let exchange = try #require(try sent("POST /token").first)
    let verifier = try #require(exchange.form["code_verifier"])
    #expect(verifier.utf8.count == 43 && asked["code_challenge_method"] == "S256")
    #expect(asked["redirect_uri"]?.hasPrefix("http://127.0.0.1:") == true && asked["scope"] == "read")
    #expect(exchange.form["client_id"] == (isConfidential ? nil : "public"))
    #expect(!isConfidential || secrets.all.contains(String(exchange.authorization.dropFirst("Basic ".count))))
    #expect(exchange.authorization.hasPrefix("Basic ") == isConfidential && exchange.form["client_secret"] == nil)
    #expect(secrets.all.isSuperset(of: [verifier, exchange.form["code"] ?? "no code"]))
    #expect(["acc3ss", "r3fresh"].allSatisfy { begin in secrets.all.contains { $0.hasPrefix(begin) } })
    let later = try client(isConfidential: isConfidential)
    #expect(later.loggedIn?.username == "zoe")
    #expect(try await later.send(read).status == 200)
    let facts = try await later.identity()
    #expect(facts["user"] == "zoe" && facts["scope"] == "read")
    #expect(facts["expires"]?.text.flatMap { Instant($0) } != nil)
    #expect(try grants().count == 1)
    // Another client is another login.
    #expect(try client(isConfidential: !isConfidential).loggedIn == nil)
  }

  @Test("a person types a code on another device, where the grant says so or no browser can be opened")
  func onDevice() async throws {
    let device = try client(.device, isConfidential: true)
    #expect(try await logIn(device).username == "zoe")
    guard case .device(let address, let code, let direct, let lifetime)? = browser.step else {
      Issue.record("no code was shown")
      return
    }
    #expect(address == server.address + "/activate" && code.hasPrefix("WDJB-") && lifetime == 600)
    #expect(direct == "\(address)?user_code=\(code)")
    #expect(try await device.send(read).status == 200)
    let other = try client(scope: "other")
    #expect(try await logIn(other, prefersDevice: true).scope == "other")
    #expect(try sent("POST /device").count == 2 && sent("GET /authorize").isEmpty)
    #expect(secrets.all.contains { $0.hasPrefix("device-c0de") })
  }

  @Test("a poll waits longer when the server says so, and what ends the login is said in words")
  func polls() async throws {
    func login() async throws -> (pauses: [Int], result: Result<Int, BackendError>) {
      let pauses = Mutex<[Int]>([])
      let oauth2 = LoginScheme.OAuth2(.device, issuer: server.address)
      let environment = ProxyEnvironment { _ in nil }
      let wire = try RequestSender(TransportSettings(address: server.address), environment: environment)
      var login = DeviceLogin(
        oauth2: oauth2, endpoints: try OAuth2Endpoints(oauth2, wire, environment: environment),
        values: [.clientID: "public"], keepSecret: { _ in })
      let program = Mutex<RunningProgram?>(nil)
      login.pause = { seconds in
        pauses.withLock { $0.append(seconds) }
        let running = program.withLock { $0.take() }
        if let running { _ = try await running.end() }
      }
      do throws(BackendError) {
        let answer = try await login.answer { step in
          let started = ScriptedBrowser.start(step)
          program.withLock { $0 = started }
        }
        return (pauses.withLock(\.self), .success(answer.status))
      } catch {
        return (pauses.withLock(\.self), .failure(error))
      }
    }
    try set(#"{"pending": 1, "slow": 2}"#)
    let (pauses, result) = try await login()
    #expect(pauses == [1, 1, 6, 11])
    #expect(try result.get() == 200)
    for (mode, words) in [
      (#"{"deny": true}"#, "the login was denied at \(server.address)"),
      (#"{"lapsed": true}"#, "the code of \(server.address) was not used in time, and is no longer valid"),
      (#"{"pending": 1000}"#, "the code of \(server.address) was not used in time, and is no longer valid"),
    ] {
      try set(mode)
      guard case .failure(let error) = try await login().result else {
        Issue.record("\(mode) is no refusal")
        continue
      }
      #expect(error.message == words && error.code == .unauthorized)
    }
  }

  @Test(
    "what the server refuses is said, and nothing is stored",
    arguments: [
      (#"{"deny": true}"#, "the login was denied at ADDRESS/authorize"),
      (#"{"error": "invalid_scope"}"#, "ADDRESS/authorize refuses the login: The answer is invalid_scope."),
      // A message is cut with a mark, so that the beginning of a secret is recognized.
      (
        #"{"error": "\#(String(repeating: "x", count: 300))"}"#,
        "ADDRESS/authorize refuses the login: The answer is \(String(repeating: "x", count: 185))…"
      ),
      (#"{"mismatch": true}"#, "ADDRESS refuses the login: The verifier does not match."),
      (#"{"issuer": "http://other.example"}"#, "the browser came back from another server than ADDRESS"),
    ])
  func refused(mode: String, words: String) async throws {
    try set(mode)
    let transport = try client()
    let error = await failure { () throws(BackendError) in try await logIn(transport) }
    #expect(error?.message == words.replacingOccurrences(of: "ADDRESS", with: server.address))
    #expect(error?.code == .unauthorized && transport.loggedIn == nil && !folder.holds("state/token"))
    #expect(try grants().count == (mode.contains("mismatch") ? 1 : 0))
    let next = await failure { () throws(BackendError) in try await transport.send(read) }
    #expect(next?.message == "nobody is logged in at \(server.address)" && next?.effect == .notSent)
    #expect(try sent("GET /todos").isEmpty)
  }

  @Test("a code that somebody uses again is refused, and the token that ends with it is renewed")
  func replayed() async throws {
    let transport = try client()
    _ = try await logIn(transport)
    #expect(try server.read("replay", "{}").contains("400"))
    #expect(try await transport.send(read).status == 200)
    #expect(try grants() == ["authorization_code", "refresh_token"])
    #expect(transport.loggedIn?.username == "zoe" && transport.loggedIn?.scope == "read")
  }

  @Test("endpoints come from the document of the issuer, which has to be its own; those of the login come first")
  func issuers() async throws {
    try set(#"{"issuer": "\#(server.address)/oidc"}"#)
    #expect(try await logIn(try client(issuer: "/oidc")).username == "zoe")
    for (issuer, problem) in [
      ("/liar", "it names the issuer \"\(server.address)/other\""), ("/none", "there is none at its usual places"),
    ] {
      let client = try client(issuer: issuer)
      let error = await failure { () throws(BackendError) in try await logIn(client) }
      #expect(
        error?.message == "\(server.address)\(issuer) publishes no document of its endpoints: \(problem)")
    }
    let open = try client { $0.issuer = "http://id.example.org" }
    let error = await failure { () throws(BackendError) in try await logIn(open) }
    #expect(error?.message == "the issuer http://id.example.org is not an https address")
    let own = try client { oauth2 in
      (oauth2.issuer, oauth2.authorizationURL, oauth2.tokenURL) = (nil, "/authorize", "token")
    }
    #expect(try await logIn(own).username == "zoe")
    let documents = try sent("GET /oidc/.well-known/openid-configuration")
    #expect(documents.count == 1)
  }

  @Test("consoles that find the token ended renew it once, and one that was away uses the newest refresh token")
  func rotation() async throws {
    try set(#"{"lifetime": 1}"#)
    let (first, second) = (try client(), try client())
    _ = try await logIn(first)
    // Both know the first token.
    while first.loggedIn != nil || second.loggedIn != nil { await Task.yield() }
    try set(#"{"lifetime": 3600}"#)
    async let (one, other) = (first.send(read).status, second.send(read).status)
    #expect(try await (one, other) == (200, 200))
    #expect(try grants() == ["authorization_code", "refresh_token"])
    // So do consoles whose token is refused.
    _ = try server.read("expire", "{}")
    async let (third, fourth) = (first.send(read).status, second.send(read).status)
    #expect(try await (third, fourth) == (200, 200))
    #expect(try grants() == ["authorization_code", "refresh_token", "refresh_token"])
    try set(#"{"lifetime": 1}"#)
    _ = try server.read("expire", "{}")
    // The first console renews a token that the second one does not know; both end.
    #expect(try await first.send(read).status == 200)
    while first.loggedIn != nil { await Task.yield() }
    try set("{}")
    #expect(try await second.send(read).status == 200)
    #expect(try await first.send(read).status == 200)
    let used = try sent("POST /token").compactMap { $0.form["refresh_token"] }
    #expect(Set(used).count == used.count && used.count == 4)
  }

  @Test("a refresh token that is refused ends the login: nothing is sent as nobody, in this run and the next")
  func ended() async throws {
    let (first, second) = (try client(), try client())
    _ = try await logIn(first)
    #expect(try await second.send(read).status == 200)
    // It revokes both tokens, at the endpoint that the issuer publishes.
    #expect(try await first.logout())
    #expect(try sent("POST /revoke").map { $0.form["token_type_hint"] } == ["refresh_token", "access_token"])
    #expect(try await second.send(read).status == 401)
    let error = await failure { () throws(BackendError) in try await second.send(read) }
    #expect(error?.message == "the login of zoe at \(server.address) is no longer valid")
    let third = try client()
    let next = await failure { () throws(BackendError) in try await third.send(read) }
    #expect(next?.code == .unauthorized && next?.effect == .notSent)
    #expect(try sent("GET /todos").allSatisfy { $0.authorization.hasPrefix("Bearer acc3ss") })
    // Whoever logged out goes on as nobody.
    #expect(try await first.send(read).status == 401)
  }

  @Test("a login that is cancelled leaves nothing")
  func cancelled() async throws {
    let transport = try client()
    let (steps, shown) = AsyncStream.makeStream(of: Void.self)
    let task = Task { [transport] in
      await failure { () throws(BackendError) in try await transport.signIn(SignIn { _ in shown.yield() }) }
    }
    for await _ in steps { break }
    task.cancel()
    #expect(await task.value?.code == .cancelled)
    #expect(try grants().isEmpty && !folder.holds("state/token"))
  }

  @Test("a name and a password are nothing for such a login, nor a person for another one")
  func otherKinds() async throws {
    let person = try client()
    let error = await failure { () throws(BackendError) in try await person.login(username: "a", password: "b") }
    #expect(error?.code == .unsupported)
    let machine = try client(.clientCredentials)
    let other = await failure { () throws(BackendError) in try await logIn(machine) }
    #expect(other?.code == .unsupported)
  }
}

/// A program that opens what a login shows, as a person does in a browser.
private final class ScriptedBrowser: Sendable {
  private let state = Mutex<(step: SignIn.Step?, program: RunningProgram?)>((nil, nil))

  /// The last step.
  var step: SignIn.Step? { state.withLock(\.step) }

  func open(_ step: SignIn.Step) {
    let program = Self.start(step)
    state.withLock { $0 = (step, program) }
  }

  /// The status and the page that the browser printed.
  func page() async throws -> String {
    let program = state.withLock(\.program)
    return try await #require(program).end().output
  }

  static func start(_ step: SignIn.Step) -> RunningProgram? {
    let address: String =
      switch step {
      case .browser(let address, _): address
      case .device(let address, let code, _, _): "\(address)?user_code=\(code)"
      }
    let folder = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
    return try? RunningProgram(["python3", "-B", "\(folder)/Server/browser.py", address])
  }
}
