import Foundation

/// The constraints on values of a schema's property, besides their type.
struct BaasicRules {
  let property: DemoJSON

  /// The rule that a value violates; nil if there is none.
  func broken(by value: DemoJSON) -> String? {
    if let allowed = property["enum"]?.elements, !allowed.contains(where: { Self.isSame($0, value) }) {
      return "must be one of the values of its enumeration"
    }
    switch value {
    case .string(let text): return broken(by: text)
    case .number(let text): return Decimal(string: text).flatMap(broken)
    default: return nil
    }
  }

  private func broken(by text: String) -> String? {
    let length = text.unicodeScalars.count
    if let least = number("minLength"), Decimal(length) < least { return "must have at least \(least) characters" }
    if let most = number("maxLength"), Decimal(length) > most { return "must have at most \(most) characters" }
    if let format = property["format"]?.text, ["date", "date-time"].contains(format),
      !BaasicDate.isWritten(text, format)
    {
      return "must be a \(format) of ISO 8601"
    }
    // An invalid regular expression has no effect.
    if let pattern = property["pattern"]?.text, let expression = try? Regex(pattern),
      (try? expression.firstMatch(in: text)) == nil
    {
      return "must match the pattern \(pattern)"
    }
    return nil
  }

  private func broken(by number: Decimal) -> String? {
    if let least = self.number("minimum"), number < least || (number == least && isExcluded("exclusiveMinimum")) {
      return "must not be less than \(least)"
    }
    if let most = self.number("maximum"), number > most || (number == most && isExcluded("exclusiveMaximum")) {
      return "must not be more than \(most)"
    }
    if let bound = self.number("exclusiveMinimum"), number <= bound { return "must be more than \(bound)" }
    if let bound = self.number("exclusiveMaximum"), number >= bound { return "must be less than \(bound)" }
    return nil
  }

  private func isExcluded(_ name: String) -> Bool { property[name] == .bool(true) }

  private func number(_ name: String) -> Decimal? { property[name]?.numberText.flatMap { Decimal(string: $0) } }

  /// Returns whether two values are the same; `1` and `1.0` are.
  private static func isSame(_ left: DemoJSON, _ right: DemoJSON) -> Bool {
    if let left = left.numberText, let right = right.numberText {
      return Decimal(string: left) == Decimal(string: right)
    }
    return left == right
  }
}
