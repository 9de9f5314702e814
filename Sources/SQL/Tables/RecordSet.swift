import BackendClient
import BackendKit

/// The records that a service finds for some conditions, read once and only as far as needed.
final class RecordSet {
  enum Source {
    /// A list that may be needed only to its first page.
    case list(ListRequest)
    /// A record by its identifier.
    case record(RecordID)
  }

  private let table: Table
  private let path: ResourcePath
  private let owner: RecordID?
  private var sources: [Source]
  private var feed: Feed?
  private(set) var rows: [Int32] = []
  private var members: Set<Int32> = []
  /// The summary of the last list that was read to its end.
  private(set) var summary: ListSummary?
  /// True if the records come from several sources.
  private let isUnion: Bool
  private let isBase: Bool
  /// The number of records received from the current source.
  private var received = 0
  private var limit: Int?
  /// The lists whose pages may have shifted, so that a record was skipped.
  private var shifted: [ListRequest] = []
  /// True if the service has records that the list does not show.
  private var omitsRecords = false
  private var isReadAgain = false

  init(of table: Table, at path: ResourcePath, owner: RecordID?, from sources: [Source], isBase: Bool) {
    self.table = table
    self.path = path
    self.owner = owner
    self.sources = sources
    self.isBase = isBase
    isUnion = sources.count > 1
  }

  /// True if all records have arrived.
  var isComplete: Bool { sources.isEmpty && feed == nil }

  var isStarted: Bool { feed != nil || isComplete }

  /// The row at an index; nil at the end. Reads on as far as needed.
  func row(at place: Int) throws(SQLError) -> Int32? {
    while place >= rows.count {
      if isComplete { return nil }
      try readOn()
    }
    return rows[place]
  }

  func finish() throws(SQLError) {
    while !isComplete { try readOn() }
  }

  /// Returns whether the set has a row; valid only once it is complete.
  func contains(_ row: Int32) -> Bool {
    if members.isEmpty { members = Set(rows) }
    return members.contains(row)
  }

  /// Ends the reading early.
  func stop() {
    feed?.stop()
    feed = nil
    sources = []
  }

  /// Throws if a write depends on absent records that cannot be proved absent: reads lists again whose pages may have
  /// shifted.
  func checkAbsences() throws(SQLError) {
    guard try table.needsAbsence else { return }
    if omitsRecords { throw omission }
    let lists = shifted
    shifted = []
    for request in lists {
      guard table.tellsRecords else {
        throw SQLError(
          .incomplete,
          "\(table.name) may have changed while it was being read, and its records have no identifiers, so no write can depend on what is not in it"
        )
      }
      isReadAgain = true
      sources = [.list(request)]
      try finish()
    }
  }

  private var omission: SQLError {
    SQLError(
      .incomplete,
      "\(table.name) has records that its list does not show, so no write can depend on what is not in it")
  }

  private func readOn() throws(SQLError) {
    let run = try table.running()
    if let feed {
      try run.beforeWaiting()
      switch feed.next() {
      case .records(let records): try take(records)
      case .end(let result):
        self.feed = nil
        let source = sources.removeFirst()
        // Fewer than requested are all there are.
        if let limit, received < limit { sources = [] }
        switch result {
        case .success(let summary):
          try end(summary)
          if case .list(let request) = source, !isReadAgain,
            summary.mayHaveShifted(table.resource.description.capabilities)
          {
            shifted.append(request)
          }
        case .failure(let error):
          try run.errands.check()
          var failure = SQLError(error)
          failure.isCut = !rows.isEmpty
          throw failure
        }
      }
      return
    }
    guard let source = sources.first else { return }
    try run.errands.check()
    try table.counter.check()
    switch source {
    case .list(let request):
      // An earlier count or first page may have the total. No request is sent for it: if unknown, it comes with the
      // first page.
      if let most = request.mostTotal, let total = table.knownTotal(of: request.query), total > most {
        throw table.tooMany
      }
      received = 0
      limit = request.limit
      feed = Feed(request, of: table.client, by: run.errands, counting: table.counter)
    case .record(let id):
      try run.beforeWaiting()
      let (client, counter, path, needsAbsence) = (table.client, table.counter, path, try table.needsAbsence)
      let record = try run.errands.wait { () throws(BackendError) -> Record? in
        try await counter.counting { () throws(BackendError) -> Record? in
          do throws(BackendError) { return try await client.get(id, from: path) } catch {
            guard error.code == .notFound else { throw error }
            guard needsAbsence else { return nil }
            switch await client.presence(of: id, in: path) {
            case .there(let record): return record
            case .gone: return nil
            case .unclear(let error): throw error
            }
          }
        }
      }
      sources.removeFirst()
      if let record { try take([record]) }
    }
  }

  private func take(_ records: [Record]) throws(SQLError) {
    received += records.count
    if isReadAgain { return try compare(records) }
    try table.admit(records.count)
    for record in records {
      guard record.id != nil || isBase else {
        throw SQLError(
          .incomplete, "a record of \(table.name) has no identifier, so it cannot be distinguished from others")
      }
      let row = try table.add(record, owner: owner)
      if isUnion, !members.insert(row).inserted { continue }
      rows.append(row)
    }
  }

  /// Throws if a second reading shows a record that the first one did not.
  private func compare(_ records: [Record]) throws(SQLError) {
    table.state.read += records.count
    for id in records.compactMap(\.id) {
      if let row = try table.store().row(of: id, owner: owner), contains(row) { continue }
      throw SQLError(
        .incomplete, "\(table.name) changed while it was being read: record \(id.text) appears only now",
        hint: "run the statement again")
    }
  }

  /// Throws if records are missing, or may be.
  private func end(_ summary: ListSummary) throws(SQLError) {
    self.summary = summary
    // It was ended there, unless that was all of it.
    if table.counter.isUsedUp, summary.next != nil, summary.total != received { try table.counter.check() }
    if summary.unreadableCount > 0 {
      throw SQLError(
        .incomplete,
        "\(counted(summary.unreadableCount, "element")) of \(table.name) cannot be read: "
          + (summary.unreadable.first.map { "element \($0.place): \($0.reason)" } ?? ""))
    }
    omitsRecords = omitsRecords || summary.omitsRecords
    if omitsRecords, try table.needsAbsence { throw omission }
    guard summary.isCutShort else { return }
    switch summary.doubt {
    case .missing(let total, let received):
      throw SQLError(
        .incomplete, "\(table.name) has \(counted(total, "record")), but \(received.grouped) were received")
    case .shrank(let total, let by):
      throw SQLError(
        .incomplete,
        "\(counted(by, "record")) of \(total.grouped) disappeared from \(table.name) while it was being read",
        hint: "try again")
    case .untestedEnd(let received):
      let check = summary.outlined.map { "backends check \($0) --update examines it, " } ?? ""
      let isForWrites = try table.running().limits.needsAbsence
      throw SQLError(
        .incomplete, "nothing proves that \(table.name) ends after \(counted(received, "record"))",
        hint: check
          + (isForWrites
            ? "changes by SQL need a proved end; update and delete --where accept another with --trust-end"
            : "--trust-end accepts it"))
    case .surplus, nil: throw table.tooMany
    }
  }
}
