import ConsoleSupport
import DemoServerSupport
import Foundation
import TestSupport

/// The console on a demo server that keeps what is written, with a journal in a home of its own.
struct JournalConsole {
  let home: ConsoleRun.Home
  let demo: any RunningDemo
  let config: String
  private let isProgram: Bool

  /// `todo` speaks Kitura, `json` json-server, `intranet` Grails. `options` stand in each backend, `whole` beside them. As a program
  /// where several consoles run at a time, one has a terminal or is killed, or a response is cut.
  init(
    backend options: String = "", whole: String = "", demo switches: [String] = [], asProgram: Bool = false
  ) async throws {
    home = try ConsoleRun.Home()
    let arguments =
      ["--memory", "--seed", "5", "--set", "jsonplaceholder.profile=json-server"] + switches.flatMap { ["--set", $0] }
    isProgram = asProgram
    demo = if asProgram { try await DemoProcess.start(arguments) } else { try await Demo.start(arguments) }
    let more = options.isEmpty ? "" : ", \(options)"
    config = try home.write(
      """
      {"switchboard": 1, "default": "todo"\(whole.isEmpty ? "" : ", \(whole)"), "backends": {
        "todo": {"plugin": "kitura", "url": "\(demo.base("kitura"))", "resource": "todos"\(more)},
        "json": {"plugin": "jsonplaceholder", "url": "\(demo.base("jsonplaceholder"))", "resource": "todos"\(more)},
        "intranet": {"plugin": "grails", "url": "\(demo.base("grails"))", "resource": "announcements"\(more)}}}
      """, to: "config.json")
  }

  /// The folder of the journal.
  var folder: String { home.folder.path + "/state/switchboard/journal" }
  var file: String { folder + "/journal.db" }

  /// Runs a script.
  func run(_ script: String, _ options: [String] = [], variables: [String: String] = [:]) async throws -> ConsoleRun {
    let words = ["--config", config] + options
    guard isProgram else { return try await ConsoleRun.run(words, input: script, in: home, variables: variables) }
    return try await ConsoleRun.runProgram(words, input: script, in: home, variables: variables)
  }

  /// The entries of the journal, the newest first.
  func entries(_ words: String = "") async throws -> [[String: Any]] {
    let run = try await run("journal \(words) --all -o json\n")
    return try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [[String: Any]] ?? []
  }

  /// A record as the console reads it.
  func record(_ words: String) async throws -> [String: Any] {
    let run = try await run("get \(words) -o json\n")
    return try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any] ?? [:]
  }

  /// Runs SQL on the journal's file, by another program than the console.
  func sql(_ text: String) throws {
    _ = try Program.run(
      "python3", "-c",
      "import sqlite3,sys; c=sqlite3.connect(sys.argv[1]); c.executescript(sys.argv[2]); c.commit()", file, text)
  }
}
