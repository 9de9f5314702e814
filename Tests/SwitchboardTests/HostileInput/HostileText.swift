/// Texts that would do something to a terminal or to whoever reads it, made from a seed.
struct HostileText {
  /// Sequences that a terminal obeys, characters that turn the direction of writing, and invisible ones.
  static let pieces = [
    "\u{1B}[38;5;201m", "\u{1B}[2J", "\u{1B}]0;title\u{7}", "\u{1B}]52;c;eA==\u{1B}\\", "\u{1B}P+q\u{1B}\\", "\u{7}",
    "\u{8}", "\r", "\u{7F}", "\u{9B}31m", "\u{9D}0;x\u{9C}", "\u{85}", "\u{202E}", "\u{2066}", "\u{2069}", "\u{61C}",
    "\u{200B}", "\u{200D}", "\u{2060}", "\u{FEFF}", "\u{AD}", "\u{2028}", "\u{2029}", "\u{FFF9}", "\u{E0041}",

    "\u{180E}",
  ]

  private var state: UInt64

  init(seed: UInt64) { state = seed }

  private mutating func next(below bound: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33) % bound
  }

  /// Every piece once, in an order of its own, letters between them.
  mutating func text() -> String {
    var rest = Self.pieces
    var text = "x"
    while !rest.isEmpty { text += rest.remove(at: next(below: rest.count)) + "y" }
    return text
  }

  /// Returns the parts of an output that could do harm: characters that are not printable, and bytes that are not text.
  /// Line ends are harmless, as are, at a terminal, colors and the display of progress.
  static func harm(in bytes: [UInt8], isTerminal: Bool) -> [String] {
    guard var text = String(validating: bytes, as: UTF8.self) else { return ["bytes that are not text"] }
    if isTerminal {
      text = text.replacing(/\r[|\/\\-] [^\r\u{1B}]*\u{1B}\[K/, with: "").replacing("\r\u{1B}[K", with: "")
      text = text.replacing("\r\n", with: "\n").replacing(/\u{1B}\[[0-9;]*m/, with: "")
    }
    return text.unicodeScalars.filter { isHarmful($0) && $0 != "\n" }.map { "U+" + String($0.value, radix: 16) }
  }

  static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: true
    default: scalar.properties.isDefaultIgnorableCodePoint || scalar.properties.isNoncharacterCodePoint
    }
  }
}
