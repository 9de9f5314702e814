import AdapterSupport
import BackendKit
import DemoServerSupport
import TestSupport
import Testing

/// The adapter over a demo server with records and conditions that are hard to agree on.
@Suite struct BaasicServerTests {
  private static let texts: [Value] = [
    "Milk", "milk", "a'b", "50%", "a_b", "a[b]", "5", "true", "", "飞机", "😀", "É", "2017-10-03", "--", "\\", "a\"b",
    "WHERE",
  ]
  private static let numbers: [Value] = [1, 5, -5, .number(Number("2.5") ?? Number(0))]
  private static let others = numbers + [true, false, .null, [1], ["a": 1]]

  @Test("generated queries agree with the reference evaluator", arguments: [true, false], 1...2)
  func agreement(isEnforced: Bool, seed: UInt64) async throws {
    var random = SeededNumbers(seed)
    let kinds: [(String, [Value])] = [("text", Self.texts), ("number", Self.numbers), ("flag", [true, false])]
    let records = (0..<120).map { _ in
      var record = Object()
      for (field, fitting) in kinds where random.next() % 5 > 0 {
        record[field] = (isEnforced ? fitting : Self.texts + Self.others).randomElement(using: &random)
      }
      return Value.object(record)
    }
    let properties: Value = ["text": ["type": "string"], "number": ["type": "number"], "flag": ["type": "boolean"]]
    let schema: Value = [
      "name": "sample", "enforceSchemaValidation": .bool(isEnforced),
      "schema": ["type": "object", "properties": properties],
    ]
    let database: Value = ["baasic": ["schemas": [schema], "resources": ["sample": .array(records)]]]
    let folder = try TemporaryFolder()
    let file = try folder.write(JSONWriter.compact(database), to: "database.json")
    let demo = try await DemoProcess.start(["--memory", "--import", file])
    let backend = try PluginLibrary("baasic").backend(ServerExchange(demo, "baasic/v1/demo"))
    _ = try await backend.describe(.live)
    var queries = GeneratedQueries(
      random, fields: ["text", "number", "flag", "nope", "id"],
      operands: (Self.texts + Self.others).map { .value($0) } + ["5", "true", "milk", "x", "-5"].map { .word($0) })
    for (field, values) in kinds { queries.fitting[field] = values.map { .value($0) } }
    let (different, sent) = try await queries.disagreements(of: backend, on: ResourcePath(name: "sample"))
    #expect(different == [])
    // If the server was never asked for anything, the test proves nothing.
    #expect(sent > 15)
  }
}
