import BackendKit

/// Sorted runs of records in a file, each record as ``SpilledRecord`` has it.
///
/// Runs are merged by ``width`` as soon as there are as many of one age, so that as many are open at once at most.
struct SortedRuns {
  /// A run: its place in the file, and the number of times that its records were merged.
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

  /// Writes records that are in their order.
  mutating func add(_ sorted: [Record]) throws(BackendError) {
    var rest = sorted[...]
    try write(age: 0) { () throws(BackendError) in rest.popFirst() }
    // Only neighbors are merged, so that of two records that no key tells apart the earlier one stays before the other.
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

  /// All records in their order.
  func merged() throws(BackendError) -> MergedRuns {
    // More runs than are merged at once differ in age: there are few of them.
    try MergedRuns(runs[...], order, in: spill)
  }
}
