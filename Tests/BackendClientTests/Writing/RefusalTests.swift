import BackendClient
import BackendConformance
import BackendKit
import Testing

@Suite("What is refused before anything is sent") struct RefusalTests {
  private let memory: InMemoryBackend
  private let client: Client

  init() {
    let fields = [
      FieldDescription("id", .integer, isReadOnly: true), FieldDescription("title", .text, isRequired: true),
      FieldDescription("code", .text, maximumLength: 4), FieldDescription("made", .date, isReadOnly: true),
    ]
    var clearing = Capabilities.all
    clearing.canClear = false
    memory = InMemoryBackend([
      InMemoryResource("notes", [Object([("title", "one")]), Object([("title", "two")])], fields: fields),
      InMemoryResource("fixed", [Object([("title", "one")])], fields: fields, capabilities: clearing),
      InMemoryResource("closed", [Object([("title", "one")])], capabilities: Capabilities(operations: [])),
    ])
    client = Client(name: "memory", backend: memory)
  }

  private func refusal(_ write: Write) async -> BackendError? {
    let error = await failure { () async throws(BackendError) in _ = try await client.perform(write) }
    #expect(memory.calls.isEmpty)
    #expect(error?.effect == .notSent)
    #expect(error?.backend == "memory")
    #expect(error?.operation == write.verb)
    #expect(error?.resource == write.resource.description)
    #expect(error?.id == write.id?.text)
    return error
  }

  @Test("an identifier of another form", arguments: ["x", "", "01", "+1", "1/2", "9223372036854775808"])
  func identifiers(_ text: String) async {
    let id = RecordID(text)
    #expect(await refusal(.update(.notes, id, [.set("title", "x")]))?.code == .invalid)
    #expect(await refusal(.delete(.notes, .one(id)))?.code == .invalid)
    let error = await failure { () async throws(BackendError) in _ = try await client.get(id, from: .notes) }
    #expect(error?.code == .invalid)
    #expect(error?.operation == "get")
    #expect(error?.id == text)
    #expect(memory.calls.isEmpty)
  }

