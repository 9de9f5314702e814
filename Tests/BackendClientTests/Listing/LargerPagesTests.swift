import BackendClient
import BackendConformance
import BackendKit
import Testing

@Suite("Larger pages of a list that is read whole") struct LargerPagesTests {
  private static let odd = Filter.compare(FieldPath("parity"), .equal, .word("odd"))
  private static let shapes = [
    Shape(paging: .offset, total: true, larger: true), Shape(paging: .pageNumber, total: true, larger: true),
    Shape(paging: .offset, total: true, batch: 7, larger: true),
    Shape(paging: .pageNumber, cap: 640, total: true, batch: 7, larger: true),
    Shape(paging: .cursor, larger: true), Shape(paging: .cursor, cap: 640, total: true, batch: 7, larger: true),
  ]

  private func clients(_ shape: Shape, count: Int) -> (memory: InMemoryBackend, client: Client) {
    let memory = shape.memory(
      (0..<count).map { Object([("n", .int($0)), ("parity", .string($0 % 2 == 0 ? "even" : "odd"))]) })
    return (memory, shape.client(of: memory, budget: ListBudget(pageTime: .seconds(3600))))
  }

  private func sizes(_ memory: InMemoryBackend) -> [Int] {
    memory.calls.compactMap { if case .list(let query, _) = $0 { query.pageSize } else { nil } }
  }

  @Test("a list, a filter and a sort are the same as by small pages, in fewer requests", arguments: shapes)
  func same(_ shape: Shape) async throws {
    let (memory, client) = clients(shape, count: 3_000)
    let queries = [
      ListQuery(.notes), ListQuery(.notes, filters: [Self.odd]),
      ListQuery(.notes, sort: [SortKey(FieldPath("parity")), SortKey(FieldPath("n"), isDescending: true)]),
    ]
    for query in queries {
      memory.forgetCalls()
      let large = try await client.gather(ListRequest(query))
      let asked = sizes(memory)
      #expect(asked.count < 8)
      #expect(asked.first == 100)
      var small = query
      small.pageSize = 100
      let other = try await client.gather(ListRequest(small))
      #expect(large.records == other.records)
      #expect(large.summary.repeated == 0)
      #expect(large.summary.count == other.summary.count)
      #expect(large.summary.total == other.summary.total)
    }
  }

  @Test("the first page of a sort reads larger pages, a page without one does not", arguments: shapes)
  func page(_ shape: Shape) async throws {
    let (memory, client) = clients(shape, count: 3_000)
    let sorted = ListQuery(.notes, sort: [SortKey(FieldPath("n"), isDescending: true)], pageSize: 20)
    let got = try await client.gather(ListRequest(sorted, limit: 20))
    #expect(got.ids == (2_981...3_000).reversed().map(String.init))
    #expect(sizes(memory).count < 8)
    memory.forgetCalls()
    _ = try await client.gather(ListRequest(ListQuery(.notes, pageSize: 20), limit: 20))
    #expect(sizes(memory) == [20])
  }

  @Test("a scan reads no more than its limit, and what stopped early goes on there", arguments: shapes)
  func stopped(_ shape: Shape) async throws {
    let (memory, client) = clients(shape, count: 3_000)
    let scan = try await client.gather(ListRequest(ListQuery(.notes), limit: 150, maximumScan: 150, isScan: true))
    #expect(scan.ids == (1...150).map(String.init))
    #expect(scan.summary.next != nil)
    #expect(sizes(memory) == [100, 100])
    for wanted in [40, 100, 101, 1_700] {
      let taken = Taken()
      let summary = try await client.list(
        ListRequest(ListQuery(.notes)),
        to: RecordSink { records in await taken.add(records) >= wanted ? .enough : .more })
      let rest = try await client.gather(ListRequest(ListQuery(.notes), start: summary.next))
      #expect(await taken.ids + rest.ids == (1...3_000).map(String.init), "\(wanted)")
    }
  }

  @Test(
    "what others delete or add while the list begins again hides and repeats nothing",
    arguments: shapes.filter { $0.paging != .offset })
  func changedMeanwhile(_ shape: Shape) async throws {
    let (memory, client) = clients(shape, count: 3_000)
    let taken = Taken()
    _ = try await client.list(
      ListRequest(ListQuery(.notes)),
      to: RecordSink { records throws(BackendError) in
        // The page was sent already: the next request finds the record gone.
        let before = await taken.ids.count
        let after = await taken.add(records)
        if before < 100, after >= 100 { _ = try await memory.delete(.one(RecordID("5")), from: .notes) }
        return .more
      })
    #expect(await taken.ids == (1...3_000).map(String.init))
  }

  @Test("without a time for a page, pages keep their size", arguments: shapes)
  func usual(_ shape: Shape) async throws {
    let (memory, _) = clients(shape, count: 1_000)
    _ = try await shape.client(of: memory).gather(ListRequest(ListQuery(.notes)))
    #expect(sizes(memory) == Array(repeating: 100, count: 10))
  }
}

private actor Taken {
  private(set) var ids: [String] = []

  func add(_ records: [Record]) -> Int {
    ids += records.map { $0.id?.text ?? "-" }
    return ids.count
  }
}
