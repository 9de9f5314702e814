import ConsoleSupport
import Foundation
import TestSupport
import Testing

/// The service of Server/undecided.py as a process of its own, and the console on it.
final class UndecidedService: Sendable {
  let home: ConsoleRun.Home
  private let server: PythonServer

  /// `more` is added to the backend, and `facts` to the description of the items.
  init(_ more: String = "", facts: String = "") async throws {
    let server = try await PythonServer("../Server/undecided.py")
    self.server = server
    home = try ConsoleRun.Home(
      [DescribedBackend("it", server.address, by: "items", more: #", "resource": "items""# + more)], default: "it",
      describing: [
        "items": """
        preset: plain
        identifier: {type: integer}
        page: {style: none}
        resources:
          items:
            fields:
              id: {type: integer, readOnly: true}
              title: text
              name: text
              hint: text
              rank: number
            \(facts)
        """
      ])
  }

  /// A file of so many rows, each a record with a title of its own.
  func rows(_ count: Int, in name: String = "rows.ndjson") throws -> String {
    try home.write((0..<count).map { "{\"title\":\"row \($0)\",\"rank\":\($0)}\n" }.joined(), to: name)
  }

  func run(_ commands: String..., input: String = "", options: [String] = []) async throws -> ConsoleRun {
    try await home.run(input, options + commands.flatMap { ["-c", $0] })
  }

  /// A console in a terminal.
  func terminal() throws -> ConsoleTmux { try ConsoleTmux(in: home, config: home.config, columns: 220) }

  /// Starts a console, and returns once the service has had a request of its.
  func start(_ command: String, until request: String) async throws -> RunningProgram {
    let console = try home.start(commands: [command])
    try wait(for: console) { try requests().contains { $0.hasPrefix(request) } }
    return console
  }

  private func wait(for console: RunningProgram, until isSo: () throws -> Bool) throws {
    while try !isSo() {
      let state = try String(contentsOfFile: "/proc/\(console.id)/stat", encoding: .utf8)
      try #require(!state.contains(") Z "), "the console has ended")
    }
  }

  /// Kills a console once the service has had so many creations.
  func kill(_ command: String, after count: Int, input: String = "") async throws {
    let console = try home.start(commands: [command])
    if !input.isEmpty {
      try console.type(input)
      console.endInput()
    }
    try wait(for: console) { try requests().count { $0.hasPrefix("POST ") } >= count }
    _ = try await console.end(by: SIGKILL)
  }

  /// From now on the first creations are answered, and the next ones are `hold`, `hangup`, `drop` or `answer`. With `late` the next
  /// list waits for `answer`.
  func set(_ way: String, after count: Int = 0) throws { _ = try server.read("set/\(way)/\(count)") }

  /// The requests for items since the log was emptied.
  func requests() throws -> [String] { try server.read("log").json() }

  func emptyLog() throws { _ = try server.read("clear") }

  /// Takes all items away; new ones are numbered from 1 again.
  func forget() throws { _ = try server.read("forget") }

  /// The titles of all items.
  func titles() throws -> [String] {
    try server.read("all").json([[String: Any]].self).map { $0["title"] as? String ?? "" }
  }

  /// Makes an item that no console has asked for.
  func add(_ fields: String) throws { _ = try server.read("other", fields) }
}
