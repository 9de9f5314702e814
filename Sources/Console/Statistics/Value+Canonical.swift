import BackendKit

extension Value {
  /// The canonical form of values that are equal by ``isSame(as:)``: members sorted by name, and numbers in plain form.
  var canonical: Value {
    switch self {
    case .null, .bool, .string: self
    case .number(let number): .number(number.canonical)
    case .array(let elements): .array(elements.map(\.canonical))
    case .object(let object):
      .object(
        Object(
          object.members.map { name, value in (name, value.canonical) }
            .sorted { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) }))
    }
  }
}

extension Number {
  /// The maximum number of digits without an exponent.
  private static let mostDigits = 1000

  /// The number without exponent, trailing zeros of a fraction or sign of zero: `1.0`, `10e-1` and `1` are `1`. Very
  /// large and very small ones are digits and an exponent.
  fileprivate var canonical: Number { isCanonical ? self : Number(plain) ?? self }

  /// True if the text is already canonical, as most numbers are.
  private var isCanonical: Bool {
    var hasPoint = false
    for byte in text.utf8 {
      if byte | 0x20 == UInt8(ascii: "e") { return false }
      if byte == UInt8(ascii: ".") { hasPoint = true }
    }
    guard text.utf8.count <= Self.mostDigits else { return false }
    return hasPoint ? text.utf8.last != UInt8(ascii: "0") : text != "-0"
  }

  private var plain: String {
    let (digits, exponent) = parts
    guard !digits.isEmpty else { return "0" }
    let sign = text.utf8.first == UInt8(ascii: "-") ? "-" : ""
    let text = String(decoding: digits, as: UTF8.self)
    if exponent >= 0, digits.count + exponent <= Self.mostDigits {
      return sign + text + String(repeating: "0", count: exponent)
    }
    guard exponent < 0, -exponent <= Self.mostDigits, digits.count <= Self.mostDigits else {
      return "\(sign)\(text)e\(exponent)"
    }
    let whole = digits.count + exponent
    if whole <= 0 { return sign + "0." + String(repeating: "0", count: -whole) + text }
    return "\(sign)\(text.prefix(whole)).\(text.dropFirst(whole))"
  }

  /// The digits without zeros at either end, and the power of ten of the last one, limited to 2^53.
  private var parts: (digits: [UInt8], exponent: Int) {
    let limit = 1 << 53
    var digits: [UInt8] = []
    var exponent = 0
    var isFraction = false
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      if byte | 0x20 == UInt8(ascii: "e") {
        let written = Int(String(Substring(rest))) ?? (rest.first == UInt8(ascii: "-") ? -limit : limit)
        exponent += min(max(written, -limit), limit)
        break
      }
      if byte == UInt8(ascii: ".") {
        isFraction = true
      } else if byte != UInt8(ascii: "-") {
        if isFraction { exponent -= 1 }
        if !digits.isEmpty || byte != UInt8(ascii: "0") { digits.append(byte) }
      }
    }
    while digits.last == UInt8(ascii: "0") {
      digits.removeLast()
      exponent += 1
    }
    return (digits, exponent)
  }
}
