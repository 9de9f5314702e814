import ConsoleSupport
import TestSupport

/// A described service whose tickets refer to people, as a process of its own, and the console on it.
final class RelatedDesk: Sendable {
  private let home: ConsoleRun.Home
  private let server: PythonServer

  init() async throws {
    let server = try await PythonServer("../Server/people.py")
    self.server = server
    let address = server.address
    let unfiltered = #", "override": {"resources": {"people": {"filter": null}}}"#
    let backends = ["filtered", "read", "refused"].map { style in
      DescribedBackend(style, "\(address)/\(style)", by: "desk", more: style == "filtered" ? "" : unfiltered)
    }
    let log = DescribedBackend("log", address, more: #", "override": {"resources": {"log": {}}}"#)
    home = try ConsoleRun.Home(backends + [log], describing: ["desk": Self.description])
  }

  func run(_ commands: String...) async throws -> ConsoleRun {
    try await home.run("", commands.flatMap { ["-c", $0] })
  }

  /// The requests since the last look that ask for people, in the order in which they came.
  func requests(_ run: ConsoleRun) async throws -> [String] {
    let log = try await self.run("request log GET /log -o json").output
    return try log.json([String].self).filter { $0.contains("/people") }
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
