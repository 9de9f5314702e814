import AdapterSupport
import ConsoleSupport
import Foundation
import Testing

/// Numbers near the end of what 64 bits hold, wherever a server counts: they neither crash the console nor are reported as true.
@Suite("Numbers beyond all counting") struct HostileCountTests {
  static let numbers = [
    "9223372036854775807", "9223372036854775808", "9223372036854775806", "-9223372036854775808",
    "-9223372036854775809", "18446744073709551615", "18446744073709551616", "4611686018427387904",
    "9007199254740993", "1e19", "1e400", "-1", "0",
  ]

  /// A service, and a page of its own with one record in which every count is the same number.
  enum Counting: String, CaseIterable, Sendable {
    case jsonServer, jsonServerLinks, jsonServer1, baasic, tickets, grails, kitura

    var backend: String {
      switch self {
      case .jsonServer, .jsonServerLinks: #""plugin": "jsonplaceholder", "resource": "posts""#
      case .jsonServer1:
        #""plugin": "jsonplaceholder", "resource": "posts", "options": {"apiVersion": "1"}"#
      case .baasic: #""plugin": "baasic", "resource": "todo", "options": {"resources": {"todo": null}}"#
      case .tickets: #""plugin": "tickets", "resource": "tickets""#
      case .grails: #""plugin": "grails", "resource": "announcements""#
      case .kitura: #""plugin": "kitura", "resource": "todos""#
      }
    }

    func home(_ server: SocketServer) throws -> ConsoleRun.Home {
      try ConsoleRun.Home(
        configuration:
          #"{"switchboard": 1, "default": "it", "backends": {"it": {\#(backend), "url": "\#(server.address)"}}}"#)
    }

    func page(_ number: String) -> [UInt8] {
      let record = #"{"id": 1, "title": "one", "order": 1}"#
      let resource = #"{"type": "tickets", "id": "1", "attributes": {"subject": "one"}}"#
      let json = ("Content-Type", "application/json")
      return switch self {
      case .jsonServer:
        SocketServer.answer(200, [json, ("X-Total-Count", number), ("Retry-After", number)], "[\(record)]")
      case .jsonServerLinks:
        SocketServer.answer(
          200,
          [
            json, ("X-Total-Count", number),
            ("Link", "</posts?_page=\(number)>; rel=\"next\", </posts?_page=\(number)>; rel=\"last\""),
          ], "[\(record)]")
      case .jsonServer1:
        SocketServer.json(
          200,
          """
          {"first": 1, "prev": null, "next": \(number), "last": \(number), "pages": \(number), "items": \(number),
           "data": [\(record)]}
          """)
      case .baasic:
        SocketServer.json(
          200,
          """
          {"page": \(number), "recordsPerPage": \(number), "totalRecords": \(number), "sort": "", "item": [\(record)]}
          """)
      case .tickets:
        SocketServer.answer(
          200, [("Content-Type", "application/vnd.api+json")],
          """
          {"data": [\(resource)], "meta": {"total": \(number), "page": {"size": \(number), "number": \(number)}},
           "links": {"next": "/tickets?page%5Bnumber%5D=\(number)&page%5Bafter%5D=\(number)"}}
          """)
      case .grails, .kitura:
        SocketServer.answer(200, [json, ("X-Total-Count", number), ("X-Pagination-Total", number)], "[\(record)]")
      }
    }
  }

  private static let commands = [
    "list", "list --all", "list --page 2", "list --per-page 1 --page 3", "list --skip 1", "list -n 1",
    "list --limit 3 -o json",
    "count", "stats id", "explain list",
  ]

  @Test("in what a server answers", arguments: Counting.allCases, numbers)
  func served(_ counting: Counting, _ number: String) async throws {
    let server = try SocketServer(counting.page(number))
    let home = try counting.home(server)
    let config = try #require(home.config)
    // One run, in which each command begins with a mark in both outputs.
    let mark = "===="
    let lines = Self.commands.flatMap { ["! echo \(mark); echo \(mark) >&2", $0] }
    let run = try await ConsoleRun.runProgram(
      ["--config", config, "--allow-shell", "--stream", "--on-error", "continue", "--errors", "json"],
      input: lines.joined(separator: "\n") + "\n", in: home)
    func pieces(_ text: String) -> [String] { Array(text.components(separatedBy: mark + "\n").dropFirst()) }
    let answers = zip(pieces(run.output), pieces(run.errors))
    let end = "\(run.status) \(run.output.suffix(300)) \(run.errors.suffix(300))"
    #expect([0, 1, 2, 5].contains(run.status) && !run.errors.contains("Fatal error"), "\(end)")
    for (command, (output, errors)) in zip(Self.commands, answers) {
      let statuses = errors.matches(of: /"status":(\d+)/).compactMap { Int($0.1) }
      let said = "\(command): \(output.prefix(300)) \(errors.prefix(300))"
      #expect(statuses.allSatisfy { [1, 2, 5].contains($0) }, "\(said)")
      guard statuses.isEmpty else { continue }
      // No such number of records is told of: there is one, and it is here.
      if command != "count", number.utf8.count > 15 {
        #expect(!output.contains(number) && !errors.contains("of \(number)"), "\(said)")
      }
      if command == "count" { #expect(["0\n", "1\n"].contains(output), "\(said)") }
    }
    #expect(Array(answers).count == Self.commands.count, "\(end)")
  }

  @Test(
    "in what is typed",
    arguments: [
      "list --page N", "list --per-page N", "list --skip N", "list -n N", "list --limit N",
      "list --per-page N --page N",
      "list --skip N -n N", "list --max-scan N --sort title", "count --max-scan N", "list 'id>N'", "get N",
      "list -n 1 --page N",
    ], ["9223372036854775807", "9223372036854775808", "9223372036854775806", "4611686018427387904"])
  func typed(_ words: String, _ number: String) async throws {
    for counting in [Counting.jsonServer, .jsonServer1, .baasic, .tickets, .kitura] {
      let server = try SocketServer(counting.page("1"))
      let command = words.replacing("N", with: number)
      let run = try await counting.home(server).run(commands: command, "next")
      #expect([0, 1, 2, 5].contains(run.status), "\(counting): \(command): \(run.status) \(run.errors.prefix(300))")
    }
  }
}
