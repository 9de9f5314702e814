import ConsoleSupport
import Foundation
import Testing

/// Records that were read, edited and given back: what only the server sets stands in them as it was.
@Suite("Records that are given back") struct GivenBackTests {
  let world: World

  init() async throws { world = try await World(["k": .kitura, "b": .baasic], setting: ["baasic.stamps=yes"]) }

  private func run(_ command: String) async throws -> ConsoleRun { try await world.run(commands: command) }

  /// Reads a record to a file and changes a text in it.
  private func edit(_ record: String, _ old: String, _ new: String) async throws {
    try await run("get \(record) -o json --to r.json").succeeded()
    let text = try String(contentsOfFile: world.home.folder.path + "/r.json", encoding: .utf8)
    #expect(text.contains(old), "\(text)")
    _ = try world.home.write(text.replacing(old, with: new), to: "r.json")
  }

  @Test(
    "the unchanged fields that only the server sets are left out",
    arguments: [
      ("k 3", "k", "no. 3", "edited", "title"),
      (
        "b/schemas todo", "b/schemas", "\"description\": \"", "\"description\": \"edited ", "description"
      ),
    ])
  func unchanged(record: String, target: String, old: String, new: String, field: String) async throws {
    try await edit(record, old, new)
    let run = try await run("update \(target) --from r.json").succeeded()
    #expect(run.output.hasPrefix("updated ") && run.output.contains(field))
    let after = try await self.run("get \(record) -o json")
    #expect(after.output.contains("edited"))
  }

  @Test("a changed one is refused by its name, and nothing is written") func changed() async throws {
    try await edit("k 3", "localhost:8080", "elsewhere:9")
    let before = try await run("list k --all -o json").output
    let run = try await run("update k --from r.json")
    #expect((run.status, run.output) == (1, ""))
    #expect(
      run.errors.contains(
        "r.json:1: url of k/todos/3 are read-only, and the given value differs from the record's"),
      "\(run.errors)")
    #expect(try await self.run("list k --all -o json").output == before)
  }

  @Test("one that is named on the command line is refused before anything is read") func named() async throws {
    try await run("update k 3 url=x").failed(2, saying: "url of todos is read-only: only the server sets it")
  }

  @Test("of a record that is not there its own row says so") func missing() async throws {
    _ = try world.home.write(#"{"id":99,"title":"x","url":"y"}"# + "\n" + #"{"id":3,"title":"x"}"#, to: "r.json")
    let run = try await run("update k --from r.json")
    #expect((run.status, run.output) == (5, "updated todos/3: title\n"), "\(run.errors)")
    #expect(run.errors.contains("r.json:1: update k/todos 99: not found"))
  }
}
