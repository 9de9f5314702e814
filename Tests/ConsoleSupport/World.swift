public import DemoServerSupport
import Foundation

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
  /// The path of the configuration.
  public let config: String

  /// A world with a backend for each dialect, named after it; the first is the default.
  public init(_ dialects: Dialect..., seed: Int? = nil, setting switches: String...) async throws {
    try await self.init(dialects.map { ($0.rawValue, $0) }, seed: seed, setting: switches)
  }

  /// A world with these backends, of which the first is the default. `options` stand in each backend, `more` beside them all.
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
    home = try ConsoleRun.Home()
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
    config = try home.write(String(decoding: text, as: UTF8.self), to: "config.json")
  }

  /// Runs a script as standard input, with further words on the outer command line.
  public func run(
    _ script: String, _ options: [String] = [], variables: [String: String] = [:]
  ) async throws -> ConsoleRun {
    try await ConsoleRun.run(["--config", config] + options, input: script, in: home, variables: variables)
  }

  /// Runs commands, each given with `-c`.
  public func run(commands: String...) async throws -> ConsoleRun {
    try await ConsoleRun.run(["--config", config] + commands.flatMap { ["-c", $0] }, in: home)
  }

  /// The member values of the record that a command shows, as `get` gives them.
  public func object(_ command: String) async throws -> [String: Any] {
    let run = try await run("\(command) -o json\n")
    return try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any] ?? [:]
  }
}
