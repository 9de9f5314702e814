import ConsoleSupport
import Foundation
import TestSupport

/// The service of Server/proof.py as a process of its own, and the console on it with a backend for each of its ways to behave.
final class ProofService: Sendable {
  let home: ConsoleRun.Home
  private let server: PythonServer
  var address: String { server.address }

  init() async throws {
    let server = try await PythonServer("../Server/proof.py")
    self.server = server
    let address = server.address
    func backend(_ name: String, _ mode: String? = nil, _ more: String = "") -> DescribedBackend {
      DescribedBackend(name, "\(address)/\(mode ?? name)", by: "items", more: more)
    }
    let modes = [
      "whole", "many", "contested", "deaf", "half", "gateway", "claims", "lean", "leaner", "mute", "coerce",
    ]
    let untested = #", "override": {"page": {"style": "untested"}}"#
    home = try ConsoleRun.Home(
      modes.map { backend($0) } + [
        backend("paged", nil, untested), backend("odd", nil, untested), backend("seven", "odd"),
        backend("probed", "paged", #", "override": {"page": {"style": "none", "source": {"from": "probe"}}}"#),
        DescribedBackend("unsaid", "\(address)/paged", by: "open"),
        DescribedBackend("few", "\(address)/odd", by: "open"),
        DescribedBackend("known", "\(address)/known", by: "more"),
        DescribedBackend("more", "\(address)/whole", by: "more"),
        DescribedBackend("inline", "\(address)/paged", by: "items", more: #", "override": {"page": null}"#),
        backend("late", nil, #", "override": {"revision": {"from": "etag", "onDelete": true}}"#),
        backend("production", "contested", #", "label": "production""#),
      ],
      describing: [
        "items": Self.description,
        "more": """
        preset: plain
        identifier: {type: integer}
        page: {style: none}
        resources:
          items:
            fields:
              id: {type: integer, readOnly: true}
              rank: {type: integer, readOnly: true}
            additionalFields: true
        """,
        "open": Self.description.split(separator: "\n").filter { !$0.hasPrefix("page") }.joined(separator: "\n") + "\n",
      ])
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
  func run(_ script: String, _ options: [String] = [], variables: [String: String] = [:]) async throws -> ConsoleRun {
    try await home.run(script + "\n", options, variables: variables)
  }

  /// The requests so far that write.
  func writes() throws -> [String] {
    try server.read("log").json([String].self).filter { !$0.hasPrefix("GET ") && !$0.hasPrefix("HEAD ") }
  }

  /// An item as the service has it; nil if it has none.
  func item(_ mode: String, _ number: Int) throws -> [String: Any]? {
    try server.read("state/\(mode)/\(number)").json(Any.self) as? [String: Any]
  }

  /// Runs SQL on the journal, by another program than the console.
  func sql(_ text: String) throws {
    _ = try Program.run(
      "python3", "-c",
      "import sqlite3,sys; c=sqlite3.connect(sys.argv[1]); c.executescript(sys.argv[2]); c.commit()",
      home.folder.path + "/state/switchboard/journal/journal.db", text)
  }
}
