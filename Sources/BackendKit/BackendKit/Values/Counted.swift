/// A count with its noun: "1 record", "12,000 records", "2 entries". `many` is the plural; by default, an "s" is added.
public func counted(_ count: Int, _ one: String, _ many: String? = nil) -> String {
  "\(count.grouped) \(count == 1 ? one : many ?? one + "s")"
}

extension Int {
  /// The number with thousands separators.
  public var grouped: String {
    var digits = Array(String(self))
    var index = digits.count - 3
    while index > 0 {
      if digits[index - 1] != "-" { digits.insert(",", at: index) }
      index -= 3
    }
    return String(digits)
  }
}
