import BackendClient
import BackendConformance
import BackendKit
import Synchronization
import Testing

@Suite("The first page of the next list is asked for while one is handed on") struct ListAheadTests {
  private static let shapes = [Capabilities.Paging.offset, .pageNumber, .cursor].map { Shape(paging: $0, total: true) }
  private static let requests = [5, 3].map { ListRequest(ListQuery(.notes, pageSize: $0), limit: $0) }

  private func clients(_ shape: Shape) -> (memory: InMemoryBackend, client: Client) {
    let memory = shape.memory((0..<30).map { Object([("n", .int($0))]) })
    return (memory, shape.client(of: memory))
  }

  private func gather(
    _ request: ListRequest, _ client: Client, before next: [UpcomingRead] = []
  ) async throws -> (records: [Record], summary: ListSummary) {
    let found = Mutex<[Record]>([])
    let sink = RecordSink { records in
      found.withLock { $0 += records }
      return .more
    }
    let summary = try await client.list(request, to: sink, readingAhead: next)
    return (found.withLock(\.self), summary)
  }

  @Test("and only once, with what it has in its turn", arguments: shapes) func once(_ shape: Shape) async throws {
    let (memory, client) = clients(shape)
    let expected = try await client.gather(Self.requests[0])
    let next = try await client.gather(Self.requests[1])
    let calls = memory.calls
    memory.forgetCalls()
    let summary = try await client.list(
      Self.requests[0],
      to: RecordSink { _ in
        // The next list is asked for before these records are through, or the test never ends.
        while memory.calls.count < 2 { await Task.yield() }
        return .more
      }, readingAhead: [.list(Self.requests[1])])
    #expect(summary == expected.summary)
    let found = try await gather(Self.requests[1], client)
    #expect(found.records == next.records && found.summary == next.summary)
    #expect(memory.calls.count == calls.count && client.endReadAhead() == 0)
  }

  @Test("another list, another page size and a write give it up", arguments: shapes)
  func givenUp(_ shape: Shape) async throws {
    let (_, client) = clients(shape)
    let other = ListRequest(ListQuery(.notes, pageSize: 3), limit: 4)
    _ = try await gather(Self.requests[0], client, before: [.list(Self.requests[1])])
    #expect(try await gather(other, client).records.count == 4)
    _ = try await gather(Self.requests[0], client, before: [.list(Self.requests[1]), .record("1", .notes)])
    _ = try await client.perform(.create(.notes, Object([("n", 30)])))
    #expect(try await gather(Self.requests[1], client).records.count == 3)
    #expect(client.endReadAhead() == 3)
  }

  @Test("a list within a command does not change it", arguments: shapes) func within(_ shape: Shape) async throws {
    let (_, client) = clients(shape)
    _ = try await gather(Self.requests[0], client, before: [.list(Self.requests[1])])
    _ = try await client.gather(Self.requests[0])
    #expect(try await gather(Self.requests[1], client).records.count == 3)
    #expect(client.endReadAhead() == 0)
  }

  @Test("a count is asked for as it counts", arguments: shapes) func counts(_ shape: Shape) async throws {
    let (_, client) = clients(shape)
    let read = try await client.firstRead(counting: ListQuery(.notes), maximumScan: 100, trustsEnd: false)
    _ = try await gather(Self.requests[0], client, before: [read])
    let total = try await client.count(ListQuery(.notes), maximumScan: 100, readingAhead: []).total
    #expect(total == 30 && client.endReadAhead() == 0)
  }

  @Test("a list that comes whole is read in its turn") func whole() async throws {
    let (memory, client) = clients(Shape(paging: .none))
    _ = try await gather(Self.requests[0], client, before: [.list(Self.requests[1])])
    #expect(try await gather(Self.requests[1], client).records.count == 3)
    #expect(memory.calls.count == 2 && client.endReadAhead() == 0)
  }
}
