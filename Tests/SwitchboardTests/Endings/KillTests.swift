import ConsoleSupport
import DemoServerSupport
import Foundation
import TestSupport
import Testing

/// The output and the status of a script that is killed, at any point of its work.
@Suite("Scripts that are killed") struct KillTests {
  struct Work: Sendable, CustomTestStringConvertible {
    var name: String
    var script: String
    /// The line that the console is in.
    var line: Int
    var isWrite = false
    var testDescription: String { name }
  }

  static let works = [
    Work(name: "get", script: "get 1\n", line: 1),
    Work(name: "list --all", script: "list --all\n", line: 1),
    Work(name: "create", script: "create title=x\n", line: 1, isWrite: true),
    Work(name: "update", script: "update 1 title=x\n", line: 1, isWrite: true),
    Work(name: "delete", script: "delete 1\n", line: 1, isWrite: true),
    Work(name: "capture", script: "capture r = get 1\n", line: 1),
    Work(name: "the list of a for", script: "for row in (list)\nshow output\nend\n", line: 1),
    Work(name: "if", script: "if (list)\nshow output\nelse\nshow output\nend\n", line: 1),
    Work(name: "expect", script: "expect (count) = 6\n", line: 1),
    Work(name: "expect not", script: "expect not (list)\n", line: 1),
    Work(name: "same", script: "expect same (list) (list)\n", line: 1),
    Work(name: "try", script: "try\nget 1\nelse\nshow output\nend\n", line: 2),
    Work(name: "a write in a try", script: "try\ncreate title=x\nelse\nshow output\nend\n", line: 2, isWrite: true),
    Work(name: "try in a try", script: "try\ntry\nget 1\nend\nelse\nshow output\nend\n", line: 3),
    Work(name: "a command whose failure is expected", script: "get 1\nexpect error\n", line: 1),
    Work(name: "on-error continue", script: "on-error continue\nget 1\n", line: 2),
  ]

  let home: ConsoleRun.Home

  init() throws { home = try ConsoleRun.Home() }

  private func end(_ work: Work, by signal: Int32) async throws -> RunningProgram.Ending {
    let demo = try await DemoProcess.late()
    let script = try home.write(work.script + "show output\n", to: "s.sb")
    let console = try ConsoleRun.start(["--config", try demo.configuration(in: home), "-f", script], in: home)
    try await demo.waitForRequests()
    return try await console.end(by: signal)
  }

  static let signals: [(number: Int32, status: Int)] = [(SIGINT, 130), (SIGTERM, 143), (SIGHUP, 129)]

  @Test(
    "a signal that asks for the end gets it, with a sentence that names the line and what became of the data, and no try takes it",
    arguments: works, signals)
  func interrupt(work: Work, signal: (number: Int32, status: Int)) async throws {
    let run = try await end(work, by: signal.number)
    #expect((run.status, run.signal, run.output) == (signal.status, nil, ""))
    #expect(run.errors.hasPrefix("\(home.folder.path)/s.sb:\(work.line): "))
    #expect(run.errors.contains("stopped; "))
    #expect(run.errors.contains("outcome unknown") == work.isWrite)
    #expect(run.errors.filter { $0 == "\n" }.count == 1)
  }

  @Test("whatever ends it, the run is summed up, and its report written", arguments: signals)
  func accounts(signal: (number: Int32, status: Int)) async throws {
    let demo = try await DemoProcess.late()
    let script = try home.write("set @n 5\nexpect $n = 5\ncreate title=x\n", to: "s.sb")
    let console = try ConsoleRun.start(
      [
        "--config", try demo.configuration(in: home), "--errors", "json", "--summary", "json", "--report",
        "tap:\(home.folder.path)/r.tap", "-f", script,
      ], in: home)
    try await demo.waitForRequests()
    let run = try await console.end(by: signal.number)
    #expect((run.status, run.signal) == (signal.status, nil))
    let lines = run.errors.split(separator: "\n").map(String.init)
    let error = try #require(lines.first { $0.contains(#""level":"error""#) })
    let object = try #require(try JSONSerialization.jsonObject(with: Data(error.utf8)) as? [String: Any])
    #expect(object["effect"] as? String == "unknown")
    #expect(object["status"] as? Int == signal.status)
    #expect(lines.last?.hasPrefix("{\"summary\":{\"done\":") == true, "\(run.errors)")
    let report = try String(contentsOf: home.folder.appending(path: "r.tap"), encoding: .utf8)
    #expect(report.contains("ok 1 - ") && report.contains("not ok 2 - "))
  }

