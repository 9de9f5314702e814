/// A length of time: `30d`, `1h30m`, `6mo`. Months follow the calendar, everything else is in milliseconds; a day has
/// 24 hours.
package struct TimeSpan: Sendable, Hashable {
  package var months = 0
  package var milliseconds = 0

  package init(months: Int = 0, milliseconds: Int = 0) {
    self.months = months
    self.milliseconds = milliseconds
  }

  /// Numbers with units; nil for any other text, and for one that is too long.
  package init?(_ text: String) {
    var rest = text.utf8[...]
    guard !rest.isEmpty else { return nil }
    while !rest.isEmpty {
      let digits = rest.prefix { (0x30...0x39).contains($0) }
      let unit = rest[digits.endIndex...].prefix { !(0x30...0x39).contains($0) }
      guard !digits.isEmpty, digits.count <= 9, let count = Int(String(decoding: digits, as: UTF8.self)) else {
        return nil
      }
      switch String(decoding: unit, as: UTF8.self) {
      case "s": milliseconds += count * 1_000
      case "m": milliseconds += count * 60_000
      case "h": milliseconds += count * 3_600_000
      case "d": milliseconds += count * 86_400_000
      case "w": milliseconds += count * 7 * 86_400_000
      case "mo": months += count
      case "y": months += count * 12
      default: return nil
      }
      rest = rest[unit.endIndex...]
      guard months < 1_000_000, milliseconds < Self.most else { return nil }
    }
  }

  /// The longest span between two moments, in milliseconds.
  private static let most = 10_000 * 366 * 86_400_000

  /// The sum, which cannot overflow.
  static func + (left: TimeSpan, right: TimeSpan) -> TimeSpan? {
    let sum = TimeSpan(
      months: left.months + right.months, milliseconds: left.milliseconds + right.milliseconds)
    return abs(sum.months) < 1_000_000 && abs(sum.milliseconds) < most ? sum : nil
  }

  static prefix func - (span: TimeSpan) -> TimeSpan {
    TimeSpan(months: -span.months, milliseconds: -span.milliseconds)
  }

  /// The order of two spans; nil if it depends on the calendar, as for `1mo` and `30d`.
  static func order(_ left: TimeSpan, _ right: TimeSpan) -> Int? {
    guard left.months == 0 && right.months == 0 || left.milliseconds == right.milliseconds else { return nil }
    let (one, other) = (left.months + left.milliseconds, right.months + right.milliseconds)
    return one < other ? -1 : one > other ? 1 : 0
  }

  /// The span in source form.
  package var text: String {
    var parts = months == 0 ? "" : "\(abs(months))mo"
    var rest = abs(milliseconds)
    for (unit, size) in [("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1_000)] where rest >= size {
      parts += "\(rest / size)\(unit)"
      rest %= size
    }
    let isNegative = months < 0 || months == 0 && milliseconds < 0
    return parts.isEmpty ? "0s" : (isNegative ? "-" : "") + parts
  }
}
