import BackendKit
import ConsoleSupport
import Foundation
import TestSupport
import Testing

/// A described service whose tickets refer to people, as a process of its own, and the console on it.
final class RelatedDesk: Sendable {
  private let home: ConsoleRun.Home
  private let server: PythonServer
  private let config: String

  init() async throws {
    let server = try await PythonServer("../Server/people.py")
    self.server = server
    let address = server.address
    home = try ConsoleRun.Home()
    _ = try home.write(Self.description, to: "desk.yaml")
    let styles = ["filtered", "read", "refused"]
    let backends = styles.map { style in
      let changes =
        style == "filtered"
        ? "" : #", "override": {"resources": {"people": {"filter": null}}}"#
      return #""\#(style)": {"plugin": "rest", "url": "\#(address)/\#(style)", "description": "desk.yaml"\#(changes)}"#
    }
    let log = #""log": {"plugin": "rest", "url": "\#(address)", "override": {"resources": {"log": {}}}}"#
    config = try home.write(
      #"{"switchboard": 1, "backends": {\#((backends + [log]).joined(separator: ", "))}}"#, to: "config.json")
  }

  func run(_ commands: String..., options: [String] = []) async throws -> ConsoleRun {
    try await ConsoleRun.run(
      ["--config", config] + options + commands.flatMap { ["-c", $0] }, in: home)
  }

  /// The requests since the last look that ask for people, in the order in which they came.
  func requests(_ run: ConsoleRun) async throws -> [String] {
    let text = try await ConsoleRun.run(["--config", config, "-c", "request log GET /log -o json"], in: home).output
    let all = try JSONReader.read(text).array?.compactMap(\.text) ?? []
    return all.filter { $0.contains("/people") }
  }

  private static let description = """
    page: {style: offset, parameter: offset}
    size: {parameter: limit, default: 30}
    records: {listPath: items}
    total: {member: total}
    identifier: {type: integer}
    resources:
      tickets:
        fields:
          id: integer
          title: text
          requester: {type: integer, reference: people}
          watchers: {type: list, reference: people}
      byLogin:
        paths: {collection: /tickets}
        fields:
          id: integer
          requester: {type: text, reference: {to: people, by: login}}
      odd:
        fields:
          id: integer
          requester: {type: integer, reference: people}
      people:
        fields: {id: integer, name: text, login: text}
        filter:
          fields: [id, login]
          conditions:
            in: {template: "{field}", accuracy: exact, arrays: comma}
    """
}
