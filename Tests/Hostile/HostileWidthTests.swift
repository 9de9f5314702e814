import AdapterSupport
import ConsoleSupport
import Foundation
import TestSupport
import Testing

@testable import ConsoleOutput

/// A list of few records, each with thousands of fields of its own.
@Suite("A hostile width") struct HostileWidthTests {
  private static let records = 20

  /// The fields of a record. Two thousand are beyond each limit here: a table has at most 1,000 columns; the response is
  /// seventeen times the 64 KiB of a pipe, of the console's buffer, of a piece of formatted text and of the transport's window; the
  /// names of all fields are fifty times the length that errors may have. With `--all` there are ten times as many.
  private static let fields = ProcessInfo.processInfo.environment["SWITCHBOARD_TEST_ALL"] == nil ? 2_000 : 20_000

  /// An identifier: twenty of them are six times what a pipe holds, where nothing else is printed.
  private static func name(_ record: Int) -> String { "record-\(record)-" + String(repeating: "x", count: 20_000) }

  /// More of it than pipe and buffers hold, in every format: also of the identifiers alone.
  private static let body: String = {
    let objects = (1...records).map { record in
      let fields = (0..<fields).map { #""field_\#(record)_\#($0)":\#($0)"# }.joined(separator: ",")
      return #"{"id":"\#(name(record))",\#(fields)}"#
    }
    return "[\(objects.joined(separator: ","))]"
  }()

  @Test(
    "does not keep SIGINT from ending the run while records are printed, in any format",
    .timeLimit(.minutes(10)), arguments: OutputFormat.allCases)
  func interrupted(format: OutputFormat) async throws {
    let home = try ConsoleRun.Home()
    let server = try SocketServer(SocketServer.json(200, Self.body))
    let console = try ConsoleRun.start(
      ["list", "jsonplaceholder:\(server.address)/posts", "--all", "-o", format.rawValue], in: home)
    // From here on it writes, and waits for a reader: more than the signal may keep it from is still to be printed.
    try await console.expect("record-1-", timeout: .seconds(500))
    let run = try await console.end(by: SIGINT, timeout: .seconds(500))
    #expect(run.status == 130, "\(run.errors.prefix(500))")
    #expect(!run.output.contains("record-\(Self.records)-"))
    #expect(run.errors.contains("stopped; "), "\(run.errors.prefix(500))")
    #expect(run.errors.utf8.count < 10_000)
  }

  @Test("does not keep it from ending a run that prints what was captured", .timeLimit(.minutes(10)))
  func captured() async throws {
    let home = try ConsoleRun.Home()
    let server = try SocketServer(SocketServer.json(200, Self.body))
    let console = try ConsoleRun.start(
      [
        "--errors", "json", "-c", "capture r = list jsonplaceholder:\(server.address)/posts", "-c", "show @r -o json",
      ], in: home)
    try await console.expect("record-1-", timeout: .seconds(500))
    let run = try await console.end(by: SIGINT, timeout: .seconds(500))
    #expect(run.status == 130, "\(run.errors.prefix(500))")
    #expect(!run.output.contains("record-\(Self.records)-") && !run.output.hasSuffix("]\n"))
    #expect(run.errors.contains("it is incomplete"), "\(run.errors.prefix(500))")
  }

  @Test("is reported whole, where nobody interrupts", .timeLimit(.minutes(10)), arguments: [OutputFormat.table, .csv])
  func whole(format: OutputFormat) async throws {
    let home = try ConsoleRun.Home()
    let server = try SocketServer(SocketServer.json(200, Self.body))
    let console = try ConsoleRun.start(
      ["list", "jsonplaceholder:\(server.address)/posts", "--all", "-o", format.rawValue], in: home)
    let run = try await console.end(timeout: .seconds(500))
    #expect(run.status == 0 && run.output.contains("record-\(Self.records)-"), "\(run.errors.prefix(500))")
    #expect(run.output.split(separator: "\n").count == Self.records + 1)
  }
}
