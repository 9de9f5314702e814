import BackendClient
import BackendConformance
import BackendKit
import Testing

@Suite("Records in memory: lists") struct InMemoryListTests {
  struct Cut: CustomTestStringConvertible {
    var count: Int
    var paging: Capabilities.Paging
    var asked: Int?
    var cap: Int?
    var announcesEnd = true

    var testDescription: String {
      "\(count) records, \(paging), asked \(asked ?? 0), cap \(cap ?? 0), \(announcesEnd ? "" : "no ")end announced"
    }

    func backend(total: Bool = true) -> InMemoryBackend {
      let capabilities = Capabilities(
        operations: [.list], paging: paging, pageCap: cap, defaultPageSize: 5, hasTotal: total)
      return InMemoryBackend([
        InMemoryResource("notes", notes(count), capabilities: capabilities, announcesEnd: announcesEnd)
      ])
    }

    static let all: [Cut] = [0, 1, 9, 10, 11, 250].flatMap { count in
      Capabilities.Paging.allCases.flatMap { paging in
        [(nil, nil), (3, nil), (10, nil), (300, 4), (1, nil)].flatMap { asked, cap in
          [true, false].map { Cut(count: count, paging: paging, asked: asked, cap: cap, announcesEnd: $0) }
        }
      }
    }
  }

