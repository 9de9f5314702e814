import BackendClient
import BackendConformance
import BackendKit
import Synchronization
import Testing

@Suite("Several pages at once") struct PagesAtOnceTests {
  private static let shapes = Capabilities.Paging.allCases.flatMap { paging in
    [true, false].map { Shape(paging: paging, total: $0) }
  }

  private func memory(_ shape: Shape, count: Int) -> InMemoryBackend {
    shape.memory((0..<count).map { Object([("n", .int($0)), ("parity", .string($0 % 2 == 0 ? "even" : "odd"))]) })
  }

  private func request(_ query: ListQuery, jobs: Int) -> ListRequest {
    var request = ListRequest(query)
    request.jobs = jobs
    return request
  }

  @Test("give the records in their order, also where pages cannot be computed", arguments: shapes, [0, 9, 10, 11, 95])
  func same(_ shape: Shape, count: Int) async throws {
    let memory = memory(shape, count: count)
    let client = shape.client(of: memory)
    let odd = Filter.compare(FieldPath("parity"), .equal, .word("odd"))
    for query in [
      ListQuery(.notes, pageSize: 10), ListQuery(.notes, filters: [odd], pageSize: 10),
      ListQuery(.notes, sort: [SortKey(FieldPath("n"), isDescending: true)], pageSize: 10),
    ] {
      let expected = try await client.gather(ListRequest(query))
      memory.forgetCalls()
      let found = try await client.gather(request(query, jobs: 4))
      #expect(found.records == expected.records)
      #expect(found.summary == expected.summary)
      #expect(memory.calls.count == expected.summary.calls)
    }
  }

  @Test(
    "as many requests are under way as were asked for, and no more",
    arguments: [Capabilities.Paging.offset, .pageNumber])
  func jobs(_ paging: Capabilities.Paging) async throws {
    let shape = Shape(paging: paging, total: true)
    let backend = CrowdedBackend(inner: memory(shape, count: 130), crowd: 4)
    let client = Client(name: "memory", backend: backend)
    let found = try await client.gather(request(ListQuery(.notes, pageSize: 10), jobs: 4))
    #expect(found.ids == (1...130).map(String.init))
    #expect(backend.most.withLock(\.self) == 4)
  }

  @Test("a page that fails is reported after the records before it") func failing() async throws {
    let memory = memory(Shape(paging: .offset, total: true), count: 95)
    let taken = Mutex<[String]>([])
    let error = await failure { () async throws(BackendError) in
      _ = try await Client(name: "memory", backend: memory).list(
        request(ListQuery(.notes, pageSize: 10), jobs: 3),
        to: RecordSink { records in
          let isFirst = taken.withLock { taken in
            taken += records.map { $0.id?.text ?? "-" }
            return taken.count <= records.count
          }
          if isFirst { memory.failNext(with: BackendError(.unavailable, "gone", effect: .rejected)) }
          return .more
        })
    }
    let ids = taken.withLock(\.self)
    #expect(error == nil || error?.code == .unavailable)
    #expect(ids == (1...95).prefix(ids.count).map(String.init))
    #expect(error != nil || ids.count == 95)
  }

  @Test("a list that stopped goes on where it stopped", arguments: [10, 25, 60])
  func stopped(most: Int) async throws {
    let client = Client(name: "memory", backend: memory(Shape(paging: .offset, total: true), count: 95))
    let taken = Mutex<[String]>([])
    let summary = try await client.list(
      request(ListQuery(.notes, pageSize: 10), jobs: 4),
      to: RecordSink { records in
        taken.withLock {
          $0 += records.map { $0.id?.text ?? "-" }
          return $0.count >= most ? .enough : .more
        }
      })
    let rest = try await client.gather(ListRequest(ListQuery(.notes, pageSize: 10), start: summary.next))
    #expect(taken.withLock(\.self) + rest.ids == (1...95).map(String.init))
  }
}

/// A backend whose pages behind the first wait until so many are asked for; the last ones do not wait.
private final class CrowdedBackend: ForwardingBackend {
  let inner: any Backend
  let most = Mutex(0)
  private let crowd: Int
  private let underWay = Mutex((now: 0, begun: 0))

  init(inner: any Backend, crowd: Int) {
    self.inner = inner
    self.crowd = crowd
  }

  func list(_ query: ListQuery, at cursor: Cursor?, to sink: RecordSink) async throws(BackendError) -> PageEnd {
    guard query.skip > 0 else { return try await inner.list(query, at: cursor, to: sink) }
    let now = underWay.withLock { state in
      state.now += 1
      state.begun += 1
      return state.now
    }
    most.withLock { $0 = max($0, now) }
    while underWay.withLock({ $0.begun }) < crowd { await Task.yield() }
    let end = try await inner.list(query, at: cursor, to: sink)
    underWay.withLock { $0.now -= 1 }
    return end
  }
}
