/// Numbers as JavaScript reads and writes them.
enum JSONServerNumber {
  /// The number that a text converts to; nil for NaN. An empty text is 0.
  static func converted(_ text: String) -> Double? {
    let trimmed = text.drop(while: \.isWhitespace)
    guard let last = trimmed.lastIndex(where: { !$0.isWhitespace }) else { return 0 }
    let word = trimmed[...last]
    switch word {
    case "Infinity", "+Infinity": return .infinity
    case "-Infinity": return -.infinity
    default: break
    }
    for (prefix, radix) in [("0x", 16), ("0o", 8), ("0b", 2)] where word.lowercased().hasPrefix(prefix) {
      return UInt64(word.dropFirst(2), radix: radix).map { Double($0) }
    }
    guard word.allSatisfy({ $0.isASCII && ($0.isNumber || "+-.eE".contains($0)) }) else { return nil }
    return Double(word) ?? Double(word.hasSuffix(".") ? word.dropLast() : word)
  }

  /// The shortest text for the number, without an exponent from a millionth up to a sextillion.
  static func text(_ value: Double) -> String {
    if let whole = Int(exactly: value), whole.magnitude < 1 << 53 { return String(whole) }
    guard value.isFinite else { return value.isNaN ? "NaN" : value < 0 ? "-Infinity" : "Infinity" }
    let parts = "\(abs(value))".split(separator: "e")
    let point = parts[0].firstIndex(of: ".") ?? parts[0].endIndex
    var digits = parts[0].filter { $0 != "." }
    // The place of the point, counted from the first digit.
    var exponent = parts[0].distance(from: parts[0].startIndex, to: point)
    exponent += parts.count > 1 ? Int(parts[1]) ?? 0 : 0
    while digits.count > 1, digits.hasSuffix("0") { digits.removeLast() }
    while digits.count > 1, digits.hasPrefix("0") {
      digits.removeFirst()
      exponent -= 1
    }
    return (value < 0 ? "-" : "") + laidOut(digits, exponent)
  }

  private static func laidOut(_ digits: String, _ exponent: Int) -> String {
    switch exponent {
    case digits.count...21 where digits.count <= 21:
      return digits + String(repeating: "0", count: exponent - digits.count)
    case 1...21:
      return "\(digits.prefix(exponent)).\(digits.dropFirst(exponent))"
    case -5...0:
      return "0." + String(repeating: "0", count: -exponent) + digits
    default:
      let mantissa = digits.count > 1 ? "\(digits.prefix(1)).\(digits.dropFirst())" : digits
      return "\(mantissa)e\(exponent > 0 ? "+" : "-")\(abs(exponent - 1))"
    }
  }

  /// The value after a round trip through JavaScript: numbers of more than 53 bits are rounded.
  static func normalised(_ value: DemoJSON) -> DemoJSON {
    switch value {
    case .number(let text):
      guard let number = Double(text), number.isFinite else { return .null }
      return .number(self.text(number))
    case .array(let elements): return .array(elements.map(normalised))
    case .object(let members): return .object(members.map { .init(key: $0.key, value: normalised($0.value)) })
    case .null, .bool, .string: return value
    }
  }
}
