import ConsoleSupport
import Foundation
import TestSupport
import Testing

/// The table of messages in docs/reference/errors.md, made from a service that fails in each way. `RECORD_REFERENCE=1` writes it anew.
@Suite("Messages of errors by code and operation") struct ErrorTableTests {
  /// The ways to fail, which the service has as resources, and `down`, where nothing listens.
  private static let ways = [
    "s401", "s403", "s404", "s409", "s422", "s429", "s500", "s503", "page", "silent", "closed", "down",
  ]
  private static let operations = ["list", "get", "create", "update", "delete"]

  /// A row of the table: the operations of one failure that have the same code, status and message.
  private struct Row {
    let code: String
    let status: String
    let message: String
    var operations: [String]
  }

  @Test("the table shows what the console prints") func table() async throws {
    let file = ConsoleRun.root.appending(path: "docs/reference/errors.md")
    let document = try String(contentsOf: file, encoding: .utf8)
    let found = try #require(document.firstMatch(of: /\| code \| status \| operation \| message \|\n(?:\|.*\n)+/))
    let table = try await rows().map { row in
      let operations = row.operations == Self.operations ? "all" : row.operations.joined(separator: ", ")
      return "| `\(row.code)` | \(row.status) | \(operations) | \(row.message) |\n"
    }
    let text = "| code | status | operation | message |\n| --- | --- | --- | --- |\n" + table.joined()
    if ProcessInfo.processInfo.environment["RECORD_REFERENCE"] != nil {
      try document.replacing(found.output, with: text).write(to: file, atomically: true, encoding: .utf8)
    }
    #expect(String(found.output) == text, "run the test with RECORD_REFERENCE=1")
  }

  private func rows() async throws -> [Row] {
    let server = try await PythonServer("../Server/statuses.py")
    defer { withExtendedLifetime(server) {} }
    let home = try ConsoleRun.Home()
    let resources = Self.ways.map { "  \($0): {fields: {title: text}}\n" }
    _ = try home.write(
      "preset: plain\nidentifier: {type: integer}\nupdate: {method: PATCH}\nresources:\n" + resources.joined(),
      to: "api.yaml")
    // Only who never answers is not given minutes.
    let backends = [
      ("api", server.address, 300), ("late", server.address, 1), ("off", "http://127.0.0.1:1", 300),
    ].map { name, url, time in
      #""\#(name)": {"plugin": "rest", "url": "\#(url)", "description": "api.yaml", "timeouts": {"firstByte": \#(time)}}"#
    }
    let config = try home.write(
      #"{"switchboard": 1, "backends": {\#(backends.joined(separator: ", "))}}"#, to: "api.json")
    let commands = Self.ways.flatMap { way in
      Self.operations.map { operation in
        let id = ["list", "create"].contains(operation) ? "" : " 1"
        let change = ["create", "update"].contains(operation) ? " title=x" : ""
        let backend = ["down": "off", "silent": "late"][way] ?? "api"
        return (way, operation, "\(operation) \(backend)/\(way)\(id)", change)
      }
    }
    let arguments = ["--config", config, "--on-error", "continue"] + commands.flatMap { ["-c", $0.2 + $0.3] }
    async let shown = ConsoleRun.runProgram(arguments, in: home)
    async let reported = ConsoleRun.runProgram(arguments + ["--errors", "json"], in: ConsoleRun.Home())
    let sentences = try await shown.errors.split(separator: "\n").filter { $0.contains(": error: ") }
    let reports = try await reported.errors.split(separator: "\n").map { line in
      try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], "\(line)")
    }
    try #require(sentences.count == commands.count && reports.count == commands.count, "\(sentences)")
    var rows: [(way: String, row: Row)] = []
    for (index, (way, operation, command, _)) in commands.enumerated() {
      let start = "-c:\(index + 1): error: \(command): "
      #expect(sentences[index].hasPrefix(start), "\(sentences[index])")
      let message = String(sentences[index].dropFirst(start.count))
        .replacing(/http:\/\/127\.0\.0\.1:\d+/, with: "ADDRESS").replacing(" (ADDRESS)", with: "")
      let row = Row(
        code: reports[index]["code"] as? String ?? "", status: "\(reports[index]["status"] ?? "")", message: message,
        operations: [operation])
      let same = rows.firstIndex { known in
        known.way == way && known.row.code == row.code && known.row.status == row.status && known.row.message == message
      }
      if let same { rows[same].row.operations.append(operation) } else { rows.append((way, row)) }
    }
    return rows.map(\.row)
  }
}
