import AdapterSupport
import ConsoleSupport
import Foundation
import Testing

/// `--trace`: what really went over the wire.
@Suite("Trace") struct TraceTests {
  let home: ConsoleRun.Home

  init() throws { home = try ConsoleRun.Home() }

  @Test("each attempt is shown: the request, and what came of it") func attempts() async throws {
    let server = try LedgerServer(title: "old", [.closed(carriedOut: false), .status(200)])
    let run = try await ConsoleRun.runProgram(
      ["--trace", "-c", "update kitura:\(server.address)/ 1 title=new"], in: home)
    #expect((run.status, run.output) == (0, "updated todos/1: title\n"))
    let lines = run.errors.split(separator: "\n").map { $0.replacing(/\d+ ms/, with: "N ms") }
    #expect(lines.filter { $0.contains("PATCH") } == (1...2).map { "> 1.\($0) PATCH \(server.address)/1" })
    #expect(lines.filter { $0 == #"> {"title":"new"}"# }.count == 2)
    #expect(lines.contains("! 1.1 \(server.address) closed the connection before it responded, N ms"))
    #expect(lines.contains("< 1.2 200, N ms") && lines.contains("< Content-Type: application/json"))
    #expect(lines.contains("< 1.2 body: 22 bytes, N ms") && lines.contains(#"< {"id":1,"title":"new"}"#))
  }

  @Test("no secret is shown, in text or as JSON", arguments: ["text", "json"]) func secrets(form: String) async throws {
    let home = try ConsoleRun.Home(
      configuration: """
        {"switchboard": 1, "default": "placeholder", "backends": {
          "placeholder": {"plugin": "jsonplaceholder", "url": "demo:jsonplaceholder", "resource": "posts",
            "headers": {"X-Team": {"env": "TEAM"}, "X-Api-Key": "literal-s3cret", "Cookie": "a=cookie-s3cret"},
            "secrets": ["taxNumber"]},
          "baasic": {"plugin": "baasic", "url": "demo:baasic", "resource": "todo",
            "credentials": {"username": "ana", "password": {"env": "PASSWORD"}}}}}
        """)
    let script = """
      create title=header-s3cret password=field-s3cret taxNumber=tax-s3cret
      list --native token=query-s3cret
      list baasic -n 2
      whoami baasic

      """
    let run = try await home.runProgram(
      script, ["--trace", "--errors", form, "--on-error", "continue", "--stream"],
      variables: ["TEAM": "header-s3cret", "PASSWORD": "correct horse"])
    #expect(run.errors.contains("[blanked]"))
    for name in ["X-Team", "X-Api-Key", "Cookie", "Authorization", ", not shown"] {
      #expect(run.errors.contains(name), "\(name)")
    }
    let secrets = ["s3cret", "correct horse", "correct%20horse", "correct+horse"]
    for secret in secrets { #expect(!run.errors.contains(secret), "\(secret)") }
    #expect(!run.errors.contains("access_token") && !run.errors.contains("grant_type"))
    guard form == "json" else { return }
    for line in run.errors.split(separator: "\n") {
      let object = try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      if object["level"] as? String == "trace" { #expect(object["attempt"] as? Int == 1 && object["event"] != nil) }
    }
  }

  @Test("what a server sends moves no cursor") func escapes() async throws {
    let server = try SocketServer(
      SocketServer.answer(
        200, [("Content-Type", "application/json"), ("X-Note", "a\u{9B}2J")],
        "{\"id\":1,\"title\":\"\u{1B}[2J\u{202E}\"}"))
    let run = try await ConsoleRun.runProgram(["--trace", "-c", "get kitura:\(server.address)/ 1 -o id"], in: home)
    #expect(run.errors.contains("title") && run.errors.contains("X-Note"))
    for scalar in ["\u{1B}", "\u{9B}", "\u{202E}"] as [Unicode.Scalar] {
      #expect(!run.errors.unicodeScalars.contains(scalar), "\(scalar.value)")
    }
  }

  @Test("set trace turns it on and off") func setting() async throws {
    let run = try await ConsoleRun.runProgram(
      ["--config", ConsoleTerminal.config],
      input: "get 1 -o id\nset trace on\nget 2 -o id\nset trace off\nget 3 -o id\n",
      in: home)
    #expect((run.status, run.output) == (0, "1\n2\n3\n"))
    #expect(run.errors.split(separator: "\n").filter { $0.hasPrefix("> 1.1 GET ") }.count == 1)
    #expect(run.errors.contains("/announcements/2") && !run.errors.contains("/announcements/3"))
  }

  @Test("a long body is cut, and so it is said") func long() async throws {
    let body = #"{"id":1,"title":"\#(String(repeating: "x", count: 100_000))"}"#
    let server = try SocketServer(SocketServer.json(200, body))
    let run = try await ConsoleRun.runProgram(["--trace", "-c", "get kitura:\(server.address)/ 1 -o id"], in: home)
    #expect(run.errors.contains("body: \(body.utf8.count) bytes, of which the first 65536 are shown"))
    #expect(run.errors.utf8.count < 70_000)
  }

  @Test("a replay sends nothing that could be shown") func replay() async throws {
    let run = try await ConsoleRun.runProgram(["--trace", "--replay", "x", "-c", "get 1"], in: home)
    #expect(run.status == 2 && run.errors.contains("--trace"))
  }
}
