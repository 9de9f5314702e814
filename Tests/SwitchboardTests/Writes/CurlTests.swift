import ConsoleSupport
import DemoServerSupport
import Foundation
import Testing

/// Requests shown as commands of curl, as a shell reads them.
@Suite("Commands of curl") struct CurlTests {
  let home: ConsoleRun.Home
  let demo: DemoProcess

  init() async throws {
    demo = try await DemoProcess.start(["--memory", "--seed", "3"])
    home = try ConsoleRun.Home(
      configuration: """
        {"switchboard": 1, "default": "g", "backends": {
          "g": {"plugin": "grails", "url": "\(demo.base("grails"))", "resource": "announcements",
            "headers": {"X-Team": "it's us"}, "login": {"kind": "bearer"}, "credentials": {"token": {"env": "TOK"}}},
          "b": {"plugin": "grails", "url": "\(demo.base("grails"))", "resource": "announcements", "login": {"kind": "basic"},
            "credentials": {"username": "it's!", "password": {"env": "TOK"}}},
          "q": {"plugin": "jsonplaceholder", "url": "\(demo.base("jsonplaceholder"))",
            "login": {"kind": "key", "query": "key"}, "credentials": {"key": {"env": "TOK"}}}}}
        """)
  }

  /// The words that curl gets of a command.
  private func words(of command: String) throws -> [String] {
    let shell = Process()
    shell.executableURL = URL(filePath: "/bin/bash")
    shell.arguments = ["-c", "curl() { printf '%s\\n' \"$@\"; }\n\(command)"]
    shell.environment = ["TOK": "sekret-1", "LC_ALL": "C.UTF-8"]
    let pipe = Pipe()
    shell.standardOutput = pipe
    try shell.run()
    let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    shell.waitUntilExit()
    #expect(shell.terminationStatus == 0)
    return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
  }

  @Test func `a write of a dry run has method, address, header fields and body, and no secret`() async throws {
    let run = try await home.run(
      "update 1 title='it`s \"x\" $TOK' --dry-run --as curl\n", variables: ["TOK": "sekret-1"])
    #expect(run.status == 0 && !run.output.contains("sekret-1"), "\(run)")
    let words = try words(of: run.output)
    #expect(words.contains("\(demo.base("grails"))/announcement/1"), "\(words)")
    #expect(words.contains("X-Team: it's us") && words.contains("Authorization: Bearer sekret-1"), "\(words)")
    let body = try #require(words.firstIndex(of: "--data-raw").map { words[$0 + 1] })
    #expect(body.contains(#"it`s \"x\" $TOK"#), "\(body)")
    #expect(words.prefix(2) == ["-X", "PUT"], "\(words)")
  }

  @Test func `a read is shown and not sent, with a key in the query by its variable`() async throws {
    let run = try await home.run(
      commands: "request q GET todos title='a b' --as curl", "request q HEAD todos --as curl -o json")
    #expect(run.status == 0 && run.errors.contains("nothing was sent"), "\(run)")
    let line = try #require(run.output.split(separator: "\n").first.map(String.init))
    #expect(try words(of: line).contains("\(demo.base("jsonplaceholder"))/todos?title=a%20b&key=sekret-1"), "\(line)")
    #expect(run.output.contains("--head"), "\(run.output)")
  }

  @Test func `a write that would be sent is refused`() async throws {
    let run = try await home.run(commands: "create title=x --as curl")
    #expect(run.status == 2 && run.errors.contains("hint: add --dry-run"), "\(run)")
  }

  @Test func `an exclamation mark of a user is in single quotes, for shells with a history`() async throws {
    let run = try await home.run(commands: "request b GET announcements --as curl")
    #expect(run.output.contains("-u 'it'\\''s!':\"$TOK\" "), "\(run.output)")
    #expect(try words(of: run.output).contains("it's!:sekret-1"), "\(run.output)")
  }

  @Test func `the requests of a plan are shown as those of its dry run`() async throws {
    func run(_ command: String) async throws -> ConsoleRun {
      try await home.run(command + "\n", variables: ["TOK": "sekret-1"])
    }
    try await run("plan --to it.plan update 1 title=x").succeeded()
    let shown = try await run("plan show it.plan --as curl")
    let dry = try await run("apply it.plan --dry-run --as curl")
    #expect(shown.output == dry.output && shown.output.hasPrefix("curl -X PUT "), "\(shown)")
    let part = try await run("plan show it.plan verb=update --as curl")
    #expect(part.status == 2 && part.output.isEmpty, "\(part)")
  }

  @Test(arguments: [["--trace=curl"], ["-c", "set trace curl"]])
  func `a trace shows each request as a command that sends it again`(options: [String]) async throws {
    let run = try await ConsoleRun.run(
      ["--config", try #require(home.config)] + options + ["-c", "update 1 title='a!b'", "-c", "get q/todos 1 -o id"],
      in: home, variables: ["TOK": "sekret-1"])
    #expect(run.status == 0 && !run.errors.contains("sekret-1"), "\(run)")
    let requests = run.errors.split(separator: "\n").filter { $0.hasPrefix("> ") }.map {
      $0.drop { $0 != "c" }
    }
    let update = try #require(requests.first { $0.hasPrefix("curl -X PUT ") })
    let sent = try words(of: String(update))
    for word in ["X-Team: it's us", "Authorization: Bearer sekret-1", "\(demo.base("grails"))/announcement/1"] {
      #expect(sent.contains(word), "\(update)")
    }
    #expect(sent.contains { $0.contains(#""title":"a!b""#) }, "\(update)")
    #expect(requests.contains { $0.contains("/todos/1?key=") && !$0.contains("sekret") }, "\(requests)")
    #expect(run.errors.contains(/< \d+\.1 200,/), "\(run.errors)")
  }

  @Test func `a form of the trace that does not exist is refused`() async throws {
    for options in [["--trace=wget", "-c", "count"], ["-c", "set trace wget"]] {
      let run = try await ConsoleRun.run(["--config", try #require(home.config)] + options, in: home)
      #expect(run.status == 2 && run.errors.contains("trace"), "\(run)")
    }
  }
}
