import ConsoleSupport
import DemoServerSupport
import Foundation
import TestSupport
import Testing

/// Identifiers that a command is given several times.
@Suite struct GivenTwiceTests {
  private let world: World

  init() async throws { world = try await World(.jsonplaceholder, .kitura) }

  private func writes() async throws -> Int {
    let writes = try await world.demo.send("GET", "/_demo/writes").json() as? [[String: String]]
    return try #require(writes).count
  }

  static let cases: [(command: String, input: String, note: String, writes: Int)] = [
    ("delete jsonplaceholder/todos 3 3 2 --yes", "", "3 is given several times, and counts once", 2),
    (
      "delete jsonplaceholder/todos --from - --yes", "3\n3\n2\n2\n3\n", "3, 2 are given several times, and count once",
      2
    ),
    ("update jsonplaceholder/todos 3 3 2 title=x", "", "3 is given several times, and counts once", 2),
    ("update jsonplaceholder/todos --from - title=x", "3\n2\n3\n", "3 is given several times, and counts once", 2),
    ("get jsonplaceholder/todos 3 2 3 3", "", "3 is given several times, and counts once", 0),
  ]

  @Test(arguments: cases) func `each counts once, and a note names those that were repeated`(
    command: String, input: String, note: String, writes: Int
  ) async throws {
    let run = try await world.run(commands: command, input: input).succeeded()
    #expect(run.errors.contains("note: \(note)\n"), "\(run.errors)")
    #expect(try await self.writes() == writes)
  }

  @Test func `a record that one file changes in several ways gets all of its changes`() async throws {
    let lines = ["b", "a", "a", "b"].map { #"{"id":3,"title":"\#($0)"}"# }.joined(separator: "\n")
    let run = try await world.run(
      commands: "update jsonplaceholder/todos --from -", "get jsonplaceholder/todos 3 -o json", input: lines
    ).succeeded()
    #expect(run.output.contains(#""title": "b""#), "\(run.output)")
    #expect(run.errors.contains("3 is given several times"), "\(run.errors)")
    #expect(try await writes() == 3)
    let plan = try await world.run(
      commands: "plan --to \(world.home.folder.path)/a.plan update jsonplaceholder/todos --from -", input: lines)
    #expect(plan.errors.contains("a record is given several times"), "\(plan.errors)")
  }

  @Test func `where records share an identifier, it may be given for each of them`() async throws {
    let run = try await world.run(commands: "delete kitura/todos 3 3 --yes")
    #expect(run.errors.contains("1 deleted, 1 failed"), "\(run.errors)")
    #expect(!run.errors.contains("given several times"), "\(run.errors)")
  }
}
