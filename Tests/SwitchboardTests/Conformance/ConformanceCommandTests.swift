import BackendConformance
import ConsoleSupport
import DemoServerSupport
import Foundation
import TestSupport
import Testing

@Suite("conformance") struct ConformanceCommandTests {
  private let home: ConsoleRun.Home

  init() throws { home = try ConsoleRun.Home() }

  private func records() async throws -> String {
    try await home.runShipped("-c", "list intranet --all -o json").output
  }

  @Test("what it will do is said before, each law has a line, the records stay as they were") func text() async throws {
    let before = try await records()
    let run = try await home.runShipped(
      "-c", "conformance intranet --only 'create stores the fields' --only 'stable order'")
    #expect(run.status == 0)
    #expect(run.errors.hasPrefix("2 laws on intranet/announcements at "))
    #expect(
      run.errors.contains(
        "creates test records named switchboard-conformance-… and deletes them (cleanup not counted)"))
    let lines = run.output.split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines.first?.hasPrefix("passed ") == true)
    #expect(lines.last?.hasPrefix("intranet/announcements: 2 laws: 0 failed, 2 passed") == true)
    #expect(try await records() == before)
  }

  @Test(
    "where it goes and how many requests it may make is said alike for each backend of the demo",
    arguments: [("intranet", "demo:grails"), ("baasic", "demo:baasic")])
  func announcement(backend: String, address: String) async throws {
    let run = try await home.runShipped(
      "-c",
      "conformance \(backend) --read-only --only 'plan sends no request' --rate 50 --max-requests 9")
    #expect(run.status == 0)
    #expect(run.errors.hasPrefix("1 law on \(backend)/"))
    #expect(run.errors.hasSuffix(" at \(address), at most 9 requests, 50 a second; nothing is written\n"))
  }

  @Test("the same run as a report for machines") func reports() async throws {
    let tap = try await home.runShipped(
      "-c", "conformance intranet --read-only --only 'plan sends no request' --report tap")
    #expect(
      (tap.status, tap.output.hasPrefix("TAP version 14\n1..1\nok 1 - plan: plan sends no request\n")) == (0, true))
    #expect(tap.errors.hasSuffix("nothing is written\n"))
    let junit = try await home.runShipped(
      "-c", "conformance intranet --read-only --only 'plan sends no request' --report junit")
    #expect(junit.status == 0)
    let head = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites tests=\"1\" failures=\"0\""
    #expect(junit.output.hasPrefix(head))
  }

  @Test(
    "what cannot be done is said before anything is sent",
    arguments: [
      (
        "conformance intranet --only 'end of lists'",
        "-c:1: error: unknown law \"end of lists\"\nhint: did you mean end of list?\n"
      ),
      (
        "conformance nothere",
        "-c:1: error: unknown backend or resource \"nothere\"\nhint: backends: intranet, todolist, placeholder, baasic\n"
      ),
      (
        "conformance intranet --read-only --sandbox",
        "-c:1: error: --read-only and --sandbox cannot be combined\n"
      ),
      (
        "conformance intranet --report xml", "-c:1: error: --report is text, junit or tap, not \"xml\"\n"
      ),
      (
        "conformance grails:http://127.0.0.1:1 --only 'plan sends no request'",
        "1 law on grails:http://127.0.0.1:1/announcements at http://127.0.0.1:1, at most 20000 requests; "
          + "creates test records named switchboard-conformance-… and deletes them (cleanup not counted)\n"
          + "-c:1: error: create and delete test records in grails:http://127.0.0.1:1/announcements needs --yes; nothing was sent\n"
      ),
    ])
  func refusals(command: String, sentence: String) async throws {
    let run = try await home.runShipped("-c", command)
    #expect((run.status, run.output, run.errors) == (2, "", sentence))
  }

  @Test(
    "what cannot be reached is one error, and no broken law",
    arguments: [
      ("conformance intranet/nothing", 2), ("conformance placeholder/nothing --only 'end of list'", 1),
      ("conformance grails:http://127.0.0.1:1 --yes", 4),
    ])
  func unreachable(command: String, status: Int) async throws {
    let run = try await home.runShipped("-c", command)
    #expect((run.status, run.output) == (status, ""))
    #expect(run.errors.matches(of: #/(?m)^(-c:1: )?error: /#).count == 1)
    #expect(!run.errors.contains("breaks"))
  }

  @Test("every law is shown with its promise") func list() async throws {
    let run = try await home.runShipped("-c", "conformance --list")
    #expect(run.status == 0)
    #expect(run.output.contains(": end of list "))
    // It asks first, and says how many judge an adapter: those that are not the engine's.
    let asking = try await home.runShipped("-c", "conformance grails:http://127.0.0.1:1").errors
    let rows = run.output.split(separator: "\n")
    let judging = ConformanceSuite.laws.filter { !$0.isOfEngine }
    #expect(rows.count == ConformanceSuite.laws.count && judging.count < rows.count)
    #expect(asking.hasPrefix("\(judging.count) laws on ") && rows.allSatisfy { $0.hasSuffix(".") })
  }

  @Test("what a killed run leaves is removed by a sweep, and nothing else") func sweep() async throws {
    let before = try await records()
    let killed = try home.startShipped("-c", "conformance intranet --rate 20")
    while true {
      while try await !records().contains("switchboard-conformance-") { await Task.yield() }
      // Each law removes its records: what was seen may be gone before the end comes.
      killed.signal(SIGSTOP)
      if try await records().contains("switchboard-conformance-") { break }
      killed.signal(SIGCONT)
    }
    killed.signal(SIGKILL)
    #expect(try await killed.end().status == 137)
    #expect(try await records() != before)
    let sweep = try await home.runShipped("-c", "conformance intranet --sweep")
    #expect((sweep.status, sweep.errors) == (0, ""))
    #expect(sweep.output.hasPrefix("removed ") && sweep.output != "removed 0 records of announcements\n")
    #expect(try await records() == before)
  }

  @Test("a run that is given up removes its records and says so") func interrupted() async throws {
    let before = try await records()
    let interrupted = try home.startShipped("-c", "conformance intranet --rate 20")
    while try await !records().contains("switchboard-conformance-") { await Task.yield() }
    interrupted.signal(SIGINT)
    let ending = try await interrupted.end()
    #expect(ending.status == 130)
    #expect(ending.output.contains("The run was cancelled"))
    #expect(try await records() == before)
  }

  @Test("a server that goes away in the middle ends the run with one sentence", arguments: ["text", "tap"])
  func lost(report: String) async throws {
    let demo = try await DemoProcess.start(["--memory"])
    let config = try demo.configuration(in: home)
    let console = try ConsoleRun.start(
      ["--config", config, "-c", "conformance intranet --yes --rate 20 --report \(report)"], in: home)
    try await demo.waitForRequests(atLeast: 10)
    demo.stop()
    let ending = try await console.end()
    #expect(ending.status == 4)
    let sentences = ending.errors.split(separator: "\n")
    #expect(
      sentences.filter { $0.hasPrefix("-c:1: error: ") }.map {
        $0.hasPrefix("-c:1: error: conformance intranet/announcements: ")
      }
        == [true], "\(ending.errors)")
    #expect(!ending.output.contains("failed:") && !ending.output.contains("not ok"), "\(ending.output)")
    #expect(
      ending.output.contains(
        report == "tap" ? "Bail out! the server could no longer be reached" : "The server became unreachable"))
  }

  @Test("nothing is written to a backend that is labeled production", arguments: ["", "--sandbox", "--sweep"])
  func production(option: String) async throws {
    let demo = try await DemoProcess.start(["--memory"])
    let home = try ConsoleRun.Home(
      configuration: """
        {"switchboard": 1, "default": "a", "backends": {"a": {"plugin": "grails", "url": "\(demo.base("grails"))",
         "resource": "announcements", "label": "production"}}}
        """)
    let run = try await home.run(commands: "conformance \(option) --yes")
    #expect((run.status, run.output) == (2, ""))
    #expect(
      run.errors.contains(
        "a is labeled production, and a conformance run never writes to production\nhint: --read-only runs"))
    let read = try await home.run(commands: "conformance --read-only --only 'end of list'")
    #expect(read.status == 0, "\(read.errors)")
  }
}
