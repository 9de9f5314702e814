/// A set of rows, in a bit for each: a list may have a million.
struct RowMarks {
  private var words: [UInt64] = []
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  /// The rows in order.
  var rows: some Sequence<Int> {
    words.indices.lazy.filter { words[$0] != 0 }.flatMap { word in
      (0..<64).lazy.filter { words[word] & (1 << UInt64($0)) != 0 }.map { word * 64 + $0 }
    }
  }

  subscript(row: Int) -> Bool {
    get { row >= 0 && row / 64 < words.count && words[row / 64] & (1 << UInt64(row % 64)) != 0 }
    set {
      guard row >= 0, newValue != self[row] else { return }
      if row / 64 >= words.count { words += Array(repeating: 0, count: row / 64 + 1 - words.count) }
      words[row / 64] ^= 1 << UInt64(row % 64)
      count += newValue ? 1 : -1
    }
  }
}
