// Arithmetic of expressions. Each result is exact, or nil if it has too many digits; a quotient is rounded.
extension ExactDecimal {
  /// The maximum number of decimals of a quotient.
  static let quotientScale = 18

  /// The number without trailing zeros in its fraction, to make room for further digits.
  private var trimmed: ExactDecimal {
    var (digits, scale) = (unscaled, scale)
    while scale > 0, digits % 10 == 0 { (digits, scale) = (digits / 10, scale - 1) }
    return ExactDecimal(unscaled: digits, scale: scale)
  }

  func plus(_ other: ExactDecimal) -> ExactDecimal? {
    var sum = trimmed
    return sum.add(other.trimmed) ? sum : nil
  }

  func minus(_ other: ExactDecimal) -> ExactDecimal? {
    let (negated, overflows) = Int128(0).subtractingReportingOverflow(other.unscaled)
    return overflows ? nil : plus(ExactDecimal(unscaled: negated, scale: other.scale))
  }

  func times(_ other: ExactDecimal) -> ExactDecimal? {
    let (left, right) = (trimmed, other.trimmed)
    let (product, overflows) = left.unscaled.multipliedReportingOverflow(by: right.unscaled)
    return overflows ? nil : ExactDecimal(unscaled: product, scale: left.scale + right.scale).trimmed
  }

  /// The quotient with up to 18 decimals, fewer if there is no room for them, the last one rounded.
  func over(_ other: ExactDecimal) -> ExactDecimal? {
    let (left, right) = (trimmed, other.trimmed)
    guard right.unscaled != 0 else { return nil }
    for digits in stride(from: Self.quotientScale, through: 0, by: -1) {
      var numerator = ExactDecimal(unscaled: left.unscaled, scale: 0)
      var divisor = ExactDecimal(unscaled: right.unscaled, scale: 0)
      let shift = digits + right.scale - left.scale
      guard shift >= 0 ? numerator.rescale(to: shift) : divisor.rescale(to: -shift) else { continue }
      guard let quotient = Self.rounded(numerator.unscaled, divisor.unscaled) else { continue }
      return ExactDecimal(unscaled: quotient, scale: digits).trimmed
    }
    return nil
  }

  /// The remainder of a division with a whole quotient, with the sign of the dividend.
  func remainder(_ other: ExactDecimal) -> ExactDecimal? {
    var (left, right) = (trimmed, other.trimmed)
    guard right.unscaled != 0, left.rescale(to: right.scale), right.rescale(to: left.scale) else { return nil }
    let (rest, overflows) = left.unscaled.remainderReportingOverflow(dividingBy: right.unscaled)
    return overflows ? ExactDecimal() : ExactDecimal(unscaled: rest, scale: left.scale).trimmed
  }

  /// The number rounded to so many decimals; a half is rounded away from zero.
  func rounded(to digits: Int) -> ExactDecimal {
    let number = trimmed
    guard number.scale > digits else { return number }
    var divisor: Int128 = 1
    for _ in digits..<number.scale {
      let (next, overflows) = divisor.multipliedReportingOverflow(by: 10)
      if overflows { return ExactDecimal() }
      divisor = next
    }
    return ExactDecimal(unscaled: Self.rounded(number.unscaled, divisor) ?? 0, scale: digits).trimmed
  }

  private static func rounded(_ numerator: Int128, _ divisor: Int128) -> Int128? {
    let (quotient, overflows) = numerator.dividedReportingOverflow(by: divisor)
    if overflows { return nil }
    let rest = (numerator % divisor).magnitude
    guard rest > 0, rest >= divisor.magnitude - rest else { return quotient }
    return quotient + ((numerator < 0) == (divisor < 0) ? 1 : -1)
  }
}
