import ConsoleSupport
import DemoServerSupport
import Foundation
import TestSupport

/// A demo server that holds the same titles in all four dialects, and a console configured for them.
struct UniformServer {
  let demo: DemoProcess
  let home: ConsoleRun.Home
  private let config: String

  /// The four backends, by the names that the configuration gives them.
  static let backends = ["grails", "kitura", "placeholder", "baasic"]

  init(_ titles: [String], switches: [String] = []) async throws {
    home = try ConsoleRun.Home()
    let data = try home.write(UniformData.imported(titles), to: "data.json")
    demo = try await DemoProcess.start(
      ["--memory", "--seed", "0", "--import", data, "--set", "jsonplaceholder.profile=json-server"]
        + switches.flatMap { ["--set", $0] })
    let base = demo.base("")
    config = try home.write(
      """
      {"switchboard": 1, "backends": {
        "grails": {"plugin": "grails", "url": "\(base)grails", "resource": "announcements"},
        "kitura": {"plugin": "kitura", "url": "\(base)kitura", "resource": "todos"},
        "placeholder": {"plugin": "jsonplaceholder", "url": "\(base)jsonplaceholder", "resource": "todos"},
        "baasic": {"plugin": "baasic", "url": "\(base)baasic/v1/demo", "resource": "todo"}}}
      """, to: "uniform.json")
  }

  /// Runs the console with the lines of a script after its `use` line.
  func run(_ backend: String, _ lines: [String], arguments: [String] = []) async throws -> ConsoleRun {
    try await ConsoleRun.run(
      ["--config", config] + arguments, input: (["use \(backend)"] + lines).joined(separator: "\n") + "\n", in: home)
  }

  /// Starts the console with one command.
  func start(_ backend: String, _ line: String) throws -> RunningProgram {
    try ConsoleRun.start(["--config", config, "-c", "use \(backend)", "-c", line], in: home)
  }

  /// Returns the number of requests to a dialect since the last call.
  func requests(of backend: String) async throws -> Int {
    let counts = try await demo.send("GET", "/_demo/requests").object()
    _ = try await demo.send("DELETE", "/_demo/requests")
    return counts[backend == "placeholder" ? "jsonplaceholder" : backend] as? Int ?? 0
  }
}
