import BackendKit
import TestSupport
import Testing

@Suite("Number") struct NumberTests {
  /// In ascending order; the numbers of one row are the same.
  static let ascending: [[String]] = [
    ["-1e400"], ["-123456789012345678901234567890"], ["-2", "-2.0", "-20e-1"], ["-1.5"], ["-1.10", "-1.1"],
    ["-1e-400"], ["0", "-0", "0.0", "-0.0", "0e5", "0E-5", "0.000e99"], ["1e-400", "0.1e-399"],
    ["0.1", "1e-1", "100e-3"],
    ["0.12"], ["1", "1.0", "10e-1", "0.1e1", "1E+0", "1e00"], ["1.09"], ["1.1", "1.10"], ["9"], ["10", "1e1"], ["99"],
    ["100"], ["9007199254740992"], ["9007199254740993", "9007199254740993.000"], ["9007199254740993.5"],
    ["9223372036854775807"], ["9223372036854775808"], ["123456789012345678901234567890"],
    ["123456789012345678901234567891"], ["1e400", "10e399"], ["2e400"],
  ]

  @Test func `numbers are ordered by value, to the last digit`() throws {
    let rows = try Self.ascending.map { row in try row.map { try #require(Number($0)) } }
    for (place, row) in rows.enumerated() {
      for (other, otherRow) in rows.enumerated() {
        let expected: Order = place == other ? .same : place < other ? .before : .after
        for left in row {
          for right in otherRow { #expect(Number.compare(left, right) == expected, "\(left.text) \(right.text)") }
        }
      }
    }
  }

  @Test func `whole numbers compare as integers, however they are spelt`() throws {
    var generator = SeededGenerator(seed: 1)
    for _ in 0..<5000 {
      let bits = Int.random(in: 1...62, using: &generator)
      let left = Int.random(in: -(1 << bits)...(1 << bits), using: &generator)
      let right =
        Bool.random(using: &generator) ? left + Int.random(in: -1...1, using: &generator) : -left
      let expected: Order = left == right ? .same : left < right ? .before : .after
      let spelt = Number.compare(try spell(left, &generator), try spell(right, &generator))
      #expect(spelt == expected, "\(left) \(right)")
    }
  }

  private func spell(_ value: Int, _ generator: inout SeededGenerator) throws -> Number {
    let shift = Int.random(in: 0...5, using: &generator)
    let zeros = String(repeating: "0", count: shift)
    return switch Int.random(in: 0..<4, using: &generator) {
    case 0: Number(value)
    case 1: try #require(Number("\(value).\(zeros)0"))
    case 2: try #require(Number("\(value)\(value == 0 ? "" : zeros)e-\(value == 0 ? 0 : shift)"))
    default: try #require(Number("\(value).0e0\(zeros)"))
    }
  }

  @Test(
    "a whole number is known as one, whatever its spelling",
    arguments: [
      ("3", 3), ("3.0", 3), ("3e2", 300), ("30e-1", 3), ("-0", 0), ("0.0", 0), ("-0.00", 0), ("0e5", 0), ("0e-5", 0),
      ("9223372036854775807", Int.max), ("-9223372036854775808", Int.min), ("-9223372036854775808.0", Int.min),
      ("9223372036854775808", nil), ("1e19", nil), ("1e400", nil), ("1.5", nil), ("15e-1", nil), ("1e-400", nil),
    ] as [(String, Int?)])
  func integers(_ text: String, _ expected: Int?) throws {
    #expect(try #require(Number(text)).integer == expected)
  }

  @Test func `an exponent beyond all measure is taken for very large or very small`() throws {
    let huge = try #require(Number("1e99999999999999999999999999"))
    let tiny = try #require(Number("1e-99999999999999999999999999"))
    let one = Number(1)
    #expect(Number.compare(huge, one) == .after)
    #expect(Number.compare(tiny, one) == .before)
    #expect(Number.compare(tiny, Number(0)) == .after)
    #expect(huge.integer == nil)
    #expect(tiny.integer == nil)
    #expect(huge.double == .infinity)
  }

  @Test func `two spellings of one number are two values`() throws {
    #expect(try #require(Number("1.0")) != Number(1))
    #expect(Value.number(try #require(Number("1.0"))) != 1)
  }
}
