import AdapterSupport
import BackendKit
import DemoServerSupport
import TestSupport
import Testing

/// The adapter over a demo server that begins with a database.
@Suite struct JSONPlaceholderServerTests {
  private let todos = ResourcePath(name: "todos")

  private func backend(_ database: Value) async throws -> any Backend {
    let folder = try TemporaryFolder()
    let file = try folder.write(JSONWriter.compact(database), to: "database.json")
    let demo = try await DemoProcess.start(
      ["--memory", "--import", file, "--set", "jsonplaceholder.profile=json-server"])
    return try PluginLibrary("jsonplaceholder").backend(ServerExchange(demo, "jsonplaceholder"))
  }

  @Test("no text makes the server fail as a regular expression") func patterns() async throws {
    let texts = ["[", "(", "*", "a+b", "^x", "\\", "$", "{2}", "|", "?", "a.b", "/", "50%"]
    for text in texts {
      let records: [Value] = ["plain", "has \(text) inside"].enumerated().map { place, title in
        ["id": .int(place + 1), "title": .string(title)]
      }
      let backend = try await backend(["todos": .array(records)])
      let filter = Filter.compare(FieldPath("title"), .contains, .value(.string(text)))
      #expect(try await backend.page(ListQuery(todos, filters: [filter])).records.map(\.id) == ["2"], "\(text)")
    }
  }

  private static let values: [Value] = [
    1, 2, 10, -1, 0, .number(Number("1.5") ?? Number(0)), "1", "1.0", "10", "true", "false", true, false, .null, "",
    "Milk", "milk", "MİLK", "\u{212A}ilo", "kilo", "飞机", "😀 a", "\u{FF01}", "É", "é", "a.b", "a+b", "[x", "100%",
    "O'Neill", [1], ["a": 1],
  ]
  private static let words = [
    "1", "1.0", "01", "10", "1e0", "true", "milk", "MILK", "k", "i", "", "飞", "😀", "É", "a.b", "[", "%", "null",
  ]

  @Test("generated queries agree with the reference evaluator", arguments: 1...4)
  func agreement(seed: UInt64) async throws {
    var random = SeededNumbers(seed)
    var records: [Value] = []
    for id in 1...120 {
      var record = Object([("id", .int(id))])
      for field in ["userId", "title", "completed"] where random.next() % 6 > 0 {
        record[field] = Self.values.randomElement(using: &random)
      }
      records.append(.object(record))
    }
    var queries = GeneratedQueries(
      random, fields: ["userId", "title", "completed", "id", "nope", "title.x"],
      operands: Self.values.map { .value($0) } + Self.words.map { .word($0) })
    queries.searches = ["mil", "1", "k", "飞", "İ", "é", "Σ"]
    let backend = try await backend(["todos": .array(records)])
    let (different, sent) = try await queries.disagreements(of: backend, on: todos)
    #expect(different == [])
    // If the server was never asked for anything, the test proves nothing.
    #expect(sent > 20)
  }

  @Test("a database that is too long leaves what is known, and a note has the reason") func long() async throws {
    let body = "{\"big\":[\"" + String(repeating: "x", count: 8 << 20) + "\"]}"
    let server = try SocketServer(SocketServer.json(200, body))
    let live = try await PluginLibrary("jsonplaceholder").backend(ServerExchange(server)).describe(.live)
    #expect(live.note?.contains("longer than 8 MiB") == true && live.resources.count == 6)
  }
}
