/// Identifiers: 128 bits in base 62, at most 22 characters.
enum BaasicID {
  private static let digits = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")

  /// A unique identifier.
  static func random() -> String {
    var generator = SystemRandomNumberGenerator()
    return text(generator.next(), generator.next())
  }

  /// The identifier of a seeded record: the same for the same arguments.
  static func seeded(_ schema: String, _ number: Int) -> String {
    var state: UInt64 = schema.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
    state &+= UInt64(truncatingIfNeeded: number) &* 0xD134_2543_DE82_EF95
    return text(scrambled(&state), scrambled(&state))
  }

  /// SplitMix64.
  private static func scrambled(_ state: inout UInt64) -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }

  private static func text(_ high: UInt64, _ low: UInt64) -> String {
    var (high, low) = (high, low)
    var result: [Character] = []
    while high > 0 || low > 0 {
      let upper = high.quotientAndRemainder(dividingBy: 62)
      let lower = UInt64(62).dividingFullWidth((upper.remainder, low))
      (high, low) = (upper.quotient, lower.quotient)
      result.append(digits[Int(lower.remainder)])
    }
    return String(result.reversed())
  }
}
