import ConsoleSupport
import DemoServerSupport
import Foundation
import TerminalSupport
import TestSupport
import Testing

@Suite("Interruption") struct InterruptionTests {
  let home: ConsoleRun.Home

  init() throws { home = try ConsoleRun.Home() }

  /// A server that answers so late that nobody waits for it.
  private func lateServer(_ switches: String...) async throws -> DemoProcess {
    try await DemoProcess.start(
      ["--memory"] + (["fault=delay", "fault.delay=600000"] + switches).flatMap { ["--set", $0] })
  }

  @Test("at a terminal Ctrl-C gives up the request, and the prompt comes back") func terminal() async throws {
    let demo = try await lateServer("fault.count=1")
    let terminal = try ConsoleTerminal.start(in: home, config: try demo.configuration(in: home))
    terminal.send("count\r")
    try await demo.waitForRequests()
    terminal.send(Key.interrupt)
    try terminal.expect("the request was cancelled")
    try terminal.expectPrompt()
    #expect(try terminal.run("count") == ["6"])
    terminal.send(Key.endOfFile)
    #expect(try terminal.waitForExit() == .exited(0))
    #expect(terminal.modes == .cooked)
  }

  @Test("a write that was given up is of unknown outcome, and says so") func write() async throws {
    let demo = try await lateServer("fault.on=writes")
    let terminal = try ConsoleTerminal.start(in: home, config: try demo.configuration(in: home))
    terminal.send("create title=x\r")
    try await demo.waitForRequests()
    terminal.send(Key.interrupt)
    try terminal.expect("nobody can tell")
    try terminal.expectPrompt()
  }

  @Test("a batch run ends with 130 and a sentence, whatever it does on errors", arguments: ["stop", "continue"])
  func batch(onError: String) async throws {
    let demo = try await lateServer()
    let config = try demo.configuration(in: home)
    let console = try ConsoleRun.start(
      ["--config", config, "--on-error", onError, "-c", "count", "-c", "help"], in: home)
    try await demo.waitForRequests()
    let run = try await console.end(by: SIGINT)
    #expect(run.status == 130)
    #expect(run.output == "")
    #expect(run.errors.hasPrefix("-c:1: "))
    #expect(run.errors.contains("the request was cancelled"))
    #expect(run.errors.filter { $0 == "\n" }.count == 1)
  }

  @Test("SIGTERM ends a batch run with 143") func terminated() async throws {
    let demo = try await lateServer()
    let console = try ConsoleRun.start(["--config", try demo.configuration(in: home), "-c", "count"], in: home)
    try await demo.waitForRequests()
    #expect(try await console.end(by: SIGTERM).status == 143)
  }

  @Test("a run that waits for a command ends with 130") func waiting() async throws {
    let console = try ConsoleRun.start(["--config", ConsoleTerminal.config], in: home)
    try console.type("help\n")
    try await console.expect("quit")
    #expect(try await console.end(by: SIGINT).status == 130)
  }
}
