// Runs of spaces by length: appending one of these costs a fraction of appending character by character.
private let runs = (0...64).map { String(repeating: " ", count: $0) }

extension String {
  /// Appends spaces; none if the number is negative.
  package mutating func append(spaces count: Int) {
    var left = count
    while left > 0 {
      self += runs[min(left, 64)]
      left -= 64
    }
  }
}
