import BackendKit

/// Counts the identifiers that several records of a list have, in a few bits for each record whose identifier is a
/// number and a few bytes for each other one.
struct RepeatedIdentifierCounts {
  /// The number of records with each identifier that several have.
  private(set) var counts: [RecordID: Int] = [:]
  /// The bits of the numbers seen, 64 in each value.
  private var numbers: [Int: UInt64] = [:]
  /// The hashes of the other identifiers seen. Two of a million collide in about one of thirty million lists; then one
  /// of them counts as repeated, and writes to it are refused.
  private var hashes: Set<Int> = []

  mutating func add(_ id: RecordID) {
    if !isNew(id) { counts[id, default: 1] += 1 }
  }

  private mutating func isNew(_ id: RecordID) -> Bool {
    guard let number = Self.number(id.text) else { return hashes.insert(id.hashValue).inserted }
    let bit: UInt64 = 1 << (number & 63)
    guard numbers[number >> 6, default: 0] & bit == 0 else { return false }
    numbers[number >> 6, default: 0] |= bit
    return true
  }

  /// The number of which a text is the shortest form; nil if it is another text, or too long.
  private static func number(_ text: String) -> Int? {
    let digits = text.utf8
    guard 1...18 ~= digits.count, digits.first != UInt8(ascii: "0") || digits.count == 1 else { return nil }
    var number = 0
    for digit in digits {
      guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= digit else { return nil }
      number = 10 * number + Int(digit - UInt8(ascii: "0"))
    }
    return number
  }
}
