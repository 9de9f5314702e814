import AdapterSupport
import BackendKit
import ConsoleSupport
import TestSupport

/// The service of Server/later.py as a process of its own, and the console on it.
final class LaterService: Sendable {
  let home: ConsoleRun.Home
  private let server: PythonServer

  init() async throws {
    let server = try await PythonServer("../Server/later.py")
    self.server = server
    home = try ConsoleRun.Home(
      [DescribedBackend("later", server.address, by: "later", more: #", "resource": "builds""#)], default: "later",
      describing: [
        "later": """
        preset: plain
        identifier: {type: integer}
        page: {style: none}
        resources:
          builds:
            create: {returns: maybe}
            job: {state: state, progress: percent, pending: [running], done: [done], failed: [broken], message: why, result: result}
          plain: {}
        """
      ])
  }

  /// Runs a script.
  func run(_ script: String, _ options: [String] = []) async throws -> ConsoleRun {
    try await home.run(script + "\n", options)
  }

  /// Runs a script by a console that is a program, beside another one.
  func runProgram(_ script: String) async throws -> ConsoleRun {
    try await ConsoleRun.runProgram(["--config", home.config ?? ""], input: script + "\n", in: home)
  }

  /// Says what becomes of a task.
  func end(_ task: Int, _ body: String) async throws {
    let request = HTTPRequest(
      "PUT", try RequestPath(segments: ["tasks", String(task)]), body: Array(body.utf8), effect: .write)
    _ = try await ServerExchange(server.address).send(request).body.collect()
  }

  /// Waits until the service was asked for something so many times.
  func wait(for request: String, times: Int = 1) async throws {
    let exchange = try ServerExchange(server.address)
    while true {
      let log = try await exchange.send(HTTPRequest("GET", try RequestPath("log"), effect: .read)).body.json()
      if (log.array ?? []).count(where: { $0.text == request }) >= times { return }
      try await Task.sleep(for: .milliseconds(20))
    }
  }
}
