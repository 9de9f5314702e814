import BackendClient
import BackendConformance
import BackendKit
import Synchronization
import Testing

@Suite("The next page is asked for while one is handed on") struct PageAheadTests {
  private static let shapes = [Capabilities.Paging.offset, .pageNumber, .cursor].flatMap { paging in
    [nil, 1].map { Shape(paging: paging, total: true, batch: $0) }
  }

  private func clients(_ shape: Shape, count: Int = 50) -> (memory: InMemoryBackend, client: Client) {
    let memory = shape.memory((0..<count).map { Object([("n", .int($0))]) })
    return (memory, shape.client(of: memory, budget: ListBudget(readsAhead: true)))
  }

  @Test("one page ahead, and not two", arguments: shapes)
  func one(_ shape: Shape) async throws {
    let (memory, client) = clients(shape)
    let taken = Mutex(0)
    let summary = try await client.list(
      ListRequest(ListQuery(.notes, pageSize: 10)),
      to: RecordSink { records in
        // The page after this one is asked for before these records are through, or the test never ends.
        let page = taken.withLock { $0 / 10 }
        while memory.calls.count < min(5, page + 2) { await Task.yield() }
        #expect(memory.calls.count <= page + 2)
        taken.withLock { $0 += records.count }
        return .more
      })
    #expect(taken.withLock(\.self) == 50)
    #expect(summary.count == 50)
    #expect(summary.calls == memory.calls.count)
  }

  @Test("what comes is what comes without it, wherever the sink stops", arguments: shapes, [nil, 10, 25, 30, 100])
  func same(_ shape: Shape, limit: Int?) async throws {
    let (memory, client) = clients(shape)
    let plain = shape.client(of: memory)
    for query in [
      ListQuery(.notes, pageSize: 10), ListQuery(.notes, sort: [SortKey(FieldPath("n"), isDescending: true)]),
    ] {
      for start in [nil, try await client.position(7, of: query)] {
        let request = ListRequest(query, limit: limit, start: start)
        memory.forgetCalls()
        let expected = try await plain.gather(request)
        let calls = memory.calls
        memory.forgetCalls()
        let found = try await client.gather(request)
        #expect(found.records == expected.records)
        #expect(found.summary == expected.summary)
        // No page is asked for that a list in sequence does not need.
        #expect(memory.calls == calls)
        guard limit == nil, query.sort.isEmpty else { continue }
        for most in [1, 10, 11, 49] {
          let stopped = try await client.stopping(request, after: most)
          let sequential = try await plain.stopping(request, after: most)
          #expect(stopped.ids == sequential.ids)
          #expect(stopped.summary == sequential.summary)
        }
      }
    }
  }

  @Test("a page that fails is reported after the records before it", arguments: shapes)
  func failing(_ shape: Shape) async throws {
    let (memory, client) = clients(shape)
    let taken = Mutex<[String]>([])
    let error = await failure { () async throws(BackendError) in
      _ = try await client.list(
        ListRequest(ListQuery(.notes, pageSize: 10)),
        to: RecordSink { records in
          let isFirst = taken.withLock { taken in
            taken += records.map { $0.id?.text ?? "-" }
            return taken.count <= records.count
          }
          if isFirst { memory.failNext(with: BackendError(.unavailable, "gone", effect: .rejected)) }
          return .more
        })
    }
    // The page that was asked for already may have come.
    let ids = taken.withLock(\.self)
    #expect(error?.code == .unavailable)
    #expect(!ids.isEmpty && ids.count.isMultiple(of: 10))
    #expect(ids == (1...50).prefix(ids.count).map(String.init))
  }

  @Test("a cursor that comes twice is an error as in sequence, and asked for once")
  func circle() async throws {
    let backend = PagesBackend(pages: [
      "": .init(ids: ["1"], next: "a"), "a": .init(ids: ["2"], next: "b"), "b": .init(ids: ["3"], next: "a"),
    ])
    let client = Client(name: "pages", backend: backend, budget: ListBudget(readsAhead: true))
    let error = await failure { () async throws(BackendError) in
      _ = try await client.gather(ListRequest(ListQuery(.notes)))
    }
    #expect(error?.message.contains("same cursor twice") == true)
  }

  @Test("a list that is given up ends at once, with the page that is asked for", arguments: shapes)
  func cancelled(_ shape: Shape) async throws {
    let (_, client) = clients(shape)
    let task = Task { () -> Int in
      let seen = Mutex(0)
      _ = try? await client.list(
        ListRequest(ListQuery(.notes, pageSize: 10)),
        to: RecordSink { records throws(BackendError) in
          seen.withLock { $0 += records.count }
          while !Task.isCancelled { await Task.yield() }
          throw BackendError(.cancelled, "given up", effect: .rejected)
        })
      return seen.withLock(\.self)
    }
    task.cancel()
    #expect(await task.value <= 10)
  }
}

extension Client {
  /// Returns the result of a list whose sink wants no more records after so many.
  fileprivate func stopping(_ request: ListRequest, after most: Int) async throws(BackendError) -> Gathered {
    let kept = Mutex<[Record]>([])
    let summary = try await list(
      request,
      to: RecordSink { records in
        kept.withLock {
          $0 += records
          return $0.count >= most ? .enough : .more
        }
      })
    return Gathered(records: kept.withLock(\.self), summary: summary)
  }
}