  @Test("walking the pages gives each record once, in order", arguments: Cut.all)
  func walk(_ cut: Cut) async throws {
    let memory = cut.backend()
    let query = ListQuery(.notes, pageSize: cut.asked)
    let plan = try await memory.plan(query)
    let pages = try await memory.walk(query)
    #expect(pages.flatMap(\.records) == memory.records(of: "notes"))
    for page in pages {
      #expect(page.end.total == cut.count)
      if let size = plan.pageSize { #expect(page.records.count <= size) }
    }
    let effective = cut.paging == .none ? nil : min(cut.asked ?? 5, cut.cap ?? .max)
    #expect(plan.pageSize == effective)
    #expect(pages[0].end.pageSize == (cut.asked == effective || cut.asked == nil ? nil : effective))
    let again = try await memory.walk(query)
    #expect(again.map(\.records) == pages.map(\.records))
  }

  @Test("an empty page follows a full one where the end is not announced")
  func unannouncedEnd() async throws {
    let backend = Cut(count: 6, paging: .cursor, asked: 3, announcesEnd: false).backend()
    let pages = try await backend.walk(ListQuery(.notes, pageSize: 3))
    #expect(pages.map(\.records.count) == [3, 3, 0])
  }

  @Test(
    "skipped records are left out, as far as the plan says so", arguments: Capabilities.Paging.allCases)
  func skip(_ paging: Capabilities.Paging) async throws {
    let memory = Cut(count: 20, paging: paging, asked: 4).backend()
    for skip in [0, 4, 5, 19, 20, 100] {
      let query = ListQuery(.notes, pageSize: 4, skip: skip)
      let isExact = try await memory.plan(query).skip == .exact
      #expect(isExact == (paging != .pageNumber || skip % 4 == 0))
      guard isExact else { continue }
      let records = try await memory.walk(query).flatMap(\.records)
      #expect(records == Array(memory.records(of: "notes").dropFirst(skip)))
    }
  }

  @Test("pages by a mark stay in step while records are deleted")
  func stable() async throws {
    var resource = InMemoryResource("notes", notes(10))
    resource.description.capabilities.paging = .cursor
    let backend = InMemoryBackend([resource])
    let query = ListQuery(.notes, pageSize: 4)
    let first = Gathered()
    let end = try await backend.list(query, at: nil, to: first.sink())
    _ = try await backend.delete(.one("2"), from: .notes)
    #expect(end.next != nil)
    let second = Gathered()
    _ = try await backend.list(query, at: end.next, to: second.sink())
    #expect((first.all + second.all).map(\.id?.text) == ["1", "2", "3", "4", "5", "6", "7", "8"])
  }

  @Test("a list leaves fields out, and get loads them")
  func unlisted() async throws {
    var resource = InMemoryResource("notes", notes(2))
    resource.description.capabilities.unlistedFields = ["body", "nothing"]
    let backend = InMemoryBackend([resource])
    let listed = try #require(try await backend.walk(ListQuery(.notes)).first?.records.first)
    #expect(listed.unloaded == ["body"])
    #expect(listed.state(of: FieldPath("body")) == .unloaded)
    #expect(listed.state(of: FieldPath("nothing")) == .absent)
    let whole = try await backend.get("1", from: .notes)
    #expect(whole.isWhole)
    #expect(whole.fields == notes(1)[0])
  }

  @Test("nothing is sent after the sink has had enough")
  func enough() async throws {
    let backend = InMemoryBackend([InMemoryResource("notes", notes(1000))])
    let gathered = Gathered()
    let end = try await backend.list(ListQuery(.notes), at: nil, to: gathered.sink(enoughAfter: 2))
    #expect(gathered.batchCount == 2)
    #expect(gathered.all.count == 200)
    #expect(end.next == nil)
  }

  @Test("an error of the sink ends the list and keeps every member")
  func sinkFails() async throws {
    let backend = InMemoryBackend([InMemoryResource("notes", notes(3))])
    let expected = InMemoryWriteTests.fullError
    let error = try await failure {
      _ = try await backend.list(
        ListQuery(.notes), at: nil, to: RecordSink { _ throws(BackendError) in throw expected })
    }
    #expect(error == expected)
  }

  @Test("a cursor of another kind is refused", arguments: ["", "x", "page:1", "offset:-1", "offset:x", "offset:1:2"])
  func foreignCursor(_ text: String) async throws {
    let backend = Cut(count: 3, paging: .offset).backend()
    let error = try await failure {
      _ = try await backend.list(ListQuery(.notes), at: Cursor(text), to: Gathered().sink())
    }
    #expect(error.code == .invalid)
  }

  @Test(
    "what a plan claims is answered so, and what it leaves is refused", arguments: InMemoryResource.Filtering.allCases)
  func filtering(_ filtering: InMemoryResource.Filtering) async throws {
    let records: [Object] =
      [["n": 1], ["n": "1"], ["n": 2], ["m": 1], ["n": nil], ["n": true]].compactMap { ($0 as Value).object }
    let memory = InMemoryBackend([InMemoryResource("notes", records, filtering: filtering)])
    let equal = Filter.compare(FieldPath("n"), .equal, .value(1))
    let less = Filter.compare(FieldPath("n"), .less, .value(2))
    let query = ListQuery(.notes, filters: [equal, less, .not(equal)], sort: [SortKey(FieldPath("n"))], skip: 1)
    let plan = try await memory.plan(query)
    let claimed: [InMemoryResource.Filtering: Fidelity] = [.none: .not, .exact: .exact, .loose: .superset]
    #expect(plan.filters == [try #require(claimed[filtering]), .not, .not])
    #expect(plan.sort == .not)
    #expect(plan.skip == .not)
    #expect(memory.calls.isEmpty)
    let error = try await failure {
      _ = try await memory.list(query, at: nil, to: Gathered().sink())
    }
    #expect(error.code == .unsupported)
    #expect(memory.calls.isEmpty)
    guard filtering != .none else { return }
    let found = try await memory.walk(ListQuery(.notes, filters: [equal])).flatMap(\.records)
    let exact = ReferenceEvaluator.evaluate(ListQuery(.notes, filters: [equal]), over: memory.records(of: "notes"))
    #expect(exact.count == 1)
    #expect(filtering == .exact ? found == exact : found.count == 3 && found.contains(exact[0]))
  }

  @Test("the client gives one answer whatever the backend claims")
  func uniform() async throws {
    let filter = Filter.compare(FieldPath("even"), .equal, .word("true"))
    let query = ListQuery(
      .notes, filters: [filter], sort: [SortKey(FieldPath("price"), isDescending: true)], fields: [FieldPath("id")],
      skip: 2)
    var answers: Set<[Record]> = []
    for filtering in InMemoryResource.Filtering.allCases {
      for paging in Capabilities.Paging.allCases {
        var resource = InMemoryResource("notes", notes(33), filtering: filtering)
        resource.description.capabilities.paging = paging
        resource.description.capabilities.unlistedFields = ["price"]
        let client = Client(name: "memory", backend: InMemoryBackend([resource]))
        let gathered = Gathered()
        _ = try await client.list(ListRequest(query), to: gathered.sink())
        answers.insert(gathered.all)
      }
    }
    let whole = notes(33).map { Record(id: RecordID($0["id"]), fields: $0) }
    #expect(answers == [ReferenceEvaluator.evaluate(query, over: whole)])
  }
}
