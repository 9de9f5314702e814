import BackendKit

/// Reads one run in pieces.
struct RunReader {
  private static let piece = 1 << 15

  private let spill: any Spill
  private var place: Int
  private let end: Int
  private var bytes: [UInt8] = []
  private var used = 0
  private var reader = SpilledRecord.Reader()

  init(_ run: SortedRuns.Run, in spill: any Spill) {
    self.spill = spill
    place = run.place
    end = run.place + run.length
  }

  /// The next record; nil at the end.
  mutating func next() throws(BackendError) -> Record? {
    while true {
      if let (record, length) = try reader.read(bytes, from: used) {
        used += length
        return record
      }
      guard place < end else {
        guard used == bytes.count else { throw SpilledRecord.unreadable }
        return nil
      }
      bytes.removeFirst(used)
      used = 0
      // A record longer than a piece is not parsed again after each of them.
      let count = min(max(Self.piece, bytes.count), end - place)
      bytes += try spill.read(count, at: place)
      place += count
    }
  }
}
