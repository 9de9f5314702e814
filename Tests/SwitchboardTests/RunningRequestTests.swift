import ConsoleSupport
import DemoServerSupport
import Foundation
import TerminalSupport
import Testing

@Suite("Ctrl-C while a request runs", .serialized) struct RunningRequestTests {
  let home: ConsoleRun.Home

  init() throws { home = try ConsoleRun.Home() }

  @Test("at a terminal the request is given up at once, and the prompt comes back") func terminal() async throws {
    let demo = try await DemoProcess.start(
      ["--memory", "--set", "fault=delay", "--set", "fault.delay=20000", "--set", "fault.count=1"])
    let terminal = try ConsoleTerminal.start(in: home, config: try demo.configuration(in: home))
    terminal.send("count\r")
    try await demo.waitForRequests()
    let begin = ContinuousClock.now
    terminal.send(Key.interrupt)
    try terminal.expect("the request was cancelled")
    try terminal.expectPrompt()
    #expect(ContinuousClock.now - begin < .seconds(3))
    #expect(try terminal.run("count") == ["6"])
    terminal.send(Key.endOfFile)
    #expect(try terminal.waitForExit() == .exited(0))
    #expect(terminal.modes == .cooked)
  }

  @Test("a write that was given up is of unknown outcome, and says so") func write() async throws {
    let demo = try await DemoProcess.start(
      ["--memory", "--set", "fault=delay", "--set", "fault.delay=20000", "--set", "fault.on=writes"])
    let terminal = try ConsoleTerminal.start(in: home, config: try demo.configuration(in: home))
    terminal.send("create title=x\r")
    try await demo.waitForRequests()
    terminal.send(Key.interrupt)
    try terminal.expect("nobody can tell")
    try terminal.expectPrompt()
  }

  @Test("a batch run ends with 130 and a sentence") func batch() async throws {
    let demo = try await DemoProcess.start(["--memory", "--set", "fault=delay", "--set", "fault.delay=20000"])
    let config = try demo.configuration(in: home)
    let console = try RunningConsole(["--config", config, "-c", "count", "-c", "help"], in: home)
    try await demo.waitForRequests()
    let begin = ContinuousClock.now
    let run = try await console.end(by: SIGINT)
    #expect(ContinuousClock.now - begin < .seconds(5))
    #expect(run.status == 130)
    #expect(run.output == "")
    #expect(run.errors.hasPrefix("-c:1: "))
    #expect(run.errors.contains("the request was cancelled"))
    #expect(run.errors.filter { $0 == "\n" }.count == 1)
  }

  @Test("a batch run that goes on after errors ends with 130 all the same") func goingOn() async throws {
    let demo = try await DemoProcess.start(["--memory", "--set", "fault=delay", "--set", "fault.delay=20000"])
    let config = try demo.configuration(in: home)
    let console = try RunningConsole(
      ["--config", config, "--on-error", "continue", "-c", "count", "-c", "help"], in: home)
    try await demo.waitForRequests()
    let run = try await console.end(by: SIGINT)
    #expect(run.status == 130)
    #expect(run.output == "")
  }

  @Test("SIGTERM ends a batch run with 143") func terminated() async throws {
    let demo = try await DemoProcess.start(["--memory", "--set", "fault=delay", "--set", "fault.delay=20000"])
    let console = try RunningConsole(["--config", try demo.configuration(in: home), "-c", "count"], in: home)
    try await demo.waitForRequests()
    #expect(try await console.end(by: SIGTERM).status == 143)
  }

  @Test("SIGINT ends a run that waits for a command with 130") func waiting() async throws {
    let console = try RunningConsole(["--config", ConsoleTerminal.config], in: home)
    try console.type("help\n")
    #expect(await console.reads("quit"))
    let run = try await console.end(by: SIGINT)
    #expect(run.status == 130)
  }
}
