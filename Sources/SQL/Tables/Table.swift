import BackendClient
import BackendKit

/// A resource as a table of one statement.
final class Table {
  /// The table as `backend.resource`.
  let name: String
  let backend: String
  let client: Client
  let resource: SQLResource
  let columns: Columns
  let owners: Owners
  let secrets: Secrets
  let counter: RequestCounter
  private let number: Int
  /// The preview that runs the statement, which SQLite does on a thread without tasks.
  private let preview = Preview.current
  /// The errands through which the table currently waits for tasks.
  var errands: Errands?
  /// The columns that the statement reads.
  private(set) var used: Set<Int> = []
  /// True if the statement writes the table: its rows are then distinguished, and its records are kept.
  var isWritten = false
  /// True if the statement adds records to the table.
  var isInserted = false
  /// True if the statement has an ORDER BY or PARTITION BY anywhere.
  var isOrdered = true
  var state = State()

  struct State {
    var store: RecordStore?
    var run: StatementRun?
    var read = 0
    /// The number of cursors opened on it.
    var cursors = 0
    /// All records, for each owner.
    var bases: [ExactText: RecordSet] = [:]
    var sets: [ExactText: RecordSet] = [:]
    var counts: [ExactText: Int] = [:]
    /// The totals that came with pages.
    var totals: [ExactText: Int] = [:]
    /// The number of requests that reading the list takes, for each owner, if known.
    var pages: [ExactText: Int] = [:]
    /// The records of a written table, by row.
    var records: [Int32: Record] = [:]
    /// The first request for a query.
    var requests: [ExactText: String] = [:]
    var fidelities: [ExactText: [Fidelity]] = [:]
  }

  init(_ number: Int, _ name: String, of client: Client, _ resource: SQLResource, counter: RequestCounter) {
    self.number = number
    self.name = name
    self.backend = client.name
    self.client = client
    self.resource = resource
    self.counter = counter
    columns = Columns(resource)
    owners = Owners(resource.owners)
    secrets = Secrets(resource.description.fields)
  }

  /// True if records have an identity, so that a record that arrives in several ways is one row.
  var tellsRecords: Bool {
    let identifier = resource.description.identifier
    return identifier.namesRecords && !identifier.mayRepeat && identifier.form != .none && !identifier.isOptional
  }

  /// True if the service can return a single record with all used fields.
  var readsRecords: Bool {
    let can = resource.description.capabilities
    guard can.operations.contains(.get) else { return false }
    if can.onlyListedFields.isEmpty { return true }
    return !used.contains { place in
      if case .record = columns.all[place].source { return true }
      return columns.all[place].path?.holders.contains(where: can.onlyListedFields.contains) ?? false
    }
  }

  func use(_ column: Int) { used.insert(column) }

  /// The indices of the stored columns.
  private(set) lazy var kept: [Int] = used.sorted()
  /// The index of each column among the stored ones; nil if it is not stored.
  private(set) lazy var places: [Int32?] = columns.all.indices.map { column in
    kept.firstIndex(of: column).map { Int32($0) }
  }

  // MARK: Running

  func begin(_ run: StatementRun) throws(SQLError) {
    state.run = run
    errands = run.errands
    state.store = try RecordStore(number, of: name, columns, keeping: kept, secrets, preview, in: run.spool)
  }

  func running() throws(SQLError) -> StatementRun {
    guard let run = state.run else { throw SQLError(.statement, "the statement is not running") }
    return run
  }

  func store() throws(SQLError) -> RecordStore {
    guard let store = state.store else { throw SQLError(.statement, "the statement is not running") }
    return store
  }

  /// Stops reading, and releases the records.
  func end() {
    for set in state.bases.values { set.stop() }
    for set in state.sets.values { set.stop() }
    let read = state.read
    state = State()
    state.read = read
  }

  /// Throws if a write depends on absent records, and a list may have skipped one.
  func checkAbsences() throws(SQLError) {
    for set in Array(state.bases.values) + Array(state.sets.values) { try set.checkAbsences() }
  }

  /// The cost of the table so far.
  var report: SQLReport.Table { SQLReport.Table(name: name, requests: counter.count, rows: state.read) }

  /// Counts received records; throws if the limit is exceeded.
  func admit(_ count: Int) throws(SQLError) {
    state.read += count
    if state.read > (try running()).limits.maxScan { throw tooMany }
  }

  var tooMany: SQLError {
    let most = state.run?.limits.maxScan ?? 0
    return SQLError(.incomplete, "\(name) has more than \(counted(most, "record"))", hint: "--max-scan reads more")
  }

  func add(_ record: Record, owner: RecordID?) throws(SQLError) -> Int32 {
    let isAlone = state.sets.isEmpty && state.bases.count <= 1
    let row = try store().add(record, owner: owner, isAlone: isAlone || !tellsRecords)
    if isWritten, state.records[row] == nil { state.records[row] = record }
    return row
  }

  /// Reads a whole record if a list omits a field that the statement reads.
  func complete(_ row: Int32) throws(SQLError) {
    let run = try running()
    let (owner, id) = try identity(of: row)
    if preview?.isPlanned(id.text) == true { throw unknownFields }
    guard tellsRecords else {
      throw SQLError(.incomplete, "a list of \(name) leaves out fields, and its records cannot be read individually")
    }
    try counter.check()
    try run.beforeWaiting()
    let (client, counter, path) = (client, counter, path(below: owner))
    let record = try run.errands.wait { () throws(BackendError) in
      try await counter.counting { () throws(BackendError) in try await client.get(id, from: path) }
    }
    if preview != nil, !record.isWhole { throw unknownFields }
    try store().complete(row, with: record, owner: owner)
  }

  private var unknownFields: SQLError {
    SQLError(.incomplete, "fields of records in \(name) are not known, and the statement reads them")
  }

  /// The record of a row, as read; nil unless the table is written.
  func record(_ row: Int32) -> Record? { state.records[row] }

  /// Returns the identifier of the record of a row, and that of its owner.
  func identity(of row: Int32) throws(SQLError) -> (owner: RecordID?, id: RecordID) {
    let text = try store().id(of: row)
    guard !resource.owners.isEmpty else { return (nil, RecordID(text)) }
    let parts = text.split(separator: "\u{1F}", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    return (RecordID(parts[0]), RecordID(parts.last ?? ""))
  }

  /// Returns whether no other record of the owner has the same identifier. Reads all records if identifiers may repeat.
  func isAlone(_ id: RecordID, _ owner: RecordID?) throws(SQLError) -> Bool {
    if tellsRecords { return true }
    try base(owner).finish()
    return try store().count(of: id, owner: owner) == 1
  }

  func path(below owner: RecordID?) -> ResourcePath {
    let name = resource.description.name
    return owner.flatMap { owners.path(to: name, below: $0) } ?? ResourcePath(name: name)
  }
}
