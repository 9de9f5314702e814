import ConsoleSupport
import DemoServerSupport
import Foundation

@testable import Console

/// One demo server for all cases that only read: what they find is as it was at its start.
actor SharedDemo {
  static let shared = SharedDemo()

  private var starting: Task<String, any Error>?
  private var server: Demo?
  private var home: ConsoleRun.Home?

  /// The configuration with the server's address in the place of the embedded demo's.
  func configuration() async throws -> String {
    if let starting { return try await starting.value }
    let task = Task { try await start() }
    starting = task
    return try await task.value
  }

  private func start() async throws -> String {
    let server = try await Demo.start(["--memory"])
    let home = try ConsoleRun.Home()
    let own = try String(contentsOf: ConsoleRun.root.appending(path: "config.json"), encoding: .utf8)
    (self.server, self.home) = (server, home)
    return try home.write(own.replacing("demo:", with: "http://127.0.0.1:\(server.port)/"), to: "config.json")
  }
}

extension ScriptCase {
  // The effects that change a server. A script names its commands: none comes from a variable.
  private static let changing: CommandEffects = [
    .writesRecords, .runsActions, .changesLogin, .changesConfiguration, .usesJournal,
  ]
  private static let changingNames = Set(
    CommandTable.commands.filter { !$0.effects.isDisjoint(with: changing) }.map(\.name))

  /// True if the script, as far as its words tell, only reads, and names neither the demo nor a configuration.
  var onlyReads: Bool {
    let text = sections.filter { !["out", "err", "status"].contains($0.title) }.map(\.body).joined(separator: "\n")
    let words = text.split { !$0.isLetter && $0 != "-" && $0 != ":" }.map(String.init)
    return !words.contains { Self.changingNames.contains($0) || $0.hasPrefix("--config") || $0.contains("demo:") }
  }
}
