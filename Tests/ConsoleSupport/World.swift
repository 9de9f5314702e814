public import DemoServerSupport
import Foundation
import TestSupport

/// The console in a home of its own, with a configuration whose backends are dialects of one demo. Writes are kept there.
///
/// `try await World(.kitura, .grails, seed: 5).run("count todos\n")` runs a script. The process of the test has it all, unless
/// `SWITCHBOARD_TEST_PROGRAMS` names a folder of programs.
public struct World: Sendable {
  /// A dialect of the demo, with the plugin of that name.
  public enum Dialect: String, Sendable {
    case grails, kitura, jsonplaceholder, baasic

    /// The resource that commands without one mean.
    var resource: String {
      switch self {
      case .grails: "announcements"
      case .kitura, .jsonplaceholder: "todos"
      case .baasic: "todo"
      }
    }
  }

  /// The home; removed with the last copy of this.
  public let home: ConsoleRun.Home
  /// The server of all backends.
  public let demo: Demo
  /// A world with a backend for each dialect, named after it; the first is the default.
  public init(_ dialects: Dialect..., seed: Int? = nil, setting switches: String...) async throws {
    try await self.init(dialects.map { ($0.rawValue, $0) }, seed: seed, setting: switches)
  }

  /// A world with these backends; the first is the default. `options` stand in each backend, `more` beside them all.
  public init(
    _ backends: KeyValuePairs<String, Dialect>, seed: Int? = nil, setting switches: [String] = [],
    options: [String: Any] = [:], more: [String: Any] = [:]
  ) async throws {
    try await self.init(
      backends.map { ($0.key, $0.value) }, seed: seed, setting: switches, options: options, more: more)
  }

  private init(
    _ backends: [(name: String, dialect: Dialect)], seed: Int?, setting switches: [String],
    options: [String: Any] = [:], more: [String: Any] = [:]
  ) async throws {
    demo = try await Demo.start(
      ["--memory"] + (seed.map { ["--seed", String($0)] } ?? [])
        + (["jsonplaceholder.profile=json-server"] + switches).flatMap { ["--set", $0] })
    var all: [String: Any] = [:]
    for (name, dialect) in backends {
      let own: [String: Any] = [
        "plugin": dialect.rawValue, "url": demo.base(dialect.rawValue), "resource": dialect.resource,
      ]
      all[name] = own.merging(options) { $1 }
    }
    var content: [String: Any] = ["switchboard": 1, "backends": all]
    content["default"] = backends.first?.name
    let text = try JSONSerialization.data(withJSONObject: content.merging(more) { $1 }, options: .sortedKeys)
    home = try ConsoleRun.Home(configuration: String(decoding: text, as: UTF8.self))
  }

  /// Runs a script as standard input, with options on the outer command line.
  public func run(
    _ script: String, _ options: [String] = [], variables: [String: String] = [:]
  ) async throws -> ConsoleRun {
    try await home.run(script, options, variables: variables)
  }

  /// Runs commands, each given with `-c`.
  public func run(commands: String..., input: String = "") async throws -> ConsoleRun {
    try await home.run(input, commands.flatMap { ["-c", $0] })
  }

  /// The number of requests since the last call.
  public func requests() async throws -> Int {
    let counts = try await demo.send("GET", "/_demo/requests").object()
    _ = try await demo.send("DELETE", "/_demo/requests")
    return counts["total"] as? Int ?? 0
  }
}
