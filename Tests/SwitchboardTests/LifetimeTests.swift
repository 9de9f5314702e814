import ConsoleSupport
import Foundation
import Testing

@Suite("Lifetime of the console") struct LifetimeTests {
  let home: ConsoleRun.Home

  init() throws { home = try ConsoleRun.Home() }

  @Test("the demo that a console started ends with it, even where it is killed", arguments: [SIGKILL, SIGTERM, SIGINT])
  func killed(signal: Int32) async throws {
    let console = try RunningConsole(["--config", ConsoleTerminal.config], in: home)
    try console.type("count\n")
    #expect(await console.reads("6\n"))
    let children = ProcessTable.children(of: console.id)
    try #require(children.count == 1)
    _ = try await console.end(by: signal)
    #expect(ProcessTable.waitForEnd(of: children[0]))
  }

  @Test("the demo ends with a console that came to the end of its commands") func ended() async throws {
    let console = try RunningConsole(["--config", ConsoleTerminal.config], in: home)
    try console.type("count\n")
    #expect(await console.reads("6\n"))
    let children = ProcessTable.children(of: console.id)
    try #require(children.count == 1)
    #expect(try await console.end().status == 0)
    #expect(ProcessTable.waitForEnd(of: children[0]))
  }

  @Test(
    "what needs no network runs on one thread, and starts no demo", arguments: ["help", "backends", "plugins", "show"])
  func oneThread(command: String) async throws {
    let console = try RunningConsole(["--config", ConsoleTerminal.config], in: home)
    try console.type("\(command)\nshow output\n")
    #expect(await console.reads("auto"))
    #expect(ProcessTable.threads(of: console.id) == 1)
    #expect(ProcessTable.children(of: console.id).isEmpty)
    #expect(try await console.end().status == 0)
  }

  @Test("two consoles share the demo's data") func shared() async throws {
    let one = try RunningConsole(["--config", ConsoleTerminal.config], in: home)
    let two = try RunningConsole(["--config", ConsoleTerminal.config], in: home)
    try one.type("count\n")
    try two.type("count\n")
    #expect(await one.reads("6\n"))
    #expect(await two.reads("6\n"))
    try one.type("create title=shared\n")
    #expect(await one.reads("created announcements/7\n"))
    try two.type("list id=7 -o tsv --fields title --no-header\n")
    #expect(await two.reads("shared\n"))
    #expect(try await one.end().status == 0)
    #expect(try await two.end().status == 0)
  }
}
