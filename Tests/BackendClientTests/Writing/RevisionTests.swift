import BackendClient
import BackendConformance
import BackendKit
import Testing

/// Writes insist on the revision in which a record was seen.
@Suite("Revisions") struct RevisionTests {
  private let memory: InMemoryBackend
  private let client: Client
  private let other: Client

  init() { self.init(needsRevision: false) }

  private init(needsRevision: Bool) {
    var capabilities = Capabilities.all
    capabilities.needsRevision = needsRevision
    memory = InMemoryBackend([
      InMemoryResource(
        "notes", [Object([("title", "one"), ("body", "b")]), Object([("title", "two")])], capabilities: capabilities,
        revisionField: "version",
        actions: [
          (ActionDescription("close"), Object([("title", "closed")])),
          (ActionDescription("archive", of: .collection), Object([("body", "gone")])),
        ])
    ])
    client = Client(name: "memory", backend: memory)
    other = Client(name: "memory", backend: memory)
  }

  private func update(_ client: Client, _ title: Value, _ use: Write.RevisionUse = .known) async -> BackendError? {
    await failure { () async throws(BackendError) in
      _ = try await client.perform(.update(.notes, "1", [.set("title", title)], revision: use))
    }
  }

  /// The revisions of the updates that were sent.
  private var sent: [String?] {
    memory.calls.compactMap { call -> String?? in
      switch call {
      case .update(_, _, _, let revision), .delete(_, _, let revision): .some(revision)
      default: nil
      }
    }
  }

  @Test("a record that was read is written at its revision, then at that of the receipt") func read() async throws {
    _ = try await client.get("1", from: .notes)
    #expect(await update(client, "a") == nil)
    #expect(await update(client, "b") == nil)
    #expect(sent == ["0", "1"])
  }

  @Test("a record that a list has shown is written at its revision") func listed() async throws {
    _ = try await client.gather(ListRequest(ListQuery(.notes)))
    _ = try await client.perform(.delete(.notes, .one("2")))
    #expect(sent == ["0"])
  }

  @Test("a record that nobody saw is written at none") func unseen() async throws {
    #expect(await update(client, "a") == nil)
    #expect(sent == [nil])
    #expect(memory.calls.count == 1)
  }

  @Test("a conflict tells of each field what it was, what it is and what it was to be") func conflict() async throws {
    _ = try await client.get("1", from: .notes)
    _ = try await other.perform(.update(.notes, "1", [.set("title", "theirs"), .set("body", "new")]))
    let error = try #require(await update(client, "mine"))
    #expect(error.code == .conflict)
    #expect(error.hint?.contains("--force") == true)
    #expect(
      error.fields == [
        FieldMessage("title", #"was "one", is now "theirs", was to be "mine""#),
        FieldMessage("body", #"was "b", is now "new""#), FieldMessage("version", "was 0, is now 1"),
      ])
    #expect(memory.records(of: "notes")[0].fields["title"] == "theirs")
    // That the versions were shown does not make the next attempt overwrite the other one.
    #expect(await update(client, "mine")?.code == .conflict)
    #expect(await update(client, "mine", .none) == nil)
    #expect(memory.records(of: "notes")[0].fields["title"] == "mine")
  }

  @Test("a deletion of a changed record is a conflict, too") func deletion() async throws {
    _ = try await client.get("1", from: .notes)
    #expect(await update(other, "theirs") == nil)
    let error = await failure { () async throws(BackendError) in
      _ = try await client.perform(.delete(.notes, .one("1")))
    }
    #expect(error?.code == .conflict)
    #expect(error?.fields.map(\.field) == ["title", "version"])
    #expect(memory.records(of: "notes").count == 2)
    _ = try await client.perform(.delete(.notes, .one("1"), revision: .none))
    #expect(memory.records(of: "notes").count == 1)
  }

  @Test("what a write with an unknown outcome may have changed is written at no revision") func unknown() async throws {
    _ = try await client.get("1", from: .notes)
    memory.failNext(with: BackendError(.timedOut, "no answer", effect: .unknown))
    #expect(await update(client, "a") != nil)
    #expect(client.revision(of: "1", in: .notes) == nil)
  }

  @Test("what an action of the collection may have changed is written at no revision") func collection() async throws {
    _ = try await client.get("1", from: .notes)
    _ = try await client.perform(.act(.notes, nil, "archive", Object()))
    #expect(client.revision(of: "1", in: .notes) == nil)
  }

  @Test("the receipt of an action brings a revision") func action() async throws {
    let receipt = try await client.perform(.act(.notes, "1", "close", Object()))
    #expect(receipt.record?.fields["title"] == "closed")
    #expect(client.revision(of: "1", in: .notes) == "1")
  }

  @Test("where a revision is required and none is known, the record is read and the receipt says what that is worth")
  func required() async throws {
    let tests = RevisionTests(needsRevision: true)
    let receipt = try await tests.client.perform(.update(.notes, "1", [.set("title", "a")]))
    #expect(tests.sent == ["0"])
    #expect(receipt.notes.count == 1)
    #expect(receipt.notes.first?.contains("only against later changes") == true)
    let deleted = try await tests.client.perform(.delete(.notes, .one("2")))
    #expect(tests.sent == ["0", "0"])
    #expect(deleted.notes.count == 1)
  }

  @Test("the revision of one record is not that of another of the same identifier") func paths() async throws {
    _ = try await client.get("1", from: .notes)
    #expect(client.revision(of: "1", in: ResourcePath(name: "others")) == nil)
    #expect(other.revision(of: "1", in: .notes) == nil)
  }

  @Test("a great many records seen push out the oldest, never the latest") func many() {
    for number in 0..<20_000 {
      client.see(Record(id: RecordID("\(number)"), fields: Object(), revision: "r"), in: .notes)
    }
    #expect(client.revision(of: "19999", in: .notes) == "r")
    #expect(client.revision(of: "15001", in: .notes) == "r")
    #expect(client.revision(of: "1", in: .notes) == nil)
  }
}
