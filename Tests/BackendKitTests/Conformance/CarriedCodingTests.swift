import BackendConformance
import BackendKit
import Testing

@Suite("Carried values") struct CarriedCodingTests {
  /// What comes back after passing through text.
  private func carry<Carried: CarriedCoding>(_ value: Carried) throws -> Carried {
    try Carried(carried: try JSONReader.read(JSONWriter.compact(value.carried)))
  }

  @Test("records and writes come back as they went", arguments: 0..<20)
  func records(_ seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let record = Record(
      id: RecordID(random.text()), fields: random.object(), unloaded: [random.text()], revision: random.text())
    let changes: [Change] = [.set(random.text(), random.value()), .set("", .null), .unset(random.text())]
    let path = ResourcePath(name: "a/b \(random.text())")
    let calls: [BackendCall] = [
      .describe(.known), .describe(.live), .get(RecordID(""), from: path), .create(random.object(), in: path),
      .update("1", in: path, changes: changes, revision: nil), .update("1", in: path, changes: [], revision: ""),
      .delete(.one("all"), from: path), .delete(.all, from: path),
      .delete(.one("1"), from: path, revision: random.text()), .act("a", on: nil, in: path, with: Object()),
      .act(random.text(), on: "1", in: path, with: random.object()),
      .list(ListQuery(path), at: nil), .list(ListQuery(path), at: Cursor(random.text())),
    ]
    for call in calls { #expect(try carry(call) == call) }
    let replies: [BackendReply] = [
      .batch([record, Record(id: nil, fields: Object()), .unreadable("x")]), .batch([]), .taken(.more), .taken(.enough),
      .end(PageEnd()),
      .end(PageEnd(next: Cursor(""), total: 0, pageSize: 1)), .record(record), .receipt(WriteReceipt(id: nil)),
      .receipt(WriteReceipt(id: "1", record: record, writes: .unknown, notes: [random.text()])),
      .receipt(WriteReceipt(id: "1", revision: "", answer: random.value())),
      .error(InMemoryWriteTests.fullError),
    ]
    for reply in replies { #expect(try carry(reply) == reply) }
  }

  @Test("a query and its plan come back as they went", arguments: 0..<50)
  func queries(_ seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let path = try #require(ResourcePath("users/1/todos"))
    let query = ListQuery(
      path, filters: (0..<3).map { _ in random.filter(depth: 4) },
      sort: [SortKey(FieldPath("a.b"), isDescending: true)],
      search: random.text(), fields: [FieldPath(random.text())], pageSize: 1, skip: .max, native: random.text(),
      serverOrder: true, ignoreCase: true)
    #expect(try carry(query) == query)
    #expect(try carry(ListQuery(path)) == ListQuery(path))
    #expect(try carry(ListQuery(path, search: "", fields: [])) == ListQuery(path, search: "", fields: []))
    let plan = ListPlan(
      filters: Fidelity.allCases, sort: .not, search: .superset, fields: .not, skip: .not, pageSize: 3,
      countsRecords: true, request: random.text(), notes: [random.text()])
    #expect(try carry(plan) == plan)
    #expect(try carry(ListPlan(request: "")) == ListPlan(request: ""))
  }

  @Test func `a description comes back as it went`() throws {
    let full = Capabilities(
      operations: [.list, .deleteAll], paging: .cursor, pageCap: 1, takesLargerPages: true, defaultPageSize: 2,
      stability: .stable,
      hasTotal: true, update: .replace, canClear: false, writes: .echoed, unlistedFields: ["a"], hasRevisions: true,
      deletesAtRevision: true, needsRevision: true, mergesObjects: true,
      takesIdentifiers: true, takesCreationKeys: true, hasSearch: true, embedding: Capabilities.Embedding(["x"]))
    let fields = FieldDescription.Kind.allCases.map {
      FieldDescription(
        $0.rawValue, $0, isRequired: true, isReadOnly: true, maximumLength: 9, minimumLength: 2, lengthUnit: .bytes,
        minimum: NumberBound(Number(1)), maximum: NumberBound(Number(2), isExcluded: true), pattern: "^a",
        values: ["a", 1],
        reference: RecordReference(to: "b", by: "k"), isUnique: true, isSecret: true,
        fields: [FieldDescription("in", .day, default: .null)], holdsNumbers: true, default: 1, title: "t",
        isHidden: true, suggestion: [.value(["a": 1]), .count, .now][$0.rawValue.utf8.count % 3], note: "n")
    }
    let description = BackendDescription(
      product: "p", apiVersion: "1",
      resources: [
        ResourceDescription(
          name: "a", identifier: IdentifierRule(field: nil, form: .text, isOptional: true, address: "u"),
          fields: fields, source: .sample,
          capabilities: full, children: ["b"],
          dependents: [Dependents(of: "b", naming: "aId"), .ofResourceNamed, .orphans(suffix: "Id")],
          actions: [
            ActionDescription("x", of: .collection, fields: [FieldDescription("y", .any)], effect: .read, note: "n")
          ]),
        ResourceDescription(
          name: "b", identifier: IdentifierRule(form: .integer), fields: [FieldDescription("x", .any)],
          capabilities: Capabilities(operations: [])),
      ], isOpen: true,
      others: ResourceDescription(
        name: "", identifier: IdentifierRule(field: nil, form: .none), capabilities: Capabilities(operations: [.get])),
      note: "n")
    #expect(try carry(description) == description)
    #expect(try carry(BackendDescription(resources: [])) == BackendDescription(resources: []))
  }

  @Test(
    "what was damaged on the way is an error, never something else",
    arguments: [
      #"{"delete":{},"from":["a"]}"#, #"{"delete":{"all":false},"from":["a"]}"#,
      #"{"delete":{"all":null},"from":["a"]}"#,
      #"{"delete":{"one":null},"from":["a"]}"#, #"{"delete":{"one":"1"}}"#, #"{"delete":{"one":"1"},"from":[]}"#,
      #"{"delete":{"one":"1"},"from":["a","","b"]}"#, #"{"delete":{"all":true,"one":"1"},"from":["a"]}"#,
      #"{"get":1,"from":["a"]}"#, #"{"describe":"all"}"#, #"{"purge":1}"#, "{}", "[]", "null", "delete", "",
    ])
  func damaged(_ text: String) async throws {
    let memory = InMemoryBackend([InMemoryResource("a", notes(2))])
    let answer = await CarrierEnd(memory).answer(text) { _ in "" }
    guard case .error(let error) = try BackendReply(carried: try JSONReader.read(answer)) else {
      Issue.record("answered \(answer)")
      return
    }
    #expect(error.code == .invalid)
    #expect(error.effect == .notSent)
    #expect(memory.calls.isEmpty)
  }

  @Test(
    "a sink's answer that makes no sense ends the list", arguments: ["", "{}", #"{"taken":"all"}"#, #"{"batch":[]}"#])
  func damagedSinkAnswer(_ text: String) async throws {
    let end = CarrierEnd(InMemoryBackend([InMemoryResource("notes", notes(1))]))
    let call = JSONWriter.compact(BackendCall.list(ListQuery(.notes), at: nil).carried)
    let answer = await end.answer(call) { _ in text }
    guard case .error(let error) = try BackendReply(carried: try JSONReader.read(answer)) else {
      Issue.record("answered \(answer)")
      return
    }
    #expect(error.code == .badResponse)
  }

  @Test func `a record as deep as a body may be passes`() async throws {
    var value: Value = 1
    for _ in 0..<255 { value = [value] }
    let fields = Object([("id", 1), ("deep", value)] as [(String, Value)])
    let backend = CarriedBackend(InMemoryBackend([InMemoryResource("notes", [fields])]))
    #expect(try await backend.get("1", from: .notes).fields == fields)
    #expect(try await backend.walk(ListQuery(.notes)).first?.records.first?.fields == fields)
  }
}

extension SeededGenerator {
  fileprivate mutating func filter(depth: Int) -> Filter {
    let path = FieldPath(text())
    switch Int.random(in: 0..<(depth > 0 ? 7 : 4), using: &self) {
    case 0: return .compare(path, Comparison.allCases.randomElement(using: &self) ?? .equal, operand())
    case 1: return .among(path, (0..<Int.random(in: 0...3, using: &self)).map { _ in operand() })
    case 2: return .isNull(path)
    case 3: return .isMissing(path)
    case 4: return .and((0..<Int.random(in: 0...3, using: &self)).map { _ in filter(depth: depth - 1) })
    case 5: return .or((0..<Int.random(in: 0...3, using: &self)).map { _ in filter(depth: depth - 1) })
    default: return .not(filter(depth: depth - 1))
    }
  }

  private mutating func operand() -> Operand {
    Bool.random(using: &self) ? .word(text()) : .value(value())
  }
}
