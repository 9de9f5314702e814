import BackendConformance
import BackendKit
import Testing

@Suite("Records in memory: single records and writes") struct InMemoryWriteTests {
  static let fullError = BackendError(
    .conflict, "the server said \"\u{1B}[2J\"", effect: .applied, hint: "hint", operation: "update", backend: "b",
    resource: "r/1/s", id: "é", cause: "cause\n\u{0}",
    fields: [FieldMessage("a.b", "can't be\u{1B}"), FieldMessage("", "")])

  @Test("an update keeps untouched fields to the last digit")
  func untouched() async throws {
    let memory = InMemoryBackend([InMemoryResource("notes", notes(3))])
    let receipt = try await memory.update(
      "2", in: .notes, changes: [.set("title", "new"), .set("extra", ["a": nil])], revision: nil)
    var expected = notes(3)[1]
    expected["title"] = "new"
    expected["extra"] = ["a": nil]
    let record = try await memory.get("2", from: .notes)
    #expect(record.fields == expected)
    #expect(JSONWriter.compact(.object(record.fields)).contains(#""price":2.10"#))
    #expect(JSONWriter.compact(.object(record.fields)).contains("9007199254740993"))
    #expect(receipt == WriteReceipt(id: "2", record: record))
    #expect(try await memory.get("1", from: .notes).fields == notes(1)[0])
  }

  @Test("to set null is not to unset")
  func clearing() async throws {
    let backend = InMemoryBackend([InMemoryResource("notes", notes(1))])
    _ = try await backend.update("1", in: .notes, changes: [.set("title", .null), .unset("body")], revision: nil)
    let record = try await backend.get("1", from: .notes)
    #expect(record.state(of: FieldPath("title")) == .value(.null))
    #expect(record.state(of: FieldPath("body")) == .absent)
  }

  @Test("a field is not removed where that is not declared")
  func cannotClear() async throws {
    var resource = InMemoryResource("notes", notes(1))
    resource.description.capabilities.canClear = false
    let memory = InMemoryBackend([resource])
    let error = try await failure {
      _ = try await memory.update("1", in: .notes, changes: [.unset("body")], revision: nil)
    }
    #expect(error.code == .unsupported)
    #expect(memory.calls.isEmpty)
  }

  @Test("what was created can be read", arguments: [IdentifierRule.Form.integer, .text])
  func create(_ form: IdentifierRule.Form) async throws {
    let memory = InMemoryBackend([InMemoryResource("notes", identifier: IdentifierRule(form: form))])
    var identifiers: Set<RecordID> = []
    for number in 1...50 {
      let fields = Object([("title", .int(number)), ("none", .null)] as [(String, Value)])
      let id = try #require(try await memory.create(fields, in: .notes).id)
      let record = try await memory.get(id, from: .notes)
      #expect(record.id == id)
      #expect(RecordID(record.fields["id"]) == id)
      #expect(record.fields["title"] == .int(number))
      #expect(record.fields["none"] == .null)
      #expect(IdentifierRule(form: form).complaint(about: id.text) == nil)
      identifiers.insert(id)
    }
    #expect(identifiers.count == 50)
  }

  @Test("an identifier may be chosen only where that is declared, and only once")
  func chosenIdentifier() async throws {
    let fields = Object([("id", 7)] as [(String, Value)])
    let strict = InMemoryBackend([InMemoryResource("notes")])
    let refused = try await failure {
      _ = try await strict.create(fields, in: .notes)
    }
    #expect(refused.code == .unsupported)
    #expect(strict.calls.isEmpty)
    var resource = InMemoryResource("notes")
    resource.description.capabilities.takesIdentifiers = true
    let backend = InMemoryBackend([resource])
    #expect(try await backend.create(fields, in: .notes).id == "7")
    let twice = try await failure {
      _ = try await backend.create(fields, in: .notes)
    }
    #expect(twice.code == .alreadyExists)
    #expect(try await backend.create(Object(), in: .notes).id == "8")
  }

  @Test("what is only echoed is not kept")
  func echoed() async throws {
    var resource = InMemoryResource("notes", notes(2))
    resource.description.capabilities.writes = .echoed
    let memory = InMemoryBackend([resource])
    let before = memory.records(of: "notes")
    let receipt = try await memory.create(Object([("title", "x")] as [(String, Value)]), in: .notes)
    #expect(receipt.writes == .echoed)
    #expect(receipt.record?.fields["title"] == "x")
    _ = try await memory.update("1", in: .notes, changes: [.set("title", "y")], revision: nil)
    _ = try await memory.delete(.one("2"), from: .notes)
    _ = try await memory.delete(.all, from: .notes)
    #expect(memory.records(of: "notes") == before)
    #expect(memory.calls.count == 4)
  }