  @Test("an operation that is not declared")
  func operations() async {
    let closed = ResourcePath(name: "closed")
    let writes: [Write] = [
      .create(closed, Object()), .update(closed, "1", [.set("title", "x")]), .delete(closed, .one("1")),
      .delete(closed, .all),
    ]
    for write in writes { #expect(await refusal(write)?.code == .unsupported) }
    let list = await failure { () async throws(BackendError) in
      _ = try await client.gather(ListRequest(ListQuery(closed)))
    }
    #expect(list?.code == .unsupported)
    #expect(list?.operation == "list")
    let get = await failure { () async throws(BackendError) in _ = try await client.get("1", from: closed) }
    #expect(get?.code == .unsupported)
    #expect(memory.calls.isEmpty)
  }

  @Test("asking whether all can be deleted names the resource where not")
  func deletingAll() async throws {
    let closed = try await client.resource(ResourcePath(name: "closed"))
    let error = await failure { () async throws(BackendError) in try client.canDeleteAll(closed) }
    #expect(error?.resource == "closed")
    #expect(error?.backend == "memory")
    try client.canDeleteAll(try await client.resource(.notes))
  }

  @Test(
    "a field that only the server sets, or that is too long",
    arguments: [("made", "now"), ("id", 7), ("code", "12345"), ("code", "  😀😀x ")] as [(String, Value)])
  func fields(_ name: String, _ value: Value) async {
    #expect(await refusal(.create(.notes, Object([("title", "x"), (name, value)])))?.code == .invalid)
    #expect(await refusal(.update(.notes, "1", [.set(name, value)]))?.code == .invalid)
  }

  @Test("text that is as long as it may be is sent, white space at its ends uncounted")
  func longest() async throws {
    _ = try await client.perform(.create(.notes, Object([("title", "x"), ("code", "  😀😀\n")])))
    #expect(memory.calls.count == 1)
  }

  @Test("a record without a required field, no change, and the removal of what must stay")
  func required() async {
    #expect(await refusal(.create(.notes, Object([("code", "x")])))?.message == "notes needs a title")
    #expect(await refusal(.update(.notes, "1", []))?.code == .invalid)
    #expect(await refusal(.update(.notes, "1", [.unset("title")]))?.code == .invalid)
    #expect(await refusal(.update(.notes, "1", [.unset("made")]))?.code == .invalid)
    #expect(await refusal(.update(ResourcePath(name: "fixed"), "1", [.unset("code")]))?.code == .unsupported)
  }

  @Test(
    "a resource that is not there, or not below this one", arguments: ["nothing", "notes/1/closed", "nothing/1/notes"])
  func resources(_ text: String) async throws {
    let path = try #require(ResourcePath(text))
    #expect(await refusal(.delete(path, .all))?.code == .notFound)
  }

  @Test("a resource below a record whose identifier has another form names that record and the operation")
  func parents() async throws {
    let path = try #require(ResourcePath("notes/x/closed"))
    var notes = ResourceDescription(name: "notes", identifier: IdentifierRule(form: .integer), capabilities: .all)
    notes.children = ["closed"]
    let closed = ResourceDescription(name: "closed", identifier: IdentifierRule(form: .text), capabilities: .all)
    let client = Client(name: "memory", backend: PagesBackend(pages: [:], resources: [notes, closed]))
    let error = await failure { () async throws(BackendError) in _ = try await client.perform(.delete(path, .all)) }
    #expect(error?.code == .invalid)
    #expect(error?.operation == "delete")
    #expect(error?.id == "x")
  }

  @Test("a resource below a record is judged by what can be done there, also if some of its facts are only likely")
  func below() async throws {
    var notes = ResourceDescription(name: "notes", identifier: IdentifierRule(form: .integer), capabilities: .all)
    notes.children = ["parts"]
    var title = FieldDescription("title", .text, isRequired: true)
    title.likely = [.required]
    var parts = ResourceDescription(
      name: "parts", identifier: IdentifierRule(form: .integer), fields: [title, FieldDescription("note", .text)],
      capabilities: Capabilities(operations: [.list]))
    parts.capabilities.operationsBelow = [.list, .create]
    let client = Client(name: "memory", backend: PagesBackend(pages: [:], resources: [notes, parts]))
    let fields = Object([("note", "x")])
    let path = try #require(ResourcePath("notes/1/parts"))
    try await client.check(.create(path, fields))
    let error = await failure { () async throws(BackendError) in
      try await client.check(.create(ResourcePath(name: "parts"), fields))
    }
    #expect(error?.code == .unsupported)
  }

  @Test("a cursor of another list")
  func positions() async throws {
    let query = ListQuery(.notes)
    let start = try #require(try await client.gather(ListRequest(query, limit: 1)).summary.next)
    memory.forgetCalls()
    let title = FieldPath("title")
    var others = (0..<8).map { _ in query }
    others[0].filters = [.compare(title, .equal, .word("x"))]
    others[1].sort = [SortKey(title)]
    others[2].search = "x"
    others[3].fields = [title]
    others[4].pageSize = 1
    others[5].ignoreCase = true
    others[6].serverOrder = true
    others[7].resource = ResourcePath(name: "fixed")
    for (number, other) in others.enumerated() {
      let error = await failure { () async throws(BackendError) in
        _ = try await client.gather(ListRequest(other, limit: 1, start: start))
      }
      #expect(error?.code == .invalid, "\(number)")
      #expect(error?.effect == .notSent)
    }
    let elsewhere = Client(name: "other", backend: memory)
    let error = await failure { () async throws(BackendError) in
      _ = try await elsewhere.gather(ListRequest(query, limit: 1, start: start))
    }
    #expect(error?.code == .invalid)
    #expect(memory.calls.isEmpty)
    #expect(try await client.gather(ListRequest(query, limit: 1, start: start)).ids == ["2"])
  }

  @Test("errors of the server carry the names of what was tried")
  func names() async {
    let failed = BackendError(.unavailable, "away", effect: .unknown)
    for write in [Write.update(.notes, "1", [.set("title", "x")]), .delete(.notes, .one("1"))] {
      memory.failNext(with: failed)
      let error = await failure { () async throws(BackendError) in _ = try await client.perform(write) }
      #expect(error?.operation == write.verb)
      #expect(error?.id == "1")
      #expect(error?.resource == "notes")
      #expect(error?.backend == "memory")
      #expect(error?.effect == .unknown)
    }
  }
}
