import BackendKit

/// Sorted runs of records in a file, in the format of ``SpilledRecord``.
///
/// As soon as ``width`` runs have the same age they are merged, so at most that many are open at once.
struct SortedRuns {
  /// A run: its place in the file, and how often its records were merged.
  struct Run {
    var place: Int
    var length = 0
    var age = 0
  }

  static let width = 64
  private static let piece = 1 << 18

  private let order: RecordOrder
  private let spill: any Spill
  private var runs: [Run] = []
  private var end = 0

  init(_ order: RecordOrder, in spill: any Spill) {
    self.order = order
    self.spill = spill
  }

  mutating func add(_ sorted: [Record]) throws(BackendError) {
    var rest = sorted[...]
    try write(age: 0) { () throws(BackendError) in rest.popFirst() }
    // Only neighbors are merged, which keeps the order of equal records.
    while let age = runs.last?.age, runs.suffix(Self.width).count(where: { $0.age == age }) == Self.width {
      var merged = try MergedRuns(runs.suffix(Self.width), order, in: spill)
      runs.removeLast(Self.width)
      try write(age: age + 1) { () throws(BackendError) in try merged.next() }
    }
  }

  private mutating func write(
    age: Int, _ next: () throws(BackendError) -> Record?
  ) throws(BackendError) {
    var run = Run(place: end, age: age)
    var bytes: [UInt8] = []
    func flush() throws(BackendError) {
      try spill.append(bytes)
      run.length += bytes.count
      bytes.removeAll(keepingCapacity: true)
    }
    while let record = try next() {
      SpilledRecord.write(record, to: &bytes)
      if bytes.count >= Self.piece { try flush() }
    }
    try flush()
    end += run.length
    runs.append(run)
  }

  /// All records, sorted.
  func merged() throws(BackendError) -> MergedRuns {
    // The remaining runs differ in age, so there are few.
    try MergedRuns(runs[...], order, in: spill)
  }
}
