import ConsoleSupport
import DemoServerSupport
import Foundation
import TerminalSupport
import TestSupport
import Testing

/// A command that would ask at a terminal fails if no one can be asked, and names the flag that answers.
@Suite("Questions without a terminal") struct QuestionTests {
  let home: ConsoleRun.Home

  init() throws { home = try ConsoleRun.Home() }

  /// A production backend, one that is none, and one whose records may not be played with because it is no demo.
  private func configuration(_ demo: DemoProcess) throws -> String {
    let base = demo.base("grails")
    return try home.write(
      """
      {"switchboard": 1, "default": "plain", "backends": {
        "plain": {"plugin": "grails", "url": "\(base)", "resource": "announcements"},
        "live": {"plugin": "grails", "url": "\(base)", "resource": "announcements", "label": "production"}}}
      """, to: "config.json")
  }

  private static let questions = [
    "create live title=x", "update live 3 title=x", "delete live 3", "delete 3 4", "delete live 3 4",
    "delete live --all", "delete todolist --all", "conformance", "conformance --sandbox",
    "conformance --sweep",
  ]

  @Test("the sentence names --yes, nothing is sent, and the status is that of wrong usage", arguments: questions)
  func unasked(command: String) async throws {
    let demo = try await DemoProcess.start(["--memory"])
    var config = try configuration(demo)
    if command.contains("todolist") { config = ConsoleTerminal.config }
    if command == "delete live --all" {
      // Grails cannot delete all: that is said first.
      let run = try await ConsoleRun.run(["--config", config, "-c", command], in: home)
      #expect((run.status, run.output) == (2, ""))
      return
    }
    for input in ["", "y\ny\n"] {
      let run = try await ConsoleRun.run(["--config", config, "-c", command], input: input, in: home)
      #expect((run.status, run.output) == (2, ""))
      let count = command.hasPrefix("delete live") ? "=\(command.split(separator: " ").count - 2)" : ""
      #expect(run.errors.contains("needs --yes\(count); nothing was sent"), "\(run.errors)")
    }
    let counts = try await demo.send("GET", "/_demo/requests").object()
    #expect(counts.allSatisfy { $0.value as? Int ?? 0 == 0 }, "\(counts)")
  }

  @Test("--yes answers", arguments: ["create live title=x", "update live 3 title=x", "delete live 3", "delete 3 4"])
  func answered(command: String) async throws {
    let demo = try await DemoProcess.start(["--memory"])
    let answer = command == "delete live 3" ? " --yes=1" : " --yes"
    let run = try await ConsoleRun.run(["--config", try configuration(demo), "-c", command + answer], in: home)
    #expect((run.status, run.errors) == (0, ""))
  }

  @Test("a command of -c asks nobody, even beside a terminal", arguments: ["delete 3 4", "create live title=x"])
  func beside(command: String) async throws {
    let demo = try await DemoProcess.start(["--memory"])
    let terminal = try ConsoleTerminal.open(["--config", try configuration(demo), "-c", command], in: home)
    try terminal.expect("needs --yes")
    #expect(try terminal.waitForExit() == .exited(2))
  }

  @Test("several commands that come through a pipe are run without being shown first") func paste() async throws {
    let run = try await home.runShipped(input: "count\ncount\ncount\n")
    #expect((run.status, run.output, run.errors) == (0, "6\n6\n6\n", ""))
  }

  @Test("a password is not asked for: the option and the variable are named") func password() async throws {
    let run = try await home.runShipped("-c", "login baasic ana", input: "correct horse\n")
    #expect((run.status, run.output) == (2, ""))
    #expect(run.errors.contains("--password-file FILE, or the variable SWITCHBOARD_PASSWORD"))
  }

  @Test("a password's file that others may read is refused, and nothing is sent") func passwordFile() async throws {
    let demo = try await DemoProcess.start(["--memory"])
    let config = try home.write(
      #"{"switchboard": 1, "backends": {"baasic": {"plugin": "baasic", "url": "\#(demo.base("baasic"))"}}}"#,
      to: "baasic.json")
    let file = try home.write("correct horse\n", to: "secret")
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
    let run = try await ConsoleRun.run(["--config", config, "-c", "login baasic ana --password-file secret"], in: home)
    #expect((run.status, run.output) == (2, ""))
    #expect(run.errors.contains("the secret in secret is open to others (mode 0644)"), "\(run.errors)")
    #expect(try await demo.send("GET", "/_demo/requests").object()["total"] as? Int == 0)
    let piped = try await home.shell(
      "\(ConsoleRun.executable.path) --config \(config) login baasic ana --password-file <(cat secret)")
    #expect(!piped.errors.contains("open to others"), "\(piped.errors)")
  }

  @Test("trust is not asked for: the command that gives it is named") func trust() async throws {
    _ = try home.write(
      """
      {"switchboard": 1, "default": "baasic", "backends": {"baasic": {"plugin": "baasic", "url": "demo:baasic",
       "resource": "todo", "credentials": {"username": "ana", "password": {"env": "X"}}}}}
      """, to: "config.json")
    let run = try await ConsoleRun.run(["-c", "list baasic"], input: "y\n", in: home, variables: ["X": "y"])
    #expect((run.status, run.output) == (3, ""))
    #expect(run.errors.contains("run: switchboard -c \"config trust\""))
  }

  @Test("the history is not a matter of scripts: nothing is asked") func history() async throws {
    let run = try await home.run(commands: "history clear", input: "y\n")
    #expect((run.status, run.output) == (2, ""))
    #expect(run.errors.contains("terminal"))
  }

  @Test("nothing is written to a read-only backend, by the suite of laws neither") func readOnly() async throws {
    let demo = try await DemoProcess.start(["--memory"])
    let home = try ConsoleRun.Home(
      configuration: """
        {"switchboard": 1, "default": "a", "backends": {"a": {"plugin": "grails", "url": "\(demo.base("grails"))",
         "resource": "announcements", "readOnly": true}}}
        """)
    for command in ["conformance --yes", "conformance --sweep --yes", "delete 3 4 --yes", "create title=x --yes"] {
      let run = try await home.run(commands: command)
      #expect((run.status, run.output) == (2, ""))
      #expect(run.errors.contains("is read only"), "\(run.errors)")
    }
    let counts = try await demo.send("GET", "/_demo/requests").object()
    #expect(counts.allSatisfy { $0.value as? Int ?? 0 == 0 }, "\(counts)")
  }
}
