import BackendConformance
import BackendKit
import Synchronization

extension BrokenBackend {
  /// Puts another way under the reference.
  mutating func over(_ way: @escaping AlteredExchange.Way, _ reference: Reference = .paged) {
    inner = ReferenceBackend([reference.resource], exchange: AlteredExchange(exchange, way))
  }
}

/// An adapter that takes a query in the server's own language and leaves it out.
struct NativelessBackend: ForwardingBackend {
  let inner: any Backend

  func plan(_ query: ListQuery) async throws(BackendError) -> QueryPlan {
    var query = query
    query.native = nil
    return try await inner.plan(query)
  }

  func list(_ query: ListQuery, at cursor: Cursor?, to sink: RecordSink) async throws(BackendError) -> PageEnd {
    var query = query
    query.native = nil
    return try await inner.list(query, at: cursor, to: sink)
  }
}

/// An adapter that takes what an answer says otherwise for a server that is away.
struct DoubtfulBackend: ForwardingBackend {
  let inner: any Backend

  func update(
    _ id: RecordID, in resource: ResourcePath, changes: [Change], revision: String?
  ) async throws(BackendError) -> WriteReceipt {
    let receipt = try await inner.update(id, in: resource, changes: changes, revision: revision)
    guard receipt.notes.isEmpty else { throw BackendError(.unavailable, "the server is away", effect: .unknown) }
    return receipt
  }
}

/// An adapter that claims to do parts of a query itself, and does them in its own way.
struct ClaimingBackend: ForwardingBackend {
  let inner: any Backend
  /// Returns true if the adapter claims a condition.
  var claims: @Sendable (Filter) -> Bool = { _ in false }
  /// Returns true if a record meets the claimed conditions.
  var meets: @Sendable ([Filter], Object) -> Bool = { _, _ in true }
  /// Returns true if one record comes before another; nil if no order is claimed.
  var isBefore: (@Sendable (Object, Object, [SortKey]) -> Bool)?
  /// Returns true if a record contains a text; nil if no search is claimed.
  var holds: (@Sendable (Object, String) -> Bool)?
  /// Returns true if a projection shows a field; nil if no projection is claimed.
  var shows: (@Sendable (String, Value) -> Bool)?

  func plan(_ query: ListQuery) async throws(BackendError) -> QueryPlan {
    var plan = try await inner.plan(query)
    for (place, filter) in query.filters.enumerated() where claims(filter) { plan.filters[place] = .exact }
    if isBefore != nil { plan.sort = .exact }
    if holds != nil { plan.search = .exact }
    if shows != nil { plan.fields = .exact }
    return plan
  }

  func list(_ query: ListQuery, at cursor: Cursor?, to sink: RecordSink) async throws(BackendError) -> PageEnd {
    var rest = query
    rest.filters.removeAll(where: claims)
    if isBefore != nil { rest.sort = [] }
    if holds != nil { rest.search = nil }
    if shows != nil { rest.fields = nil }
    let taken = Mutex<[Record]>([])
    var end = try await inner.list(
      rest, at: cursor,
      to: RecordSink { records in
        taken.withLock { $0 += records }
        return .more
      })
    let claimed = query.filters.filter(claims)
    var records = taken.withLock { $0 }.filter { record in
      meets(claimed, record.fields) && (query.search.flatMap { text in holds.map { $0(record.fields, text) } } ?? true)
    }
    if let isBefore, !query.sort.isEmpty { records.sort { isBefore($0.fields, $1.fields, query.sort) } }
    if let shows, let paths = query.fields {
      let names = Set(paths.map(\.text))
      for place in records.indices {
        records[place].fields = Object(
          records[place].fields.members.filter { names.contains($0.0) && shows($0.0, $0.1) })
      }
    }
    if rest != query { end.total = nil }
    if !records.isEmpty { _ = try await sink.send(records) }
    return end
  }
}

/// An adapter that lets a query in the server's own language make its pages smaller, and goes on as if they were not.
struct SizedBackend: ForwardingBackend {
  let inner: any Backend

  func list(_ query: ListQuery, at cursor: Cursor?, to sink: RecordSink) async throws(BackendError) -> PageEnd {
    guard query.native?.hasPrefix("size=") == true else { return try await inner.list(query, at: cursor, to: sink) }
    let held = BufferedPage()
    let end = try await inner.list(query, at: cursor, to: held.sink)
    _ = try await sink.send(Array(await held.records.prefix(1)))
    return end
  }
}
