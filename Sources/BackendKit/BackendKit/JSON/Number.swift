/// A JSON number, stored as its original text.
///
/// `9007199254740993`, `1.10` and `1e400` survive a round trip. Comparison is exact, by decimal digits, and never uses
/// binary floating point.
public struct Number: Sendable, Hashable {
  /// The text, always valid by the JSON grammar (RFC 8259, section 6).
  public let text: String

  /// The number with this text, or nil if that is not a JSON number (`+1`, `01`, `.5`, `NaN`).
  public init?(_ text: some StringProtocol) {
    guard Number.isValid(text.utf8) else { return nil }
    self.text = String(text)
  }

  /// The number with these bytes as its text, or nil if they are not a JSON number.
  init?(bytes: UnsafeBufferPointer<UInt8>) {
    guard Number.isValid(bytes) else { return nil }
    text = String(decoding: bytes, as: UTF8.self)
  }

  /// The number with these bytes as its text, which must be a valid number.
  init(checked bytes: UnsafeBufferPointer<UInt8>) { text = String(decoding: bytes, as: UTF8.self) }

  /// A whole number.
  public init(_ value: Int) { text = String(value) }

  /// The integer value (`3`, `3.0`, `3e2`), or nil if it has a fraction or needs over 64 bits.
  public var integer: Int? {
    if let plain = Int(text) { return plain }
    let decimal = Decimal(text)
    if decimal.digits.isEmpty { return 0 }
    guard decimal.exponent >= 0, decimal.digits.count + decimal.exponent <= 19 else { return nil }
    var digits = String(decoding: decimal.digits, as: UTF8.self)
    digits += String(repeating: "0", count: decimal.exponent)
    return Int((decimal.isNegative ? "-" : "") + digits)
  }

  /// The digits of the integer value, with a sign if negative; nil if ``integer`` is nil.
  public var integerText: String? {
    // A valid number of only digits has no leading zero.
    if text.utf8.count < 19, text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) { return text }
    return integer.map { String($0) }
  }

  /// The nearest binary floating-point number; infinite if out of range.
  public var double: Double { Double(text) ?? .nan }

  /// Compares by value: `1`, `1.0` and `10e-1` are equal.
  public static func compare(_ left: Number, _ right: Number) -> Order {
    if left.text == right.text { return .same }
    // Most numbers are short integers, and a sort compares each of them some twenty times.
    if let left = Int(left.text), let right = Int(right.text) {
      return left == right ? .same : left < right ? .before : .after
    }
    return Decimal.compare(Decimal(left.text), Decimal(right.text))
  }

  private enum Part { case start, minus, zero, whole, point, fraction, e, sign, exponent }

  static func isValid(_ bytes: some Sequence<UInt8>) -> Bool {
    var part = Part.start
    for byte in bytes {
      let isDigit = byte >= 0x30 && byte <= 0x39
      switch part {
      case .start where byte == 0x2D: part = .minus
      case .start where isDigit, .minus where isDigit: part = byte == 0x30 ? .zero : .whole
      case .whole where isDigit: break
      case .zero where byte == 0x2E, .whole where byte == 0x2E: part = .point
      case .point where isDigit, .fraction where isDigit: part = .fraction
      case .zero where byte | 0x20 == 0x65, .whole where byte | 0x20 == 0x65, .fraction where byte | 0x20 == 0x65:
        part = .e
      case .e where byte == 0x2B || byte == 0x2D: part = .sign
      case .e where isDigit, .sign where isDigit, .exponent where isDigit: part = .exponent
      default: return false
      }
    }
    switch part {
    case .zero, .whole, .fraction, .exponent: return true
    default: return false
    }
  }
}

/// The relation of two values in an order.
public enum Order: Sendable, Hashable {
  case before
  case same
  case after

  /// The same relation with exchanged sides.
  public var reversed: Order {
    switch self {
    case .before: .after
    case .same: .same
    case .after: .before
    }
  }
}

/// A number as sign, digits without leading or trailing zeros, and the power of ten of the last digit.
private struct Decimal {
  var isNegative = false
  var digits: [UInt8] = []
  var exponent = 0

  init(_ text: String) {
    var fraction = 0
    var seenPoint = false
    var bytes = text.utf8[...]
    if bytes.first == 0x2D {
      isNegative = true
      bytes = bytes.dropFirst()
    }
    while let byte = bytes.first, byte | 0x20 != 0x65 {
      bytes = bytes.dropFirst()
      if byte == 0x2E {
        seenPoint = true
        continue
      }
      if seenPoint { fraction += 1 }
      if !(digits.isEmpty && byte == 0x30) { digits.append(byte) }
    }
    // An exponent is capped at 2^53, which is still far beyond anything that digits could balance.
    let limit = 1 << 53
    let written = String(Substring(bytes.dropFirst()))
    exponent = Int(written) ?? (written.isEmpty ? 0 : (written.first == "-" ? -limit : limit))
    exponent = min(max(exponent, -limit), limit) - fraction
    while digits.last == 0x30 {
      digits.removeLast()
      exponent += 1
    }
    if digits.isEmpty {
      isNegative = false
      exponent = 0
    }
  }

  static func compare(_ left: Decimal, _ right: Decimal) -> Order {
    if left.isNegative != right.isNegative { return left.isNegative ? .before : .after }
    let order = compareMagnitude(left, right)
    return left.isNegative ? order.reversed : order
  }

  private static func compareMagnitude(_ left: Decimal, _ right: Decimal) -> Order {
    if left.digits.isEmpty || right.digits.isEmpty {
      if left.digits.isEmpty && right.digits.isEmpty { return .same }
      return left.digits.isEmpty ? .before : .after
    }
    let leftTop = left.exponent + left.digits.count
    let rightTop = right.exponent + right.digits.count
    if leftTop != rightTop { return leftTop < rightTop ? .before : .after }
    if left.digits == right.digits { return .same }
    return left.digits.lexicographicallyPrecedes(right.digits) ? .before : .after
  }
}
