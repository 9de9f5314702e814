import ConsoleSupport
import Foundation
import TestSupport
import Testing

@Suite("Lifetime of the console") struct LifetimeTests {
  let home: ConsoleRun.Home

  init() throws { home = try ConsoleRun.Home() }

  private func start() throws -> RunningProgram {
    try home.startShipped("--stream")
  }

  @Test("the demo that a console started ends with it, even where it is killed", arguments: [SIGKILL, SIGTERM, SIGINT])
  func killed(signal: Int32) async throws {
    let console = try start()
    try console.type("count\n")
    try await console.expect("6\n")
    let demo = try #require(ProcessTable.children(of: console.id).first)
    #expect(try await console.end(by: signal).status == 128 + Int(signal))
    #expect(try await ProcessTable.waitForEnd(of: demo))
  }

  @Test("the demo ends with a console that came to the end of its commands") func ended() async throws {
    let console = try start()
    try console.type("count\n")
    try await console.expect("6\n")
    let demo = try #require(ProcessTable.children(of: console.id).first)
    #expect(try await console.end().status == 0)
    #expect(try await ProcessTable.waitForEnd(of: demo))
  }

  @Test(
    "what needs no network runs on one thread and starts no process",
    arguments: ["help", "backends", "plugins", "show", "set output json", "explain list"])
  func oneThread(command: String) async throws {
    let console = try start()
    try console.type("\(command)\nhelp quit\n")
    try await console.expect("End the console")
    #expect(try ProcessTable.threads(of: console.id) == 1)
    #expect(ProcessTable.children(of: console.id).isEmpty)
    #expect(try await console.end().status == 0)
  }

  @Test("what one console creates another one sees: they share the demo's data") func shared() async throws {
    let (one, two) = (try start(), try start())
    for console in [one, two] { try console.type("count\n") }
    for console in [one, two] { try await console.expect("6\n") }
    try one.type("create title=shared\n")
    try await one.expect("created announcements/7\n")
    try two.type("get 7 -o tsv --no-header\n")
    try await two.expect("7\tshared\t")
    for console in [one, two] { #expect(try await console.end().status == 0) }
  }
}
