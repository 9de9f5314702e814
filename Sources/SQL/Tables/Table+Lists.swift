import BackendClient
import BackendKit

extension Table {
  /// All records, below an owner if there is one.
  func base(_ owner: RecordID?) throws(SQLError) -> RecordSet {
    let key = Self.key(owner)
    if let known = state.bases[key] { return known }
    let set = RecordSet(
      of: self, at: path(below: owner), owner: owner, from: [.list(try request(ListQuery(path(below: owner))))],
      isBase: true)
    state.bases[key] = set
    return set
  }

  /// The records for some conditions, created on first use.
  func set(_ key: String, owner: RecordID?, from sources: () throws(SQLError) -> [RecordSet.Source]) throws(SQLError)
    -> RecordSet
  {
    if let known = known(key) { return known }
    let set = RecordSet(of: self, at: path(below: owner), owner: owner, from: try sources(), isBase: false)
    state.sets[ExactText(key)] = set
    return set
  }

  func known(_ key: String) -> RecordSet? { state.sets[ExactText(key)] }

  func request(_ query: ListQuery, limit: Int? = nil) throws(SQLError) -> ListRequest {
    let limits = try running().limits
    var request = ListRequest(query, limit: limit, maximumScan: limits.maxScan)
    request.trustsEnd = limits.trustsEnd
    if limit == nil { request.mostTotal = limits.maxScan }
    return request
  }

  /// True if the statement may depend on the absence of records. UPDATE or DELETE write existing ones, unless they read
  /// the table a second time, for a condition.
  var needsAbsence: Bool {
    get throws(SQLError) { try running().limits.needsAbsence && (!isWritten || isInserted || state.cursors > 1) }
  }

  /// The fidelity of the conditions and the order; nil if the service cannot be asked for them. Sends nothing.
  func fidelities(of query: ListQuery) throws(SQLError) -> [Fidelity]? {
    if query.filters.isEmpty, query.sort.isEmpty { return [.exact] }
    guard let errands else { return nil }
    let key = ExactText(Table.key(query))
    if let known = state.fidelities[key] { return known }
    let client = client
    let plan = try errands.wait { () throws(BackendError) -> QueryPlan? in
      do throws(BackendError) { return try await client.explain(ListRequest(query)) } catch {
        // SQLite checks and sorts what the service cannot.
        if error.code == .cancelled { throw error }
        return nil
      }
    }
    guard let plan else { return nil }
    let found = plan.filters + [plan.sort]
    state.fidelities[key] = found
    state.requests[key] = plan.request
    return found
  }

  /// The first request for a query whose plan is known.
  func firstRequest(_ query: ListQuery) -> String? { state.requests[ExactText(Self.key(query))] }

  /// The used fields that lists omit.
  var unlisted: [String] {
    let names = Set(resource.description.capabilities.unlistedFields)
    return used.sorted().map { columns.all[$0] }.filter { column in
      if case .record = column.source { return !names.isEmpty }
      return column.path.map { !names.isDisjoint(with: $0.holders) } ?? false
    }.map(\.name)
  }

  private static func key(_ owner: RecordID?) -> ExactText { ExactText(owner?.text ?? "") }

  static func key(_ query: ListQuery) -> String {
    let parts = [query.resource.description, query.ignoreCase ? "i" : ""] + query.filters.map(\.description)
    return (parts + ["order"] + query.sort.map(\.description)).joined(separator: "\u{1F}")
  }

  // MARK: Lookups

  /// Returns whether records may be looked up by key with this number of requests, instead of reading the list: only if
  /// that is known to take no more requests. Reads the first page of the list, which shows how many pages there are.
  func mayLookUp(_ owner: RecordID?, requests: Int) throws(SQLError) -> Bool {
    let key = Self.key(owner)
    if state.pages[key] == nil { state.pages[key] = try learnPages(owner) }
    return try !base(owner).isComplete && requests <= state.pages[key] ?? 100
  }

  private func learnPages(_ owner: RecordID?) throws(SQLError) -> Int {
    let capabilities = resource.description.capabilities
    guard capabilities.paging != .none else { return 1 }
    let size = min(100, capabilities.pageCap ?? 100)
    let path = path(below: owner)
    let first = RecordSet(
      of: self, at: path, owner: owner, from: [.list(try request(ListQuery(path, pageSize: size), limit: size))],
      isBase: false)
    // From here on records come in several ways.
    state.sets[ExactText("first\u{1F}" + (owner?.text ?? ""))] = first
    try first.finish()
    guard let summary = first.summary else { return 100 }
    if let total = summary.total { state.totals[ExactText(Table.key(ListQuery(path)))] = total }
    if summary.next == nil {
      state.bases[Self.key(owner)] = first
      return 1
    }
    return summary.total.map { ($0 + size - 1) / size } ?? 100
  }

  /// The number of a query's records, if known from an earlier request; sends none.
  func knownTotal(of query: ListQuery) -> Int? {
    let key = ExactText(Self.key(query))
    return state.counts[key] ?? state.totals[key]
  }

  /// The number of a query's records from one request, sent once; nil if the service does not report it exactly.
  func total(of query: ListQuery) throws(SQLError) -> Int? {
    if let known = state.counts[ExactText(Self.key(query))] { return known }
    guard resource.description.capabilities.hasTotal else { return nil }
    let run = try running()
    try counter.check()
    try run.beforeWaiting()
    var request = try request(query, limit: 1)
    request.query.pageSize = 1
    request.readsAhead = false
    let (client, counter) = (client, counter)
    let summary = try run.errands.wait { [request] () throws(BackendError) in
      try await counter.counting { () throws(BackendError) in
        var summary = try await client.list(request, to: RecordSink { _ in .more })
        if let total = summary.total, try await !client.isTotal(total, of: request.query, summary) {
          summary.total = nil
        }
        return summary
      }
    }
    guard summary.unreadableCount == 0, let total = summary.total else { return nil }
    state.counts[ExactText(Self.key(query))] = total
    return total
  }
}
