package import BackendKit

/// A decimal number of up to 38 digits, with addition and division without binary floating point.
package struct ExactDecimal: Sendable, Hashable {
  /// The digits as a whole number.
  private(set) var unscaled: Int128
  private(set) var scale: Int

  package init() { (unscaled, scale) = (0, 0) }

  init(unscaled: Int128, scale: Int) { (self.unscaled, self.scale) = (unscaled, scale) }

  /// The number, or nil if it has too many digits.
  package init?(_ number: Number) {
    var unscaled: Int128 = 0
    var scale = 0
    var isFraction = false
    var rest = number.text.utf8[...]
    let isNegative = rest.first == UInt8(ascii: "-")
    if isNegative { rest.removeFirst() }
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: ".") {
        isFraction = true
      } else if byte | 0x20 == UInt8(ascii: "e") {
        guard let exponent = Int(String(Substring(rest))), (-100...100).contains(exponent) else { return nil }
        scale -= exponent
        break
      } else {
        guard let next = Self.appended(unscaled, Int128(byte) - 0x30) else { return nil }
        unscaled = next
        if isFraction { scale += 1 }
      }
    }
    self.unscaled = isNegative ? -unscaled : unscaled
    self.scale = scale
    if scale < 0 { guard rescale(to: 0) else { return nil } }
  }

  static func appended(_ value: Int128, _ digit: Int128) -> Int128? {
    let (product, overflows) = value.multipliedReportingOverflow(by: 10)
    let (sum, spills) = product.addingReportingOverflow(digit)
    return overflows || spills ? nil : sum
  }

  /// Adds decimals; returns false if there is no room.
  mutating func rescale(to wanted: Int) -> Bool {
    while scale < wanted {
      guard let next = Self.appended(unscaled, 0) else { return false }
      unscaled = next
      scale += 1
    }
    return true
  }

  /// Adds a number; returns false without change if the sum would have too many digits.
  package mutating func add(_ other: ExactDecimal) -> Bool {
    var (left, right) = (self, other)
    guard left.rescale(to: right.scale), right.rescale(to: left.scale) else { return false }
    let (sum, overflows) = left.unscaled.addingReportingOverflow(right.unscaled)
    if overflows { return false }
    left.unscaled = sum
    self = left
    return true
  }

  /// The quotient with at least three decimals more than this number has, the last one rounded; nil if there is no room
  /// for them, or by zero.
  package func divided(by count: Int) -> ExactDecimal? {
    var quotient = self
    guard count > 0, quotient.rescale(to: scale + 3) else { return nil }
    let (whole, rest) = quotient.unscaled.quotientAndRemainder(dividingBy: Int128(count))
    let isMore = rest.magnitude * 2 >= UInt128(count)
    quotient.unscaled = isMore ? whole + (unscaled < 0 ? -1 : 1) : whole
    return quotient
  }

  /// The number in JSON, without trailing zeros of a fraction.
  package var number: Number {
    var digits = String(unscaled.magnitude)
    if scale > 0 {
      digits = String(repeating: "0", count: max(0, scale + 1 - digits.utf8.count)) + digits
      var fraction = digits.suffix(scale)
      while fraction.last == "0" { fraction.removeLast() }
      digits = String(digits.dropLast(scale)) + (fraction.isEmpty ? "" : "." + fraction)
    }
    return Number((unscaled < 0 ? "-" : "") + digits) ?? Number(0)
  }
}
