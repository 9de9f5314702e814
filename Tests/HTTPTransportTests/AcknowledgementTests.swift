import ConsoleSupport
import Foundation
import TestSupport
import Testing

/// A server that sends head and body apart, with Nagle's algorithm on: its body waits for the acknowledgement of the head.
@Suite(
  "Acknowledgements",
  .enabled(if: OwnNetwork.command != nil, "a network of the test's own is not permitted here, or unshare is missing"))
struct AcknowledgementTests {
  private static let count = 20

  private let home: ConsoleRun.Home

  init() throws { home = try ConsoleRun.Home() }

  /// Returns the numbers of connections, requests and delayed acknowledgements of a client, given by its command.
  private func numbers(_ options: [String], _ client: [String] = []) async throws -> [Int] {
    let network = try #require(OwnNetwork.command)
    let script = ConsoleRun.root.appending(path: "Tests/HTTPTransportTests/Server/acknowledgements.py").path
    let words = network.dropFirst() + ["python3", "-B", script, "\(Self.count)"] + options + client
    let run = try await ConsoleRun.runProgram(Array(words), bytes: [], in: home, executable: network.first)
    #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
    return run.output.split(separator: "\n").last?.split(separator: " ").compactMap { Int($0) } ?? []
  }

  /// Runs the console and a client that leaves acknowledgements to the system.
  private func compare(_ options: [String], _ backend: String) async throws {
    let config = try home.write("{\"switchboard\": 1, \"backends\": {\"parts\": {\(backend)}}}", to: "config.json")
    let gets = Array(repeating: "get parts/posts 1\n", count: Self.count).joined()
    // Reads that are sent ahead would take more connections.
    let script = try home.write("set readAhead 0\n" + gets, to: "gets.sb")
    let console = [try BuiltFolder.ofPrograms.file("switchboard"), "--config", config, "-f", script]
    let plain = try await numbers(options)
    #expect(plain.count == 3 && plain.prefix(2) == [1, Self.count], "\(plain)")
    // The system acknowledges the first few at once by itself.
    #expect(plain.last.map { $0 > Self.count / 2 } == true, "the server's bodies do not wait: \(plain)")
    // A busy machine may be late with some of them, but not with so many each time.
    var all: [[Int]] = []
    repeat { all.append(try await numbers(options, console)) } while all.count < 5 && !Self.areFew(all.last ?? [])
    #expect(Self.areFew(all.last ?? []), "\(all)")
  }

  /// Returns true for one connection, all requests, and few delayed acknowledgements.
  private static func areFew(_ numbers: [Int]) -> Bool {
    numbers.count == 3 && numbers.prefix(2) == [1, count] && numbers[2] < count / 4
  }

  @Test("a head that comes without its body is acknowledged at once") func plain() async throws {
    try await compare([], #""plugin": "jsonplaceholder", "url": "http://127.0.0.1:8000""#)
  }

  @Test("it is behind TLS, too", .enabled(if: TLSFixture.isPossible, "openssl is not in PATH"))
  func secure() async throws {
    let fixture = try TLSFixture()
    defer { fixture.stop() }
    try await compare(
      ["--tls", fixture.file("server.pem"), fixture.file("server.key")],
      #""plugin": "jsonplaceholder", "url": "https://127.0.0.1:8000", "tls": {"ca": "\#(fixture.file("ca.pem"))"}"#)
  }
}

/// A network that a program has to itself, with its counters.
private enum OwnNetwork {
  /// The start of a command that runs in one; nil where the machine permits none.
  static let command = [["unshare", "--net"], ["unshare", "--map-root-user", "--net"]].first {
    (try? Program.run($0 + ["true"])) != nil
  }
}
