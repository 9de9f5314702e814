public import BackendKit
import Synchronization

/// Stores records in the order in which they were added, in a file if they do not fit in memory.
public final class RecordSpool: Sendable {
  private struct State {
    /// The first records.
    var kept: [Record] = []
    var keptSize = 0
    var file: (any Spill)?
    var canSpill = true
    /// The sizes of the records in the file.
    var sizes: [UInt32] = []
    /// The offset at which each group of them begins.
    var groups: [Int] = []
    /// The end of the file: later records wait to be written.
    var written = 0
    var waiting: [UInt8] = []
    var reader = SpilledRecord.Reader()
  }

  /// The number of bytes written at once.
  private static let block = 256 << 10
  /// The number of records of which one has its offset kept: all those of a million records would be 8 MB.
  private static let group = 64

  private let memory: Int
  private let makeSpill: (@Sendable () -> (any Spill)?)?
  private let state = Mutex(State())

  /// An empty spool that keeps about so many bytes of records in memory.
  init(memory: Int, makeSpill: (@Sendable () -> (any Spill)?)?) {
    self.memory = memory
    self.makeSpill = makeSpill
  }

  /// The number of records.
  public var count: Int { state.withLock { $0.kept.count + $0.sizes.count } }

  /// Appends records. Throws if they need a file and cannot be written.
  public func add(_ records: [Record]) throws(BackendError) {
    try state.withLock { state throws(BackendError) in
      for record in records {
        if state.keptSize >= memory, state.canSpill, state.file == nil {
          state.file = makeSpill?()
          state.canSpill = state.file != nil
        }
        guard let file = state.file else {
          state.kept.append(record)
          state.keptSize += record.roughSize
          continue
        }
        let start = state.waiting.count
        if state.sizes.count.isMultiple(of: Self.group) { state.groups.append(state.written + start) }
        SpilledRecord.write(record, to: &state.waiting)
        state.sizes.append(UInt32(truncatingIfNeeded: state.waiting.count - start))
        guard state.waiting.count >= Self.block else { continue }
        try file.append(state.waiting)
        state.written += state.waiting.count
        state.waiting.removeAll(keepingCapacity: true)
      }
    }
  }

  /// The record at a place, from 0. Throws if it cannot be read again.
  public func record(at index: Int) throws(BackendError) -> Record {
    try state.withLock { state throws(BackendError) in
      guard index >= state.kept.count else { return state.kept[index] }
      let place = index - state.kept.count
      let group = place / Self.group
      let begin = state.sizes[(group * Self.group)..<place].reduce(state.groups[group]) { $0 + Int($1) }
      let end = begin + Int(state.sizes[place])
      let bytes =
        begin >= state.written
        ? Array(state.waiting[(begin - state.written)..<(end - state.written)])
        : try state.file?.read(end - begin, at: begin) ?? []
      guard let (record, _) = try state.reader.read(bytes, from: 0) else { throw SpilledRecord.unreadable }
      return record
    }
  }
}
