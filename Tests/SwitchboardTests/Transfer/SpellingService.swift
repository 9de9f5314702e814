import ConsoleSupport
import Foundation
import TestSupport
import Testing

/// The service of Server/spelling.py as a process of its own, and the console on it with a backend for each of its stores. The store
/// `own` has two people and two items that refer to them. `ann` and `bob` are users of it, and `bare` is it without a description of fields.
final class SpellingService: Sendable {
  let home: ConsoleRun.Home
  private let server: PythonServer
  private let config: String

  init() async throws {
    server = try await PythonServer("../Server/spelling.py")
    home = try ConsoleRun.Home()
    _ = try home.write(Self.description, to: "items.yaml")
    _ = try home.write("preset: plain\npage: {style: none}\nresources:\n  items: {}\n", to: "bare.yaml")
    let stores = ["own", "own2", "exact", "trim", "lower", "nfc", "slug", "drop", "slim", "lowerslim", "full"]
    let password = try home.write("secret", to: "password")
    var backends = stores.map { [server] name in
      #""\#(name)": {"plugin": "rest", "url": "\#(server.address)/\#(name)", "description": "items.yaml"}"#
    }
    backends.append(#""bare": {"plugin": "rest", "url": "\#(server.address)/own", "description": "bare.yaml"}"#)
    backends += ["ann", "bob"].map { [server] name in
      #""\#(name)": {"plugin": "rest", "url": "\#(server.address)/own", "description": "items.yaml", "login": {"kind": "basic"}, "#
        + #""credentials": {"username": "\#(name)", "password": {"file": "\#(password)"}}}"#
    }
    config = try home.write(
      #"{"switchboard": 1, "backends": {\#(backends.joined(separator: ", "))}}"#, to: "spelling.json")
    try put("own/users", #"[{"id": 1, "email": "ana@x", "name": "Ana"}, {"id": 2, "email": "bo@x", "name": "Bo"}]"#)
    try put(
      "own/items",
      #"[{"id": 1, "code": " A1 ", "title": "t", "note": "n", "owner": 2},"#
        + #" {"id": 2, "code": "Cafe\u0301", "title": "t2", "note": "n2", "owner": 1}]"#)
  }

  private static let description = """
    preset: plain
    identifier: {type: integer}
    page: {style: none}
    resources:
      users:
        fields:
          id: {type: integer, readOnly: true}
          email: text
          name: text
      items:
        fields:
          id: {type: integer, readOnly: true}
          code: text
          title: text
          note: text
          owner: {type: integer, reference: users}
      teams:
        fields:
          id: {type: integer, readOnly: true}
          name: text
          members: {type: list, reference: users}
      archive:
        fields:
          id: {type: integer, readOnly: true}
          code: text
          title: text
          note: text
          owner: {type: integer, reference: users}
    """

  /// Runs commands in a console of their own.
  func run(_ commands: String...) async throws -> ConsoleRun {
    try await ConsoleRun.run(["--config", config] + commands.flatMap { ["-c", $0] }, in: home)
  }

  /// Forgets what the console remembers of transfers.
  func forget() throws {
    try FileManager.default.removeItem(at: home.folder.appending(path: "state/switchboard/transfers"))
  }

  /// The requests so far that write.
  func writes() throws -> [String] {
    let log = try JSONSerialization.jsonObject(with: Data(try server.read("log").utf8)) as? [String] ?? []
    return log.filter { !$0.hasPrefix("GET ") }
  }

  /// The values of a field in the records that a store has of a resource, in their order.
  func values(_ field: String, of resource: String) throws -> [String] {
    let records = try JSONSerialization.jsonObject(with: Data(try server.read("state/\(resource)").utf8))
    return (records as? [[String: Any]] ?? []).map { $0[field].map { "\($0)" } ?? "none" }
  }

  /// Replaces the records that a store has of a resource.
  func put(_ resource: String, _ records: String) throws { _ = try server.read("state/\(resource)", records) }
}
