import ConsoleSupport
import DemoServerSupport
import Foundation
import TerminalSupport
import TestSupport
import Testing

/// A single command in the words of a shell asks its questions at the terminal.
@Suite("Questions of a single command from a shell") struct SingleCommandTests {
  let home: ConsoleRun.Home

  init() throws { home = try ConsoleRun.Home() }

  private static let question = "Delete 2 records of "

  private func asked(_ demo: DemoProcess, _ words: String...) throws -> PseudoTerminal {
    let terminal = try ConsoleTerminal.open(["--config", try demo.configuration(in: home)] + words, in: home)
    try terminal.wait("the question") { $0.cursorLine.contains(Self.question) && $0.cursorLine.hasSuffix("[y/N]") }
    return terminal
  }

  /// The records on the server, as another run counts them.
  private func count(_ demo: DemoProcess) async throws -> String {
    try await ConsoleRun.run(["--config", try demo.configuration(in: home, name: "count.json"), "count"], in: home)
      .output
  }

  @Test("yes deletes, and the terminal is left as it was") func agreed() async throws {
    let demo = try await DemoProcess.start(["--memory"])
    let terminal = try asked(demo, "delete", "3", "4")
    terminal.send("y\r")
    #expect(try terminal.waitForExit() == .exited(0))
    #expect(terminal.modes == .cooked)
    #expect(try await count(demo) == "4\n")
    // What was shown before the answer is what can be taken back.
    let back = try await ConsoleRun.run(
      ["--config", try demo.configuration(in: home), "undo", "--all-runs", "--yes"], in: home)
    #expect(back.status == 0, "\(back.errors)")
    #expect(try await count(demo) == "6\n")
  }

  @Test("anything else sends nothing", arguments: ["\r", "n\r", "\u{3}", "\u{4}"])
  func refused(keys: String) async throws {
    let demo = try await DemoProcess.start(["--memory"])
    let terminal = try asked(demo, "delete", "3", "4")
    terminal.send(keys)
    #expect(try terminal.waitForExit() == .exited(1))
    #expect(terminal.modes == .cooked)
    #expect(terminal.screen.fullText.contains("nothing was deleted"))
    #expect(try await count(demo) == "6\n")
  }

  @Test("a signal ends a question, and leaves the terminal as it was", arguments: [SIGTERM, SIGHUP])
  func ended(signal: Int32) async throws {
    let demo = try await DemoProcess.start(["--memory"])
    let terminal = try asked(demo, "delete", "3", "4")
    terminal.signal(signal)
    let end = try terminal.waitForExit()
    #expect(end == .exited(128 + signal) || end == .signaled(signal))
    #expect(terminal.modes == .cooked)
  }

  @Test("a script that it runs, or a pipe behind it, has nobody to ask") func beside() async throws {
    let demo = try await DemoProcess.start(["--memory"])
    let config = try demo.configuration(in: home)
    let script = try home.write("delete 3 4\n", to: "both.sb")
    let nested = try ConsoleTerminal.open(["--config", config, "source", script], in: home)
    try nested.expect("nothing was sent")
    #expect(try nested.waitForExit() == .exited(2))
    let piped = try PseudoTerminal(
      "/bin/sh", arguments: ["-c", "\"$0\" --config \"$1\" delete 3 4 | cat", ConsoleRun.executable.path, config],
      environment: home.variables, directory: home.folder.path, columns: 120, rows: 24)
    try piped.expect("needs --yes; nothing was sent")
    _ = try piped.waitForExit()
    #expect(try await count(demo) == "6\n")
  }

  @Test("add asks before it sends more than the address and its document") func adding() async throws {
    let demo = try await DemoProcess.start(["--memory"])
    let terminal = try ConsoleTerminal.open(
      ["add", demo.base("jsonplaceholder") + "/todos", "it", "--no-preset"], in: home)
    try terminal.wait("the question") { $0.fullText.contains("Send up to ") && $0.cursorLine.hasSuffix("[y/N]") }
    terminal.send("n\r")
    #expect(try terminal.waitForExit() == .exited(1))
    try terminal.expect("nothing was added")
  }
}
