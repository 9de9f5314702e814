import AdapterSupport
import ConsoleSupport
import Foundation
import Synchronization
import TerminalSupport
import TestSupport
import Testing

/// Secrets in the keyring, as a user of the console keeps and uses them. A script takes the place of `secret-tool`.
@Suite("The keyring in a run") struct KeyringRunTests {
  private let home: ConsoleRun.Home
  private let server: SocketServer
  private let folder: String

  init() throws {
    home = try ConsoleRun.Home()
    folder = home.folder.path + "/bin"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    _ = try home.writeProgram(KeyringProgram.text, to: "bin/" + KeyringProgram.name)
    server = try SocketServer { request in
      if request.hasPrefix("POST /session") { return SocketServer.json(201, #"{"access_token":"s3ssion-t0ken"}"#) }
      let isGood = ["Bearer k3pt-t0ken", "Bearer s3ssion-t0ken"].contains {
        request.contains("\r\nAuthorization: \($0)\r\n")
      }
      return isGood ? SocketServer.json(200, "[]") : SocketServer.json(401, "{}")
    }
  }

  private func configure(_ members: String) throws {
    try home.writeOwn(
      #"{"switchboard": 1, "default": "b", "backends": {"b": {"plugin": "kitura", "url": "\#(server.address)/", "resource": "todos", \#(members)}}}"#
    )
  }

  private var surroundings: [String: String] {
    ["PATH": "\(folder):/usr/bin:/bin", "DBUS_SESSION_BUS_ADDRESS": "unix:path=/bus"]
  }

  private func run(
    _ commands: String..., options: [String] = [], password: String? = nil
  ) async throws -> ConsoleRun {
    var variables = surroundings
    variables["SWITCHBOARD_PASSWORD"] = password
    return try await ConsoleRun.run(options + commands.flatMap { ["-c", $0] }, in: home, variables: variables)
  }

  private func item(_ name: String = "switchboard b") -> String? {
    try? String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
  }

  private var sent: [String] {
    server.texts.compactMap { $0.firstMatch(of: /Authorization: (.*)\r\n/).map { String($0.1) } }
  }

  @Test("a token is read where a request needs it, kept by login, and removed by logout")
  func token() async throws {
    try configure(#""login": {"kind": "bearer"}, "credentials": {"token": {"keyring": "switchboard/b"}}"#)
    let absent = try await run("count")
    #expect(absent.status == 3 && server.texts.isEmpty)
    #expect(
      absent.errors.contains(
        "backends.b.credentials.token: the keyring has no item switchboard/b; login b keeps one there"),
      "\(absent.errors)")
    let session = try await run("login b --session-only", "count", password: "k3pt-t0ken")
    #expect(session.status == 0 && item() == nil, "\(session.errors)")
    let (log, recording) = (home.folder.path + "/log", home.folder.path + "/rec")
    let kept = try await run("login b", options: ["--trace", "--log", log], password: "k3pt-t0ken")
    #expect(kept.status == 0 && kept.errors.contains("kept in the keyring: switchboard/b"), "\(kept.errors)")
    #expect(item() == "k3pt-t0ken")
    let used = try await run("count", "count", options: ["--trace", "--record", recording])
    #expect((used.status, used.output) == (0, "0\n0\n"), "\(used.errors)")
    #expect(sent == Array(repeating: "Bearer k3pt-t0ken", count: 3))
    let calls = try #require(item("calls"))
    for text in [kept.errors, kept.output, used.errors, calls]
      + (try [log, recording].map { try String(contentsOfFile: $0, encoding: .utf8) })
    {
      #expect(!text.contains("k3pt-t0ken"), "\(text)")
    }
    let restricted = try await run("count", options: ["--restricted"])
    #expect(restricted.status == 3 && restricted.errors.contains("the keyring is not read in a restricted run"))
    #expect(item("calls") == calls)
    let left = try await run("count", "logout", "count")
    #expect(left.errors.contains("removed from the keyring: switchboard/b") && item() == nil, "\(left.errors)")
    // Without a login the request carries nothing, and the session does not remember the token.
    #expect(left.status != 0 && sent.count == 4 && server.texts.count == 5, "\(left.errors)")
  }

  @Test("a logout fails if the secret stays in the keyring")
  func stays() async throws {
    try configure(#""login": {"kind": "bearer"}, "credentials": {"token": {"keyring": "switchboard/b"}}"#)
    _ = try await run("login b", password: "k3pt-t0ken")
    _ = try home.write("", to: "bin/locked")
    let run = try await run("logout")
    #expect(run.status == 1 && item() == "k3pt-t0ken")
    #expect(run.errors.contains("switchboard/b is still kept: the keyring is locked"), "\(run.errors)")
  }

  @Test("a login that the keyring does not take holds, with a warning")
  func notKept() async throws {
    try configure(#""login": {"kind": "bearer"}, "credentials": {"token": {"keyring": "switchboard/b"}}"#)
    _ = try home.write("secret-tool: Cannot create an item in a locked collection\n", to: "bin/says")
    let run = try await run("login b", "count", password: "k3pt-t0ken")
    #expect((run.status, run.output.hasSuffix("0\n")) == (0, true), "\(run.errors)")
    #expect(run.errors.contains("Cannot create an item in a locked collection"), "\(run.errors)")
    #expect(run.errors.contains("later runs do not have what was given"), "\(run.errors)")
  }

  @Test("the password of the configured user is kept, not that of another one")
  func password() async throws {
    try configure(
      #""login": {"kind": "login", "request": {"path": "session", "json": {"u": "$username", "p": "$password"}}}, "credentials": {"username": "ana", "password": {"keyring": "switchboard/b"}}"#
    )
    #expect(try await run("login b bob", password: "b0bs-password").status == 0)
    #expect(item() == nil)
    #expect(try await run("login b", password: "anas-passw0rd").status == 0)
    #expect(item() == "anas-passw0rd")
    let bodies = server.texts.compactMap { $0.components(separatedBy: "\r\n\r\n").last }
    #expect(bodies == [#"{"u":"bob","p":"b0bs-password"}"#, #"{"u":"ana","p":"anas-passw0rd"}"#])
    #expect(try await run("logout").errors.contains("removed from the keyring: switchboard/b"))
    #expect(item() == nil)
  }

  @Test("at a terminal a refusal names the variable, and login takes another token and offers to keep it")
  func offered() async throws {
    try configure(#""login": {"kind": "bearer"}, "credentials": {"token": {"env": "B_TOKEN"}}"#)
    let config = home.folder.path + "/config/switchboard/config.json"
    let console = try ConsoleTmux(
      in: home, config: config, environment: surroundings.merging(["B_TOKEN": "0ld-t0ken"]) { $1 }, columns: 200)
    let refused = try console.run("count").text
    #expect(
      refused.contains(
        "the configuration takes the token from the environment variable B_TOKEN; login b gives another"),
      "\(refused)")
    try console.terminal.enter("login b")
    try console.terminal.wait("the question for the token") { $0.cursorLine.hasPrefix("Token for b:") }
    try console.terminal.enter("k3pt-t0ken")
    let question = "Keep the token in the keyring (switchboard/b) for later runs? [y/N]"
    try console.terminal.wait("the offer") { $0.cursorLine.hasPrefix(question) }
    try console.terminal.enter("y")
    let picture = try console.terminal.wait("the prompt") {
      $0.cursorLine.hasSuffix(">") && $0.text.contains("later runs read the token from the keyring")
    }
    #expect(!picture.text.contains("k3pt") && item() == "k3pt-t0ken")
    #expect(try console.run("count").lines.contains("0"))
    let written = try String(contentsOfFile: config, encoding: .utf8)
    #expect(written.contains(#""keyring": "switchboard/b""#) && !written.contains("B_TOKEN"), "\(written)")
    let later = try await run("count")
    #expect((later.status, later.output) == (0, "0\n"), "\(later.errors)")
  }

  @Test("a script is told which variable holds the refused token, and a backend with a token takes no user")
  func scripts() async throws {
    try configure(#""login": {"kind": "bearer"}, "credentials": {"token": {"env": "B_TOKEN"}}"#)
    let variables = surroundings.merging(["B_TOKEN": "0ld-t0ken"]) { $1 }
    let refused = try await ConsoleRun.run(["-c", "count"], in: home, variables: variables)
    #expect(refused.status != 0 && refused.errors.contains("takes the token from the environment variable B_TOKEN"))
    #expect(!refused.errors.contains("gives another") && !refused.errors.contains("0ld-t0ken"), "\(refused.errors)")
    let named = try await run("login b ana", password: "k3pt-t0ken")
    #expect(
      named.status == 2 && named.errors.contains("this backend takes a token, and no user name"), "\(named.errors)")
    let given = try await run("login b", "count", password: "k3pt-t0ken")
    #expect((given.status, given.output.hasSuffix("0\n")) == (0, true), "\(given.errors)")
    #expect(item() == nil && item("calls") == nil)
  }
}
