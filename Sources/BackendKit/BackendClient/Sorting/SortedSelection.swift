import BackendKit

/// The first records of a list in the order of its sort keys, as many as requested.
///
/// Later records are counted and dropped, so a sort with a limit keeps a few times the limit rather than the whole
/// list. Records that do not fit in memory wait in sorted runs in a file.
struct SortedSelection {
  private let order: RecordOrder
  /// The number of records wanted; nil for all.
  private let wanted: Int?
  private let budget: ListBudget
  private var kept: [Record] = []
  /// The approximate number of bytes of the kept records.
  private var bytes = 0
  /// The place of the last wanted record, once there are enough: only records before it can still be selected.
  private var last: RecordOrder.Place?
  private var runs: SortedRuns?
  /// True if no file could be created.
  private var isInMemory: Bool
  private(set) var count = 0
  /// The number of added records that are in memory.
  var keptCount: Int { kept.count }

  init(by keys: [SortKey], ignoringCase: Bool, wanted: Int?, budget: ListBudget = ListBudget()) {
    order = RecordOrder(keys, ignoringCase: ignoringCase)
    self.wanted = wanted
    self.budget = budget
    isInMemory = budget.makeSpill == nil
  }

  /// Takes the next record of the list. Throws if it needs a file and cannot be written.
  mutating func add(_ record: Record) throws(BackendError) {
    count += 1
    // Of two equal records the earlier comes first, so a later one never replaces it.
    if let last, order.compare(order.place(of: record), last) != .before { return }
    kept.append(record)
    if !isInMemory { bytes += record.roughSize }
    // A smaller surplus would sort too often, a larger one keep too much.
    if let wanted, kept.count / 2 >= max(wanted, 500) {
      kept = sorted
      last = kept.last.map(order.place)
      if !isInMemory { bytes = kept.reduce(0) { $0 + $1.roughSize } }
    }
    if bytes > budget.sortMemory { try spill() }
  }

  /// The wanted records in memory, sorted.
  private var sorted: [Record] {
    let all = order.sorted(kept)
    return wanted.map { Array(all.prefix($0)) } ?? all
  }

  private mutating func spill() throws(BackendError) {
    if runs == nil { runs = budget.makeSpill?().map { SortedRuns(order, in: $0) } }
    bytes = 0
    guard runs != nil else {
      isInMemory = true
      return
    }
    let run = sorted
    kept = []
    try runs?.add(run)
  }

  /// The wanted records, sorted. Nothing can be added afterwards.
  mutating func finish() throws(BackendError) -> SortedRecords {
    if runs != nil, !kept.isEmpty { try spill() }
    guard let runs else { return SortedRecords(whole: sorted) }
    kept = []
    return SortedRecords(try runs.merged(), wanted: wanted)
  }
}

/// Sorted records, passed on in batches.
struct SortedRecords {
  private var whole: [Record]?
  private var merged: MergedRuns?
  private var left: Int

  init(whole: [Record]) {
    self.whole = whole
    left = whole.count
  }

  init(_ merged: MergedRuns, wanted: Int?) {
    self.merged = merged
    left = wanted ?? .max
  }

  /// The next records: all if they are in memory, otherwise some; empty at the end.
  mutating func next() throws(BackendError) -> [Record] {
    if let whole {
      self.whole = []
      return whole
    }
    var batch: [Record] = []
    while batch.count < min(left, 500), let record = try merged?.next() { batch.append(record) }
    left -= batch.count
    return batch
  }
}

extension Record {
  /// The approximate number of bytes that a record takes while it is sorted: its place in arrays, the values created to
  /// compare it, and its fields.
  var roughSize: Int { 250 + fields.roughSize + (id?.text.utf8.count ?? 0) }
}
