import AdapterSupport
import ConsoleSupport
import Foundation
import TestSupport
import Testing

/// Kinds of login and programs that provide secrets, as a user of the console meets them.
@Suite("Kinds of login in a run") struct LoginKindRunTests {
  let home: ConsoleRun.Home

  init() throws { home = try ConsoleRun.Home() }

  private static let secret = "s3cret/of+mine"

  /// A server that has no records and gives tokens at `/oauth/token` and `/session`.
  private func server() throws -> SocketServer {
    try SocketServer { request in
      if request.hasPrefix("POST /oauth/token") {
        return SocketServer.json(200, #"{"access_token":"0auth-t0ken","token_type":"Bearer","expires_in":3600}"#)
      }
      if request.hasPrefix("POST /entry") {
        return SocketServer.json(201, #"{"jwt":"s3ssion-t0ken","renew":"r3newal-t0ken"}"#)
      }
      if request.hasPrefix("POST /session") { return SocketServer.json(201, #"{"data":{"token":"s3ssion-t0ken"}}"#) }
      return SocketServer.json(200, "[]")
    }
  }

  /// The user's own configuration of one backend.
  private func configure(_ members: String, _ server: SocketServer) throws {
    try home.writeOwn(
      #"{"switchboard": 1, "default": "b", "backends": {"b": {"plugin": "kitura", "url": "\#(server.address)/", "resource": "todos", \#(members)}}}"#
    )
  }

  private func program(_ body: String) throws -> String {
    try home.writeProgram("#!/bin/sh\necho run >> \"$0.runs\"\n\(body)\n", to: "helper")
  }

  private var runs: Int {
    ((try? String(contentsOfFile: home.folder.path + "/helper.runs", encoding: .utf8)) ?? "").count { $0 == "\n" }
  }

  @Test(
    "the request carries what the configuration says, and neither trace, log nor recording does",
    arguments: [
      (
        #""login": {"kind": "basic"}, "credentials": {"username": "ana", "password": {"env": "S"}}"#, "GET / ",
        "Authorization: Basic \(Data("ana:\(secret)".utf8).base64EncodedString())"
      ),
      (
        #""login": {"kind": "bearer"}, "credentials": {"token": {"env": "S"}}"#, "GET / ",
        "Authorization: Bearer \(secret)"
      ),
      (
        #""login": {"kind": "bearer", "prefix": ""}, "credentials": {"token": {"env": "S"}}"#, "GET / ",
        "Authorization: \(secret)"
      ),
      (
        #""login": {"kind": "key", "header": "X-Name"}, "credentials": {"key": {"env": "S"}}"#, "GET / ",
        "X-Name: \(secret)"
      ),
      (
        #""login": {"kind": "key", "query": "q"}, "credentials": {"key": {"env": "S"}}"#, "GET /?q=s3cret%2Fof%2Bmine ",
        ""
      ),
      (
        #""login": {"kind": "key", "cookie": "sid"}, "credentials": {"key": {"env": "S"}}"#, "GET / ",
        "Cookie: sid=\(secret)"
      ),
      (
        #""login": {"kind": "oauth2", "grant": "clientCredentials", "tokenURL": "/oauth/token"}, "credentials": {"clientID": "app", "clientSecret": {"env": "S"}}"#,
        "GET / ", "Authorization: Bearer 0auth-t0ken"
      ),
      (
        #""login": {"kind": "login", "request": {"path": "session", "json": {"u": "$username", "p": "$password"}}, "response": {"token": "data.token"}, "query": "s"}, "credentials": {"username": "ana", "password": {"env": "S"}}"#,
        "GET /?s=s3ssion-t0ken ", ""
      ),
      (
        #""login": {"kind": "login", "request": {"path": "entry", "json": {"u": "$username", "p": "$password"}}, "response": {"token": "jwt", "refreshToken": "renew"}}, "credentials": {"username": "ana", "password": {"env": "S"}}"#,
        "GET / ", "Authorization: Bearer s3ssion-t0ken"
      ),
    ])
  func carried(members: String, line: String, field: String) async throws {
    let server = try server()
    try configure(members, server)
    let (log, recording) = (home.folder.path + "/log", home.folder.path + "/rec")
    let run = try await ConsoleRun.run(
      ["--trace", "--log", log, "--record", recording, "-c", "count", "-c", "explain list"], in: home,
      variables: ["S": Self.secret])
    #expect((run.status, run.output.hasPrefix("0\n")) == (0, true), "\(run.errors)")
    let request = try #require(server.texts.last)
    #expect(request.hasPrefix(line) && (field.isEmpty || request.contains(field)), "\(request)")
    #expect(run.errors.contains("[blanked]"))
    let basic = Data("ana:\(Self.secret)".utf8).base64EncodedString()
    let kept = try [log, recording].map { try String(contentsOfFile: $0, encoding: .utf8) }
    let secrets = [Self.secret, "s3cret%2Fof%2Bmine", "s3cret\\/of", basic, "0auth-t0ken", "s3ssion-t0ken", "r3newal"]
    for text in [run.errors, run.output] + kept {
      for secret in secrets {
        #expect(!text.contains(secret), "\(secret) in \(text)")
      }
    }
  }

  @Test("a login that was kept counts for the configured user, and one as another user lasts for its run")
  func otherUser() async throws {
    let server = try server()
    try configure(
      #""login": {"kind": "login", "request": {"path": "session", "json": {"u": "$username", "p": "$password"}}, "response": {"token": "data.token"}}, "credentials": {"username": {"env": "U"}, "password": {"env": "S"}}"#,
      server)
    func logins(_ user: String, _ commands: String...) async throws -> [String] {
      let before = server.texts.count
      let run = try await ConsoleRun.run(
        commands.flatMap { ["-c", $0] }, in: home,
        variables: ["U": user, "S": Self.secret, "SWITCHBOARD_PASSWORD": "b0bs-password"])
      #expect(run.status == 0, "\(run.errors)")
      return server.texts.dropFirst(before).filter { $0.hasPrefix("POST /session") }
        .map { $0.firstMatch(of: /"u":"([a-z]+)"/).map { String($0.1) } ?? "" }
    }
    #expect(try await logins("ana", "count") == ["ana"])
    #expect(try await logins("ana", "count").isEmpty)
    #expect(try await logins("root", "count") == ["root"])
    #expect(try await logins("root", "login b bob", "count") == ["bob"])
    #expect(try await logins("root", "count").isEmpty)
  }

  @Test("a program is run once, when a request needs it, and gives every command what it gave")
  func helper() async throws {
    let server = try server()
    let path = try program("echo s3cret-of-helper")
    try configure(
      #""login": {"kind": "bearer"}, "credentials": {"token": {"command": ["\#(path)"]}}, "headers": {"X-Team": {"command": ["\#(path)"]}}"#,
      server)
    let silent = try await home.run(commands: "backends", "explain list", "help", "show")
    #expect(silent.status == 0 && silent.output.contains("bearer"), "\(silent.errors)")
    let checked = try await ConsoleRun.run(["--check", "-c", "count", "-c", "delete 1"], in: home)
    #expect(checked.status == 0 && runs == 0 && server.texts.isEmpty)
    let run = try await ConsoleRun.run(["--trace", "-c", "count", "-c", "count"], in: home)
    #expect((run.status, run.output) == (0, "0\n0\n"), "\(run.errors)")
    #expect(runs == 1 && !run.errors.contains("s3cret-of-helper"))
    #expect(server.texts.count == 2)
    for text in server.texts {
      #expect(text.contains("\r\nAuthorization: Bearer s3cret-of-helper\r\n"))
      #expect(text.contains("\r\nX-Team: s3cret-of-helper\r\n"))
    }
    let restricted = try await ConsoleRun.run(["--restricted", "-c", "count"], in: home)
    #expect((restricted.status, restricted.output) == (0, "0\n"), "\(restricted.errors)")
  }

  @Test("a program that fails is one sentence with the backend and the program, and nothing is sent")
  func failingHelper() async throws {
    let server = try server()
    let path = try program("echo s3cret-of-helper; echo 'the vault is locked' >&2; exit 1")
    try configure(#""login": {"kind": "bearer"}, "credentials": {"token": {"command": ["\#(path)"]}}"#, server)
    let run = try await home.run(commands: "count")
    #expect(run.status == 3 && run.output.isEmpty && server.texts.isEmpty)
    #expect(
      run.errors.contains("backends.b.credentials.token: the program \(path) ended with status 1: the vault is locked"))
    #expect(!run.errors.contains("s3cret-of-helper") && run.errors.count { $0 == "\n" } == 1)
  }

  @Test("Ctrl-C ends a program that hangs, and the run")
  func interrupted() async throws {
    let server = try server()
    try Program.run("mkfifo", home.folder.path + "/started", home.folder.path + "/never")
    let path = try program("cd \(home.folder.path); echo $$ > pid; echo x > started; read line < never")
    try configure(#""login": {"kind": "bearer"}, "credentials": {"token": {"command": ["\#(path)"]}}"#, server)
    let console = try ConsoleRun.start(["-c", "count"], in: home)
    // Ends once the program has begun.
    try Program.run("head", "-n", "1", home.folder.path + "/started")
    let run = try await console.end(by: SIGINT)
    #expect(run.status == 130 && run.output.isEmpty && server.texts.isEmpty, "\(run.errors)")
    let text = try String(contentsOfFile: home.folder.path + "/pid", encoding: .utf8)
    let process = try #require(Int32(text.filter(\.isNumber)))
    #expect(kill(process, 0) != 0)
  }

  @Test("a program that a folder's configuration names is not started, however much that is trusted")
  func foreignHelper() async throws {
    let server = try server()
    let path = try program("echo s3cret")
    let folder = home.folder.appending(path: "work")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    _ = try home.write(
      #"{"switchboard": 1, "default": "b", "backends": {"b": {"plugin": "kitura", "url": "\#(server.address)/", "login": {"kind": "bearer"}, "credentials": {"token": {"command": ["\#(path)"]}}}}}"#,
      to: "work/config.json")
    #expect(try await ConsoleRun.run(["-c", "config trust"], in: home, directory: folder.path).status == 0)
    for arguments in [[], ["--config", "config.json"]] {
      let run = try await ConsoleRun.run(arguments + ["-c", "count b/todos"], in: home, directory: folder.path)
      #expect(run.status == 3 && runs == 0 && server.texts.isEmpty, "\(run.errors)")
      #expect(run.errors.contains("a program that provides secrets is started only for the user's own configuration"))
    }
  }

  @Test("commands say what holds for a kind without a login request, and what kind it is")
  func commands() async throws {
    let server = try server()
    try configure(#""login": {"kind": "key", "header": "X-Key"}, "credentials": {"key": {"env": "S"}}"#, server)
    for (command, sentence) in [
      ("login ana", "this backend takes a key, and no user name"),
      ("logout", "this backend sends a key with every request; there is nothing to log in to"),
    ] {
      let run = try await ConsoleRun.run(["-c", command], in: home, variables: ["S": Self.secret])
      #expect(run.status != 0 && run.errors.contains(sentence), "\(command): \(run.errors)")
    }
    let who = try await ConsoleRun.run(["-c", "whoami"], in: home, variables: ["S": Self.secret])
    #expect(who.status != 0 && who.errors.contains("whoami is not supported: no identity request is configured"))
    #expect(server.texts.isEmpty)
    let run = try await ConsoleRun.run(["-c", "describe", "-c", "backends"], in: home, variables: ["S": Self.secret])
    #expect(run.status == 0 && run.output.contains("a key with every request"))
    #expect(run.output.contains("LOGIN") && !run.output.contains(Self.secret))
  }
}
