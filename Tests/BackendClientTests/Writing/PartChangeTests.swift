import BackendClient
import BackendConformance
import BackendKit
import Testing

/// Changes of parts of fields, on services that replace objects and on those that merge them.
@Suite("Parts of fields") struct PartChangeTests {
  private func client(
    merges: Bool = false, revisionField: String? = nil, fields: [FieldDescription] = []
  ) -> (client: Client, memory: InMemoryBackend) {
    var capabilities = Capabilities.all
    capabilities.mergesObjects = merges
    let memory = InMemoryBackend([
      InMemoryResource(
        "notes",
        [
          Object(
            [("address", ["city": "Bern", "zip": 3000]), ("tags", ["a", "b"]), ("title", "t")] as [(String, Value)])
        ],
        fields: fields, capabilities: capabilities, revisionField: revisionField)
    ])
    return (Client(name: "memory", backend: memory), memory)
  }

  private func part(_ path: String..., to value: Value?) throws -> PartChange {
    try #require(PartChange(path, value))
  }

  @Test("the outer member is read, changed and sent whole, with a warning where no revision guards it")
  func replaced() async throws {
    let (client, memory) = client()
    let receipt = try await client.perform(
      .update(.notes, "1", [.set("title", "u")], parts: [try part("address", "city", to: "Basel")]))
    #expect(memory.records(of: "notes")[0].fields["address"] == ["city": "Basel", "zip": 3000])
    #expect(memory.records(of: "notes")[0].fields["title"] == "u")
    #expect(receipt.notes.contains { $0.contains("read, changed and sent whole") })
  }

  @Test("a revision guards it where the service heeds one") func guarded() async throws {
    let (client, memory) = client(revisionField: "version")
    let receipt = try await client.perform(
      .update(.notes, "1", [], parts: [try part("address", "city", to: "Basel")]))
    #expect(receipt.notes.isEmpty)
    #expect(
      memory.calls.last
        == .update(
          "1", in: .notes, changes: [.set("address", ["city": "Basel", "zip": 3000])], revision: "0"))
  }

  @Test("where the service merges objects, only the member is sent; what may be a member of the record is looked up")
  func merged() async throws {
    for isKnown in [true, false] {
      let fields = [
        FieldDescription("address", .object), FieldDescription("title", .text), FieldDescription("tags", .list),
      ]
      let (client, memory) = client(merges: true, fields: isKnown ? fields : [])
      _ = try await client.perform(.update(.notes, "1", [], parts: [try part("address", "city", to: "Basel")]))
      let update = BackendCall.update(
        "1", in: .notes, changes: [.set("address", ["city": "Basel"])], revision: nil)
      #expect(memory.calls == (isKnown ? [] : [.get("1", from: .notes)]) + [update])
    }
  }

  @Test("a path is the record's own member where it has one of that name", arguments: [false, true])
  func members(merges: Bool) async throws {
    var capabilities = Capabilities.all
    capabilities.mergesObjects = merges
    let memory = InMemoryBackend([
      InMemoryResource(
        "notes",
        [
          Object(
            [
              ("host.name", "h1"), ("n.m", 1), ("on.off", true), ("x.y", "z"), ("host", ["name": "inner", "port": 1]),
            ] as [(String, Value)])
        ], capabilities: capabilities)
    ])
    let client = Client(name: "memory", backend: memory)
    _ = try await client.perform(
      .update(
        .notes, "1", [],
        parts: [
          try part("host", "name", to: "w"), PartChange(oppositeAt: ["on", "off"]), try part("x", "y", to: nil),
          try part("host", "port", to: 2),
        ]))
    let fields = memory.records(of: "notes")[0].fields
    #expect(fields["host.name"] == "w" && fields["on.off"] == false && fields["x.y"] == nil)
    #expect(fields["host"] == ["name": "inner", "port": 2] && fields["on"] == nil && fields["x"] == nil)
  }

  @Test("what merging cannot say is read, changed and sent whole") func unmergeable() async throws {
    let (client, memory) = client(merges: true)
    _ = try await client.perform(
      .update(
        .notes, "1", [],
        parts: [try part("address", "zip", to: nil), try part("tags", "1", to: "c"), try part("new", "x", "y", to: 1)]))
    let fields = memory.records(of: "notes")[0].fields
    #expect(fields["address"] == ["city": "Bern"])
    #expect(fields["tags"] == ["a", "c"])
    #expect(fields["new"] == ["x": ["y": 1]])
  }

  @Test("a boolean becomes its opposite in the kind that is stored; anything else is refused")
  func opposites() async throws {
    for (stored, opposite) in [(true, false), (false, true), (0, 1), (1, 0)] as [(Value, Value)] {
      var value: Value? = stored
      try PartChange(oppositeAt: ["done"]).apply(to: &value)
      #expect(value == opposite)
    }
    for stored in [nil, .null, "true", 2] as [Value?] {
      var value = stored
      #expect(throws: BackendError.self) { try PartChange(oppositeAt: ["done"]).apply(to: &value) }
      #expect(value == stored)
    }
  }

  @Test("a path into what has no parts is refused, and nothing is changed") func misled() async throws {
    let (client, memory) = client()
    let before = memory.records(of: "notes")
    for path in [["title", "x"], ["tags", "2"], ["tags", "x"]] {
      let part = try #require(PartChange(path, 1))
      let error = await failure { () async throws(BackendError) in
        _ = try await client.perform(.update(.notes, "1", [], parts: [part]))
      }
      #expect(error?.code == .invalid)
      #expect(error?.effect == .notSent)
    }
    #expect(memory.records(of: "notes") == before)
  }

  @Test("a word without a known type gets that of the present value, if it fits")
  func words() throws {
    let spec = Object([("watts", 4), ("on", true), ("name", "n"), ("none", .null)])
    let record = Object([("spec", .object(spec))])
    func value(_ name: String, _ text: String, isWord: Bool = true) throws -> Value? {
      try #require(PartChange(["spec", name], .string(text), isWord: isWord)).computed(of: record).value
    }
    #expect(try value("watts", "8") == 8 && value("watts", "8.50") == .number(#require(Number("8.50"))))
    #expect(try value("watts", "eight") == "eight" && value("watts", "8", isWord: false) == "8")
    #expect(try value("on", "false") == false && value("on", "no") == "no")
    #expect(try value("name", "8") == "8" && value("none", "8") == "8" && value("new", "8") == "8")
  }
}
