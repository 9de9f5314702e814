import ConsoleSupport
import Foundation
import TestSupport
import Testing

/// The service of Server/proof.py as a process of its own, and the console on it with a backend for each of its ways to behave.
final class ProofService: Sendable {
  let home: ConsoleRun.Home
  private let server: PythonServer
  var address: String { server.address }
  private let config: String

  init() async throws {
    let server = try await PythonServer("../Server/proof.py")
    self.server = server
    let address = server.address
    home = try ConsoleRun.Home()
    _ = try home.write(Self.description, to: "items.yaml")
    var backends = [
      "whole", "many", "contested", "deaf", "half", "gateway", "claims", "lean", "leaner", "mute", "coerce",
    ].map { mode in
      Self.backend(mode, address, mode)
    }
    backends += [
      Self.backend("paged", address, "paged", #", "override": {"page": {"style": "untested"}}"#),
      Self.backend("odd", address, "odd", #", "override": {"page": {"style": "untested"}}"#),
      Self.backend(
        "probed", address, "paged", #", "override": {"page": {"style": "none", "source": {"from": "probe"}}}"#),
      Self.backend("seven", address, "odd"),
      Self.backend("late", address, "late", #", "override": {"revision": {"from": "etag", "onDelete": true}}"#),
      Self.backend("production", address, "contested", #", "label": "production""#),
    ]
    config = try home.write(
      #"{"switchboard": 1, "backends": {\#(backends.joined(separator: ", "))}}"#, to: "proof.json")
  }

  private static func backend(_ name: String, _ address: String, _ mode: String, _ more: String = "") -> String {
    #""\#(name)": {"plugin": "rest", "url": "\#(address)/\#(mode)", "description": "items.yaml"\#(more)}"#
  }

  private static let description = """
    preset: plain
    identifier: {type: integer}
    page: {style: none}
    resources:
      items:
        fields:
          id: {type: integer, readOnly: true}
          title: text
          state: text
          rank: integer
    """

  /// Runs a script.
  func run(
    _ script: String, _ options: [String] = [], variables: [String: String] = [:]
  ) async throws -> ConsoleRun {
    try await ConsoleRun.run(["--config", config] + options, input: script + "\n", in: home, variables: variables)
  }

  /// The requests so far that write.
  func writes() throws -> [String] {
    let log = try JSONSerialization.jsonObject(with: Data(try server.read("log").utf8)) as? [String] ?? []
    return log.filter { !$0.hasPrefix("GET ") && !$0.hasPrefix("HEAD ") }
  }

  /// An item as the service has it; nil if it has none.
  func item(_ mode: String, _ number: Int) throws -> [String: Any]? {
    try JSONSerialization.jsonObject(
      with: Data(try server.read("state/\(mode)/\(number)").utf8), options: .fragmentsAllowed) as? [String: Any]
  }

  /// Runs SQL on the journal, by another program than the console.
  func sql(_ text: String) throws {
    _ = try Program.run(
      "python3", "-c",
      "import sqlite3,sys; c=sqlite3.connect(sys.argv[1]); c.executescript(sys.argv[2]); c.commit()",
      home.folder.path + "/state/switchboard/journal/journal.db", text)
  }
}