  @Test("an update can insist on a revision")
  func revisions() async throws {
    let memory = InMemoryBackend([InMemoryResource("notes", notes(1), revisionField: "version")])
    #expect(try await memory.describe(.known).resources.first?.capabilities.hasRevisions == true)
    _ = try await memory.update("1", in: .notes, changes: [.set("title", "a")], revision: "0")
    let error = try await failure {
      _ = try await memory.update("1", in: .notes, changes: [.set("title", "b")], revision: "0")
    }
    #expect(error.code == .conflict)
    #expect(error.effect == .rejected)
    let record = try await memory.get("1", from: .notes)
    #expect(record.fields["title"] == "a")
    #expect(record.fields["version"] == 1)
  }

  @Test("a deletion removes that record and no other")
  func delete() async throws {
    let memory = InMemoryBackend([InMemoryResource("notes", notes(3))])
    #expect(try await memory.delete(.one("2"), from: .notes).id == "2")
    #expect(memory.records(of: "notes").map(\.id) == ["1", "3"])
    for call in [
      { _ = try await memory.get("2", from: .notes) },
      { _ = try await memory.delete(.one("2"), from: .notes) },
      { _ = try await memory.update("2", in: .notes, changes: [], revision: nil) },
    ] as [() async throws -> Void] {
      let error = try await failure(of: call)
      #expect(error.code == .notFound)
      #expect(error.effect == .rejected)
    }
    #expect(memory.records(of: "notes").count == 2)
    _ = try await memory.delete(.all, from: .notes)
    #expect(memory.records(of: "notes").isEmpty)
  }

  @Test(
    "an undeclared operation is refused before anything is asked", arguments: Capabilities.Operation.allCases)
  func undeclared(_ operation: Capabilities.Operation) async throws {
    var resource = InMemoryResource("notes", notes(2))
    resource.description.capabilities.operations.remove(operation)
    let memory = InMemoryBackend([resource])
    let error = try await failure { try await perform(operation, on: .notes, memory) }
    #expect(error.code == .unsupported)
    #expect(error.effect == .notSent)
    #expect(memory.calls.isEmpty)
    #expect(memory.records(of: "notes").count == 2)
  }

  @Test(
    "a resource that is not there is not found", arguments: Capabilities.Operation.allCases)
  func unknownResource(_ operation: Capabilities.Operation) async throws {
    let backend = InMemoryBackend([InMemoryResource("notes")])
    for path in [ResourcePath(name: "other"), try #require(ResourcePath("notes/1/notes"))] {
      let error = try await failure { try await perform(operation, on: path, backend) }
      #expect(error.code == .notFound)
    }
  }

  @Test(
    "an error keeps every member on its way", arguments: Capabilities.Operation.allCases)
  func errors(_ operation: Capabilities.Operation) async throws {
    let memory = InMemoryBackend([InMemoryResource("notes", notes(2))])
    let least = BackendError(.timedOut, "", effect: .unknown)
    for expected in [Self.fullError, least] {
      memory.failNext(with: expected)
      let error = try await failure { try await perform(operation, on: .notes, memory) }
      #expect(error == expected)
    }
    #expect(memory.records(of: "notes").count == 2)
  }

  @Test("a cancelled call says so", arguments: Capabilities.Operation.allCases)
  func cancellation(_ operation: Capabilities.Operation) async throws {
    let memory = InMemoryBackend([InMemoryResource("notes", notes(2))])
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await failure { try await perform(operation, on: .notes, memory) }
    }
    #expect(try await task.value.code == .cancelled)
    #expect(memory.calls.isEmpty)
  }

  @Test("a description or a plan asks nothing of the records")
  func quiet() async throws {
    let memory = InMemoryBackend([InMemoryResource("notes", notes(2))], apiVersion: "2.0")
    #expect(try await memory.describe(.known) == memory.describe(.known))
    #expect(try await memory.describe(.known).apiVersion == "2.0")
    _ = try await memory.plan(ListQuery(.notes, search: "x"))
    #expect(memory.calls.isEmpty)
    _ = try await memory.get("1", from: .notes)
    #expect(memory.calls == [.get("1", from: .notes)])
  }
}

private func perform(
  _ operation: Capabilities.Operation, on path: ResourcePath, _ backend: any Backend
) async throws(BackendError) {
  switch operation {
  case .list: _ = try await backend.list(ListQuery(path), at: nil, to: Gathered().sink())
  case .get: _ = try await backend.get("1", from: path)
  case .create: _ = try await backend.create(Object(), in: path)
  case .update: _ = try await backend.update("1", in: path, changes: [.set("title", "x")], revision: nil)
  case .delete: _ = try await backend.delete(.one("1"), from: path)
  case .deleteAll: _ = try await backend.delete(.all, from: path)
  }
}
