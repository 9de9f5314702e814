import ConsoleSupport
import DemoServerSupport
import Foundation
import TestSupport
import Testing

/// The exit statuses of scripts, and the table that tells of them.
@Suite("Exit statuses of scripts") struct ScriptStatusTests {
  /// A script that ends with a status.
  struct Script: Sendable, CustomTestStringConvertible {
    enum End: Sendable {
      case itself
      case signal(Int32)
      /// Whoever reads its output goes away.
      case reader
    }

    var status: Int
    var text: String
    /// The switch of the server that makes it so.
    var fault: [String] = []
    var end = End.itself
    /// A part of what standard error says.
    var says = ""
    var testDescription: String { "\(status): \(text.split(separator: "\n")[0])" }
  }

  private static let delay = ["--set", "fault=delay", "--set", "fault.delay=600000"]
  private static let hangup = ["--set", "fault=hangup", "--set", "fault.on=writes"]

  static let scripts = [
    Script(status: 0, text: "count\nexpect count = 6\n"),
    Script(status: 1, text: "count\nget 99\ncount\n", says: "s.sb:2: error: get intranet/announcements 99: not found"),
    Script(status: 1, text: "count\nexpect count = 7\n", says: "s.sb:2: error: expected count = 7, found 6"),
    Script(status: 1, text: "count\nset @n many\nlist --limit $n -o id\n", says: "s.sb:3: "),
    Script(status: 2, text: "count\nlst\n", says: "s.sb:2:1: error: unknown command \"lst\""),
    Script(status: 2, text: "set @n many\nlist --limit $n -o id\n", says: "s.sb:2: "),
    Script(status: 3, text: "count\nlist nope:http://127.0.0.1:1/\n", says: "s.sb:2"),
    Script(status: 4, text: "show output\nlist grails:http://127.0.0.1:9/announcements\n", says: "s.sb:2: "),
    Script(status: 5, text: "list title~e --max-scan 2 -o id\n", says: "s.sb:1: "),
    Script(
      status: 6, text: "count\ncreate title=x\n", fault: hangup, says: "s.sb:2: error: create intranet/announcements: "),
    Script(status: 129, text: "show output\ncount\n", fault: delay, end: .signal(SIGHUP), says: "s.sb:2: "),
    Script(status: 130, text: "show output\ncount\n", fault: delay, end: .signal(SIGINT), says: "s.sb:2: "),
    Script(status: 130, text: "create title=x\n", fault: delay, end: .signal(SIGINT), says: "outcome unknown"),
    Script(status: 141, text: "for i in (list --all)\n  list --all -o json\nend\ncount\n", end: .reader),
    Script(status: 143, text: "show output\ncount\n", fault: delay, end: .signal(SIGTERM), says: "s.sb:2: "),
  ]

  let home: ConsoleRun.Home

  init() throws { home = try ConsoleRun.Home() }

  @Test("each status has a script that ends with it", arguments: scripts) func status(script: Script) async throws {
    let seed = if case .reader = script.end { ["--seed", "100"] } else { [String]() }
    let demo = try await DemoProcess.start(["--memory"] + seed + script.fault)
    let file = try home.write(script.text, to: "s.sb")
    let arguments = ["--config", try demo.configuration(in: home), "-f", file]
    let (status, errors): (Int, String)
    switch script.end {
    case .itself:
      let run = try await ConsoleRun.run(arguments, in: home)
      (status, errors) = (run.status, run.errors)
    case .signal(let number):
      let console = try ConsoleRun.start(arguments, in: home)
      try await demo.waitForRequests()
      let run = try await console.end(by: number)
      (status, errors) = (run.status, run.errors)
    case .reader:
      let run = try await ConsoleRun.runProgram(
        ["-c", "\"$0\" \"$@\" | head -c 10 > /dev/null; exit ${PIPESTATUS[0]}", ConsoleRun.executable.path] + arguments,
        bytes: [], in: home, executable: "/bin/bash")
      (status, errors) = (run.status, run.errors)
    }
    #expect(status == script.status, "\(errors)")
    #expect(errors.contains(script.says) || script.says.isEmpty, "\(errors)")
    #expect(errors.isEmpty == script.says.isEmpty, "\(errors)")
  }

  @Test(
    "an exit takes each number that a process can end with, whatever was done before",
    arguments: [0, 1, 2, 7, 130, 255])
  func chosen(number: Int) async throws {
    let script = "on-error continue\nget 99\nset @n \(number)\nif $n >= 0\n  exit $n\nend\ncount\n"
    let run = try await ConsoleRun.run(["--config", ConsoleTerminal.config], input: script, in: home)
    #expect((run.status, run.output) == (number, ""))
  }

  /// The rows of a table of statuses.
  private func rows(_ text: String, _ pattern: Regex<(Substring, Substring, Substring)>) -> [String] {
    text.matches(of: pattern).map { "\($0.1) \($0.2)" }
  }

  @Test("help exit, the manual page and the reference hold one table, and each of its rows a script")
  func table() async throws {
    func said(_ command: String) async throws -> String { try await home.run(commands: command).output }
    let table = rows(try await said("help exit"), /(?m)^  (\d+) +(\S.*)$/)
    #expect(table.count == 11)
    #expect(
      table.compactMap { $0.split(separator: " ").first.flatMap { Int($0) } }
        == Set(Self.scripts.map(\.status)).sorted())

    let page = try await said("help --as man")
    let manual = page[(page.firstRange(of: ".SH EXIT STATUS")?.upperBound ?? page.endIndex)...]
    #expect(rows(String(manual.prefix(2000)), /(?m)^\.TP\n\.B (\d+)\n(.*)$/) == table)

    let reference = try String(
      contentsOf: ConsoleRun.root.appending(path: "docs/reference/commands.md"), encoding: .utf8)
    #expect(rows(reference, /(?m)^\| `(\d+)` \| (.*) \|$/) == table)
  }
}
