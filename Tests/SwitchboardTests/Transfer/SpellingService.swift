import ConsoleSupport
import Foundation
import TestSupport

/// The service of Server/spelling.py as a process of its own, and the console on it with a backend for each of its stores. The store
/// `own` has two people and two items that refer to them. `ann` and `bob` are users of it, and `bare` is it without a description of fields.
final class SpellingService: Sendable {
  let home: ConsoleRun.Home
  private let server: PythonServer

  init() async throws {
    let server = try await PythonServer("../Server/spelling.py")
    self.server = server
    let stores = ["own", "own2", "exact", "trim", "lower", "nfc", "slug", "drop", "slim", "lowerslim", "full"]
    let users = ["ann", "bob"].map { name in
      DescribedBackend(
        name, "\(server.address)/own", by: "items",
        more:
          #", "login": {"kind": "basic"}, "credentials": {"username": "\#(name)", "password": {"file": "password"}}"#)
    }
    home = try ConsoleRun.Home(
      stores.map { DescribedBackend($0, "\(server.address)/\($0)", by: "items") }
        + [DescribedBackend("bare", "\(server.address)/own", by: "bare")] + users,
      describing: [
        "items": Self.description, "bare": "preset: plain\npage: {style: none}\nresources:\n  items: {}\n",
      ])
    _ = try home.write("secret", to: "password")
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
    try await home.run("", commands.flatMap { ["-c", $0] })
  }

  /// Forgets what the console remembers of transfers.
  func forget() throws {
    try FileManager.default.removeItem(at: home.folder.appending(path: "state/switchboard/transfers"))
  }

  /// The requests so far that write.
  func writes() throws -> [String] {
    try server.read("log").json([String].self).filter { !$0.hasPrefix("GET ") }
  }

  /// The values of a field in the records that a store has of a resource, in their order.
  func values(_ field: String, of resource: String) throws -> [String] {
    try server.read("state/\(resource)").json([[String: Any]].self).map { $0[field].map { "\($0)" } ?? "none" }
  }

  /// Replaces the records that a store has of a resource.
  func put(_ resource: String, _ records: String) throws { _ = try server.read("state/\(resource)", records) }
}
