/// Values as JavaScript converts them to texts and compares them.
enum JSONServerText {
  static func of(_ value: DemoJSON) -> String {
    switch value {
    case .null: "null"
    case .bool(let value): value ? "true" : "false"
    case .number(let text): Double(text).map(JSONServerNumber.text) ?? text
    case .string(let text): text
    case .array(let elements): elements.map { $0 == .null ? "" : of($0) }.joined(separator: ",")
    case .object: "[object Object]"
    }
  }

  /// Compares two values: as texts, by UTF-16 code units, if both are texts, otherwise as numbers; nil if one of them
  /// is not a number.
  static func compare(_ left: DemoJSON, _ right: DemoJSON) -> Int? {
    if let left = number(left), let right = number(right) { return order(left, right) }
    if number(left) == nil, number(right) == nil { return order(Array(of(left).utf16), Array(of(right).utf16)) }
    guard let left = converted(left), let right = converted(right) else { return nil }
    return order(left, right)
  }

  /// Returns whether a text is part of another, regardless of grapheme clusters.
  static func contains(_ text: String, _ part: String) -> Bool {
    Array(text.utf8).firstRange(of: Array(part.utf8)) != nil || part.isEmpty
  }

  static func order(_ left: [UInt16], _ right: [UInt16]) -> Int {
    left == right ? 0 : left.lexicographicallyPrecedes(right) ? -1 : 1
  }

  static func order(_ left: Double, _ right: Double) -> Int { left < right ? -1 : left > right ? 1 : 0 }

  private static func number(_ value: DemoJSON) -> Double? {
    switch value {
    case .number(let text): Double(text)
    case .bool(let value): value ? 1 : 0
    default: nil
    }
  }

  private static func converted(_ value: DemoJSON) -> Double? { number(value) ?? JSONServerNumber.converted(of(value)) }
}
