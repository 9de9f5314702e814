/// Random numbers from a seed, the same on every machine (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  /// Creates the generator of a case. Adjacent cases are unrelated.
  init(seed: UInt64, case number: Int = 0) {
    state = seed &+ UInt64(truncatingIfNeeded: number) &* 0xD1B5_4A32_D192_ED03
    _ = next()
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A number that follows from a seed, far from those that others generate.
  static func number(of seed: UInt64) -> Int { 1_000_000_000 + Int(seed % 900_000_000) }

  mutating func happens(in hundred: Int) -> Bool { Int.random(in: 0..<100, using: &self) < hundred }

  mutating func pick<Element>(_ elements: [Element], else other: Element) -> Element {
    elements.randomElement(using: &self) ?? other
  }
}
