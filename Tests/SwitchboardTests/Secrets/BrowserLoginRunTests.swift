import ConsoleSupport
import Foundation
import TerminalSupport
import TestSupport
import Testing

/// Logins by a person, as a user meets them: at a terminal, over ssh, in a script.
@Suite("Logins in the browser") struct BrowserLoginRunTests {
  private let home: ConsoleRun.Home
  private let server: PythonServer
  private var log: String { home.folder.path + "/log" }

  /// A home with the backends `b`, whose issuer publishes its endpoints, and `plain`, which names its own.
  init() async throws {
    home = try ConsoleRun.Home()
    server = try await PythonServer("../../HTTPTransportTests/Server/authorization.py")
    let address = server.address
    func backend(_ name: String, _ endpoints: String) -> String {
      #"""
      "\#(name)": {
        "plugin": "kitura", "url": "\#(address)/", "resource": "todos", "credentials": {"clientID": "public"},
        "login": {"kind": "oauth2", "grant": "authorizationCode", "scope": "read write", \#(endpoints)}}
      """#
    }
    let backends = [
      backend("b", #""issuer": "\#(address)""#),
      backend("plain", #""authorizationURL": "/authorize", "tokenURL": "/token""#),
    ]
    try home.writeOwn(#"{"switchboard": 1, "default": "b", "backends": {\#(backends.joined(separator: ", "))}}"#)
  }

  private func terminal(_ arguments: [String], _ variables: [String: String] = [:]) throws -> PseudoTerminal {
    try PseudoTerminal(
      ConsoleRun.executable.path, arguments: arguments, environment: home.variables.merging(variables) { $1 },
      directory: home.folder.path, columns: 200, rows: 60)
  }

  /// A program for `BROWSER` that opens an address as a person's browser does.
  private func browser() throws -> String {
    let python = try Program.run("python3", "-c", "import sys; print(sys.executable)").filter { $0 != "\n" }
    let script = ConsoleRun.root.path + "/Tests/HTTPTransportTests/Server/browser.py"
    return try home.writeProgram("#!/bin/sh\nexec '\(python)' -B '\(script)' \"$1\" > /dev/null\n", to: "browser")
  }

  /// The values of a member of the forms that were sent to the token endpoint.
  private func sent(_ name: String) throws -> [String] {
    let log = try JSONSerialization.jsonObject(with: Data(server.read("log").utf8)) as? [[String: Any]]
    return (log ?? []).compactMap { ($0["form"] as? [String: String])?[name] }
  }

  private func requests() throws -> [String] {
    let log = try JSONSerialization.jsonObject(with: Data(server.read("log").utf8)) as? [[String: Any]]
    return (log ?? []).compactMap { $0["request"] as? String }
  }

  @Test("a session opens the browser, and neither screen, trace, log nor history has a code, a verifier or a token")
  func session() async throws {
    _ = try server.read("mode", #"{"scope": "read admin"}"#)
    let terminal = try terminal(["--trace", "--log", log], ["BROWSER": try browser()])
    try terminal.expectPrompt(">")
    terminal.send("login b\r")
    try terminal.expect("logged in to b as zoe")
    try terminal.expect("the service gave another scope than requested: without write, and with admin in addition")
    try terminal.expectPrompt(">")
    #expect(terminal.screen.fullText.contains("the browser is opening; if it does not, open this address in it:"))
    terminal.send("count\r")
    try terminal.wait("the count") { $0.lines.contains("0") && $0.modes.contains(2004) }
    terminal.send("quit\r")
    #expect(try terminal.waitForExit() == .exited(0))
    let history = try String(contentsOfFile: home.folder.path + "/state/switchboard/history", encoding: .utf8)
    #expect(history.contains("login b"))
    let run = try await ConsoleRun.run(
      ["--trace", "--log", log, "-c", "count", "-c", "whoami", "-c", "backends"], in: home)
    #expect(run.status == 0 && run.output.hasPrefix("0\n"), "\(run.errors)")
    for fact in ["zoe", "read admin", "expires"] { #expect(run.output.lowercased().contains(fact), "\(run.output)") }
    let verifiers = try sent("code_verifier")
    #expect(verifiers.count == 1)
    let kept = try String(contentsOfFile: log, encoding: .utf8)
    let shown = String(decoding: terminal.output, as: UTF8.self)
    for text in [shown, kept, history, run.output, run.errors] {
      for secret in verifiers + ["c0de-", "acc3ss-", "r3fresh-"] {
        #expect(!text.contains(secret), "\(secret) in \(text)")
      }
    }
  }

  @Test("over ssh a code for another device takes the place of the browser")
  func remote() async throws {
    let variables = ["SSH_CONNECTION": "192.0.2.1 1 192.0.2.2 22", "DISPLAY": ":0"]
    let terminal = try terminal(["--log", log, "login", "b"], variables)
    try terminal.expect("Ctrl-C cancels")
    let code = try #require(terminal.screen.fullText.firstMatch(of: /type the code (WDJB-\d+):/)).1
    #expect(terminal.screen.fullText.contains("\(server.address)/activate"))
    _ = try server.read("activate?user_code=\(code)")
    try terminal.expect("logged in to b as zoe")
    #expect(try terminal.waitForExit() == .exited(0))
    #expect(!terminal.screen.fullText.contains("device-c0de"))
    #expect(try await home.run(commands: "count").output == "0\n")
  }

  @Test("without a browser the address is shown, and Ctrl-C ends the login and its port")
  func interrupted() async throws {
    let terminal = try terminal(["login", "plain"])
    try terminal.expect("waiting for the browser, at most 5 minutes; Ctrl-C cancels")
    let text = terminal.screen.fullText
    #expect(text.contains("open this address in a browser on this machine:"))
    let port = try #require(text.firstMatch(of: /ssh -L (\d+):127\.0\.0\.1/).flatMap { Int($0.1) })
    terminal.send("\u{3}")
    #expect(try terminal.waitForExit() == .exited(130))
    #expect(throws: RawConnection.Failure.self) { try RawConnection(port: port) }
    #expect(try !requests().contains("POST /token"))
  }

  @Test("a script fails with the line to type, sends nothing as nobody, and a restricted run has no login")
  func script() async throws {
    let login = try await home.run(commands: "login b")
    #expect(login.status == 2, "\(login.errors)")
    #expect(login.errors.contains("b logs in in the browser, which a script cannot do"))
    #expect(login.errors.contains("type at a terminal: switchboard login b"))
    let named = try await home.run(commands: "login b ana")
    #expect(named.status == 2 && named.errors.contains("b logs in in the browser, without a user name"))
    for command in ["count", "whoami"] {
      let run = try await home.run(commands: command)
      #expect(run.status != 0 && run.output.isEmpty)
      #expect(run.errors.contains("nobody is logged in at \(server.address)"), "\(run.errors)")
      #expect(run.errors.contains("type at a terminal: switchboard login b\n"), "\(run.errors)")
    }
    let restricted = try await ConsoleRun.run(["--restricted", "-c", "login b"], in: home)
    #expect(restricted.status != 0 && restricted.errors.contains("not allowed with --restricted"))
    #expect(try requests().isEmpty)
  }
}
