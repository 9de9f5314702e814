import BackendKit

/// Merges several sorted runs: a heap of the next record of each.
struct MergedRuns {
  private struct Head {
    var record: Record
    var place: RecordOrder.Place
    var run: Int
  }

  private let order: RecordOrder
  private var readers: [RunReader]
  private var heads: [Head] = []

  init(_ runs: ArraySlice<SortedRuns.Run>, _ order: RecordOrder, in spill: any Spill) throws(BackendError) {
    self.order = order
    readers = runs.map { RunReader($0, in: spill) }
    for run in readers.indices {
      guard let record = try readers[run].next() else { continue }
      heads.append(Head(record: record, place: order.place(of: record), run: run))
    }
    for place in heads.indices.reversed() { sink(place) }
  }

  /// The next record; nil at the end.
  mutating func next() throws(BackendError) -> Record? {
    guard let first = heads.first else { return nil }
    if let record = try readers[first.run].next() {
      heads[0] = Head(record: record, place: order.place(of: record), run: first.run)
    } else {
      heads.swapAt(0, heads.count - 1)
      heads.removeLast()
    }
    sink(0)
    return first.record
  }

  private mutating func sink(_ place: Int) {
    var place = place
    while true {
      var least = place
      for child in [2 * place + 1, 2 * place + 2] where child < heads.count && isBefore(heads[child], heads[least]) {
        least = child
      }
      guard least != place else { return }
      heads.swapAt(place, least)
      place = least
    }
  }

  /// Of two equal records, that of the earlier run comes first.
  private func isBefore(_ left: Head, _ right: Head) -> Bool {
    switch order.compare(left.place, right.place) {
    case .before: true
    case .after: false
    case .same: left.run < right.run
    }
  }
}