  @Test(
    "SIGINT in the body of a for ends the loop, too",
    arguments: ["get 1 -o id\nget todo $row.id", "try\nget 1 -o id\nget todo $row.id\nend"])
  func body(text: String) async throws {
    // The list is answered, what is asked in the body is not.
    let demo = try await DemoProcess.start(["--memory"])
    let config = try demo.configuration(in: home, todoSetting: "fault=delay, fault.delay=600000")
    let script = try home.write("on-error continue\nfor row in (list)\n\(text)\nend\nshow output\n", to: "s.sb")
    let console = try ConsoleRun.start(["--config", config, "-f", script], in: home)
    try await demo.waitForRequests(of: "jsonplaceholder")
    let run = try await console.end(by: SIGINT)
    #expect((run.status, run.output) == (130, "1\n"))
    #expect(run.errors.hasPrefix("\(home.folder.path)/s.sb:"))
    #expect(run.errors.filter { $0 == "\n" }.count == 1)
  }

  @Test(
    "SIGINT while a script is read ends it: nothing is sent, and nothing is found wrong", arguments: ["count", "lst"])
  func reading(line: String) async throws {
    let demo = try await DemoProcess.late()
    let console = try ConsoleRun.start(["--config", try demo.configuration(in: home)], in: home)
    // More than the pipe holds: it has begun to read, and reads on until its input ends, which it does not.
    try console.type(String(repeating: line + "\n", count: 20_000))
    let run = try await console.end(by: SIGINT)
    #expect((run.status, run.output, run.errors) == (130, "", ""))
    #expect(try await demo.send("GET", "/_demo/requests").object()["total"] as? Int == 0)
  }

  @Test("SIGINT while a script is checked ends the check") func checking() async throws {
    // Long enough to be still in its check when the signal comes; where a busy machine was late with that, longer.
    var run: RunningProgram.Ending
    var length = 50_000
    repeat {
      length *= 2
      let script = try home.write(String(repeating: "count\n", count: length), to: "long.sb")
      let watch = try FileWatch(script)
      let console = try home.startShipped("-f", script)
      try await watch.wait(for: .closed)
      run = try await console.end(by: SIGINT)
    } while run.output + run.errors != "" && length < 1_000_000
    #expect((run.status, run.output, run.errors) == (130, "", ""))
  }

  @Test(
    "SIGINT ends the wait for somebody to write to a script",
    arguments: [["-f"], ["--stream", "-f"], ["-c", "source"]])
  func unwritten(words: [String]) async throws {
    let pipe = home.folder.appending(path: "pipe").path
    try #require(mkfifo(pipe, 0o600) == 0)
    let arguments = words.last == "source" ? ["-c", "source \(pipe)"] : words + [pipe]
    let watch = try FileWatch(pipe)
    let console = try ConsoleRun.start(["--config", ConsoleTerminal.config] + arguments, in: home)
    try await watch.wait(for: .opened)
    let run = try await console.end(by: SIGINT)
    #expect((run.status, run.output) == (130, ""))
    #expect(!run.errors.contains("cannot read"))
  }

  static let talkative = [
    "list --all -o ndjson\n", "for row in (list --all)\nget $row.id -o json\nend\n",
    "if (get 1)\nlist --all\nend\n", "try\nlist --all -o csv\nelse\nlist --all\nend\n",
    "on-error continue\nlist --all -o json\n", "list --all -o tsv\nexpect not error\nexpect count = 1\n",
  ]

  @Test(
    "141 without a word where whoever reads the output goes away, and nothing is sent any more", arguments: talkative)
  func brokenPipe(text: String) async throws {
    let demo = try await DemoProcess.start(["--memory", "--seed", "1500"])
    let script = try home.write(text + "create title=never\nlist title=never -o id\n", to: "s.sb")
    let run = try await home.shell(
      "\"$0\" --config \"$1\" -f \"$2\" | head -c 10 > /dev/null; echo ${PIPESTATUS[0]}",
      try demo.configuration(in: home), script)
    #expect((run.output, run.errors) == ("141\n", ""))
    let after = try await ConsoleRun.run(["--config", try demo.configuration(in: home), "count"], in: home)
    #expect(after.output == "1500\n")
  }
}

extension RunningDemo {
  /// Writes a configuration with the Grails dialect and with todos whose requests set switches, and returns its path.
  func configuration(in home: ConsoleRun.Home, todoSetting switches: String) throws -> String {
    try home.write(
      """
      {"switchboard": 1, "default": "intranet", "backends": {
        "intranet": {"plugin": "grails", "url": "\(base("grails"))", "resource": "announcements"},
        "todo": {"plugin": "jsonplaceholder", "url": "\(base("jsonplaceholder"))", "resource": "todos",
          "headers": {"Demo-Set": "\(switches)"}}}}
      """, to: "two.json")
  }
}
