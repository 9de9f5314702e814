import BackendKit

/// Sorted runs of records in a file: each a list as JSON text.
///
/// Runs are merged by ``width`` as soon as there are as many of one age, so that as many are open at once at most.
struct SortedRuns {
  /// Where a run stands in the file, and how often its records were merged.
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
    var bytes = [UInt8(ascii: "[")]
    func flush() throws(BackendError) {
      try spill.append(bytes)
      run.length += bytes.count
      bytes.removeAll(keepingCapacity: true)
    }
    var isFirst = true
    while let record = try next() {
      if !isFirst { bytes.append(UInt8(ascii: ",")) }
      isFirst = false
      JSONWriter.write(record.spilled, to: &bytes)
      if bytes.count >= Self.piece { try flush() }
    }
    bytes.append(UInt8(ascii: "]"))
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

/// Reads one run, in pieces.
struct RunReader {
  private static let piece = 1 << 15

  private let spill: any Spill
  private var place: Int
  private let end: Int
  private var reader = JSONReader(
    items: .at([[]]), limits: JSONReader.Limits(element: .max / 4, document: .max / 4, depth: 1 << 12))
  /// Records that were read, the next one last.
  private var records: [Value] = []

  init(_ run: SortedRuns.Run, in spill: any Spill) {
    self.spill = spill
    place = run.place
    end = run.place + run.length
  }

  /// The next record; nil at the end.
  mutating func next() throws(BackendError) -> Record? {
    while records.isEmpty {
      guard place < end else { return nil }
      let count = min(Self.piece, end - place)
      let bytes = try spill.read(count, at: place)
      place += count
      do { records = try reader.feed(bytes).reversed() } catch { throw Self.unreadable }
    }
    guard let value = records.popLast() else { return nil }
    guard let record = Record(spilled: value) else { throw Self.unreadable }
    return record
  }

  private static var unreadable: BackendError {
    .unsupported("the records that were sorted in a temporary file cannot be read again", hint: "list again")
  }
}

extension Record {
  /// The record with all that is known of it, as a value.
  fileprivate var spilled: Value {
    [
      id.map { .string($0.text) } ?? .null, revision.map { .string($0) } ?? .null,
      .array(unloaded.map { .string($0) }), .object(fields),
    ]
  }

  fileprivate init?(spilled value: Value) {
    guard case .array(let parts) = value, parts.count == 4, case .array(let unloaded) = parts[2],
      case .object(let fields) = parts[3]
    else { return nil }
    self.init(
      id: parts[0].text.map { RecordID($0) }, fields: fields, unloaded: unloaded.compactMap(\.text),
      revision: parts[1].text)
  }
}
