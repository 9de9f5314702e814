import BackendClient
import BackendConformance
import BackendKit
import Testing

/// Requests described as actions, and checks by the descriptions of fields.
@Suite("Actions and described values") struct ActionTests {
  private let memory: InMemoryBackend
  private let client: Client

  init() {
    let status = FieldDescription("status", .text, values: ["open", "closed"])
    memory = InMemoryBackend([
      InMemoryResource(
        "notes", [Object([("status", "open")])],
        fields: [
          FieldDescription("id", .integer, isReadOnly: true), status, FieldDescription("due", .day),
          FieldDescription("code", .text, maximumLength: 4, lengthUnit: .bytes),
          FieldDescription("pin", .text, values: ["1234"], isSecret: true),
          FieldDescription("customer", .object, fields: [FieldDescription("city", .text, maximumLength: 3)]),
          FieldDescription("items", .list, fields: [status]),
        ],
        actions: [
          (
            ActionDescription("close", fields: [FieldDescription("reason", .text, isRequired: true), status]),
            Object([("status", "closed")])
          ), (ActionDescription("archive", of: .collection), Object()),
        ])
    ])
    client = Client(name: "memory", backend: memory)
  }

  private func refusal(_ write: Write) async -> BackendError? {
    let error = await failure { () async throws(BackendError) in _ = try await client.perform(write) }
    #expect(memory.calls.isEmpty)
    #expect(error?.effect == .notSent)
    return error
  }

  @Test("an action is done with what it takes") func acts() async throws {
    let receipt = try await client.perform(.act(.notes, "1", "close", Object([("reason", "done")])))
    #expect(receipt.record?.fields["status"] == "closed")
    #expect(receipt.record?.fields["reason"] == "done")
    #expect(try await client.perform(.act(.notes, nil, "archive", Object())).answer == ["count": 1])
  }

  @Test("an action that is not described is refused before anything is sent") func undeclared() async {
    for write in [
      Write.act(.notes, "1", "open", Object()), .act(.notes, nil, "close", Object()),
      .act(.notes, "1", "archive", Object()),
    ] {
      let error = await refusal(write)
      #expect(error?.code == .unsupported)
      #expect(error?.hint?.contains("close (of a record)") == true)
    }
  }

  @Test(
    "what an action does not take is refused before anything is sent",
    arguments: [
      [:], ["reason": "r", "other": 1], ["reason": "r", "status": "shut"],
    ] as [[String: Value]])
  func input(_ fields: [String: Value]) async {
    #expect(await refusal(.act(.notes, "1", "close", Object(fields.map { ($0.key, $0.value) })))?.code == .invalid)
  }

  @Test(
    "a value that no record can have is refused before anything is sent",
    arguments: [
      ("status", "shut", "status must be one of open, closed, not \"shut\""),
      ("due", "2026-02-29", "due must be a day (YYYY-MM-DD), not \"2026-02-29\""),
      ("due", "2026-02-01T10:00:00Z", "due must be a day (YYYY-MM-DD), not \"2026-02-01T10:00:00Z\""),
      ("code", "ééé", "code is 6 bytes long; the limit is 4"),
      ("pin", "0000", "pin must be one of …, not the given value"),
      ("customer", ["city": "Zürich"], "customer.city is 6 characters long; the limit is 3"),
      (
        "items", [["status": "open"], ["status": "shut"]], "items.1.status must be one of open, closed, not \"shut\""
      ),
    ] as [(String, Value, String)])
  func values(_ field: String, _ value: Value, _ sentence: String) async {
    #expect(await refusal(.update(.notes, "1", [.set(field, value)]))?.message == sentence)
    #expect(await refusal(.create(.notes, Object([(field, value)])))?.message == sentence)
  }

  @Test("values that a record can have are sent") func taken() async throws {
    let changes: [Change] = [
      .set("status", "closed"), .set("due", "2028-02-29"), .set("code", " abcd "), .set("customer", ["city": "Bâl"]),
      .set("items", []),
    ]
    _ = try await client.perform(.update(.notes, "1", changes))
    #expect(memory.calls.count == 1)
  }
}
