package import BackendKit

/// The characters that operators consist of. All follow from the cases of `Comparison`.
package struct OperatorSigns: Sendable {
  /// The characters of all comparisons.
  package static let all = OperatorSigns(comparisons.joined())
  /// The characters that are comparisons by themselves, unlike `!`.
  package static let alone = OperatorSigns(comparisons.filter { $0.utf8.count == 1 }.joined())
  /// The comparisons, longer ones first.
  package static let longestFirst = Comparison.allCases.sorted { $0.rawValue.utf8.count > $1.rawValue.utf8.count }
  /// The comparisons for hints.
  static let list = comparisons.joined(separator: " ")

  private static let comparisons = Comparison.allCases.map(\.rawValue)

  /// A bit for each ASCII character.
  private let bits: UInt128

  private init(_ text: String) { bits = text.utf8.reduce(0) { $0 | 1 << UInt128($1) } }

  /// Returns whether a text may give a field a value, or compare one with it.
  package static func mayGiveValue(_ text: String) -> Bool {
    text.utf8.contains { $0 == UInt8(ascii: ":") || alone.contains($0) }
  }

  package func contains(_ byte: UInt8) -> Bool { byte < 0x80 && bits & 1 << UInt128(byte) != 0 }
  package func contains(_ scalar: Unicode.Scalar) -> Bool { scalar.isASCII && contains(UInt8(scalar.value)) }
  package func contains(_ character: Character) -> Bool { character.asciiValue.map(contains) ?? false }
}
