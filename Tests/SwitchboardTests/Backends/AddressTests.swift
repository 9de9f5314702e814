import ConsoleSupport
import DemoServerSupport
import Foundation
import TerminalSupport
import TestSupport
import Testing

/// Backends that are given by plugin and address, and a console without any configuration.
@Suite("Backends given by address") struct AddressTests {
  let home: ConsoleRun.Home

  init() throws { home = try ConsoleRun.Home() }

  @Test("a resource that the service has may follow the address, in use and in every command")
  func resources() async throws {
    let demo = try await Demo.start(["--memory"])
    let base = "jsonplaceholder:\(demo.base("jsonplaceholder"))"
    for commands in [
      ["use \(base)/users", "list -n 1 -o id"], ["list \(base)/users -n 1 -o id"], ["get \(base)/users 1 -o id"],
      ["use \(base)", "list users -n 1 -o id"], ["use \(base)/users/1/todos", "list -n 1 -o id"],
      ["list \(base)/users/1/todos -n 1 -o id"],
    ] {
      let run = try await home.run("", commands.flatMap { ["-c", $0] })
      #expect((run.status, run.output) == (0, "1\n"), "\(commands): \(run.errors)")
    }
    let grails = try await home.run(commands: "list grails:\(demo.base("grails"))/announcements -n 1 -o id")
    #expect(grails.status == 0 && grails.output.split(separator: "\n").count == 1, "\(grails.errors)")
  }

  @Test("a word behind the address that is not a known resource is reported, in both readings")
  func unknown() async throws {
    let demo = try await Demo.start(["--memory"])
    let base = "jsonplaceholder:\(demo.base("jsonplaceholder"))"
    let several = try await home.run(commands: "list \(base)/userz")
    #expect(several.status != 0)
    #expect(several.errors.contains("\(base)/userz is read as the address of a service"), "\(several.errors)")
    let single = try await home.run(commands: "list kitura:\(demo.base("kitura"))/todoz")
    #expect(single.status != 0)
    #expect(
      single.errors.contains("since \"todoz\" is not a known resource of kitura:\(demo.base("kitura"))"),
      "\(single.errors)")
  }

  @Test("demo:NAME alone is the demo of the plugin of that name") func demo() async throws {
    for command in [
      "list demo:grails -n 1 -o id", "list demo:grails/announcements -n 1 -o id",
      "list demo:jsonplaceholder/users -n 1 -o id",
      "list grails:demo:grails/announcements -n 1 -o id",
    ] {
      let run = try await home.run(commands: command)
      #expect(run.status == 0, "\(command): \(run.errors)")
      #expect(run.output.split(separator: "\n").count == 1)
    }
    let none = try await home.run(commands: "list demo:nothere")
    #expect(none.status != 0 && none.errors.contains("nothere"), "\(none.errors)")
  }

  @Test("without any configuration it is said in one line how to begin") func beginning() async throws {
    let script = try await home.run(commands: "list")
    #expect(script.status == 2)
    #expect(script.errors.contains("try the demo with `use demo:grails`"), "\(script.errors)")
    let terminal = try ConsoleTerminal.open([], in: home)
    try terminal.expect(
      "No backend is configured: connect a service with `add ADDRESS`, or try the demo with `use demo:grails`.")
    try terminal.expect("switchboard>")
    terminal.send("use demo:grails\rcount\r")
    try terminal.expect("6")
    // Configured, it says nothing of that.
    let configured = try ConsoleTerminal.start(in: home)
    #expect(!configured.screen.fullText.contains("begin with"))
  }

  @Test("backends and prompt show as whom one works, and what keeps a connection from being safe")
  func identity() async throws {
    let home = try ConsoleRun.Home(
      configuration: """
        {"switchboard": 1, "default": "a", "settings": {"prompt": "%b %u%m> "}, "backends": {
          "a": {"plugin": "grails", "url": "http://example.org", "credentials": {"username": "ana", "password": {"env": "X"}}},
          "b": {"plugin": "grails", "url": "https://example.org", "tls": {"insecure": true}},
          "c": {"plugin": "grails", "url": "http://127.0.0.1:1", "credentials": {"username": {"env": "WHO"}, "password": {"env": "X"}}}
        }}
        """)
    let run = try await home.run("", ["backends"], variables: ["WHO": "bob"])
    #expect(
      run.output == """
        NAME  PLUGIN  ADDRESS              RESOURCE  USER
        a     grails  http://example.org             ana   current, not encrypted
        b     grails  https://example.org                  server not verified
        c     grails  http://127.0.0.1:1             bob

        """, "\(run.output)")
    let json = try await home.run("", ["backends", "-o", "ndjson"])
    #expect(json.output.contains(#""user":"ana","connection":"not encrypted""#), "\(json.output)")
    let terminal = try ConsoleTerminal.open(["--config", try #require(home.config)], in: home)
    try terminal.expect("a ana [not encrypted]>")
    terminal.send("use b\r")
    try terminal.expect("b  [server not verified]>")
  }

  @Test("a login is kept for later runs with its user, until logout, and only in memory where that is asked for")
  func logins() async throws {
    let demo = try await DemoProcess.start(["--memory"])
    let home = try ConsoleRun.Home(
      configuration: """
        {"switchboard": 1, "default": "b", "backends": {
          "b": {"plugin": "baasic", "url": "\(demo.base("baasic"))", "resource": "todo"}}}
        """)
    func run(_ commands: String...) async throws -> ConsoleRun {
      try await home.run("", commands.flatMap { ["-c", $0] }, variables: ["SWITCHBOARD_PASSWORD": "correct horse"])
    }
    let file = home.folder.path + "/state/switchboard/tokens/b"
    let once = try await run("login ana --session-only", "whoami -o json", "backends")
    #expect((once.status, once.errors) == (0, ""))
    #expect(once.output.contains("\"ana\"") && once.output.contains("  ana   current"), "\(once.output)")
    #expect(!FileManager.default.fileExists(atPath: file))
    #expect(try await run("backends").output.contains("USER") == false)
    let kept = try await run("login ana -o json")
    #expect(kept.output.contains("\"file\": \"\(file)\""), "\(kept.output)")
    #expect(try await run("backends").output.contains("  ana   current"))
    let identity = try await run("whoami -o json").output
    #expect(identity.contains("\"ana\"") && identity.contains("\"roles\"") && identity.contains("\"permissions\""))
    #expect(try await run("logout").status == 0)
    #expect(!FileManager.default.fileExists(atPath: file))
    #expect(try await run("whoami").status != 0)
  }
}
