import BackendClient
import BackendKit

/// The values with which conditions are tried.
extension FilterProbe {
  /// Fields that tell records apart without being alike in all: a few texts, numbers and booleans with a value each.
  static func fields(of survey: ResourceSurvey) -> [(name: String, value: Value)] {
    var found: [(name: String, value: Value)] = []
    let rows = survey.rows.map { survey.fields(of: $0) }
    for name in rows.first?.names ?? []
    where name != survey.identifier?.field && name != survey.identifier?.link.first && !name.hasPrefix("@") {
      let values = rows.map { $0[name] ?? .null }
      let usable = values.dropFirst(values.count / 2).first { value in
        values.contains { $0 != value } && isUsable(value) && !survey.namesRecord(value)
      }
      guard let usable else { continue }
      // Two texts, and one of any other kind.
      let alike = found.count(where: { $0.value.kind == usable.kind })
      if alike == 0 || usable.text != nil && alike < 2 { found.append((name, usable)) }
    }
    return Array(found.prefix(4))
  }

  /// Whether a value can be sent as a condition without being quoted, and tells nothing about the clock.
  static func isUsable(_ value: Value) -> Bool {
    switch value {
    case .bool: true
    case .number(let number): number.integer != nil
    case .string(let text):
      (1...60).contains(text.utf8.count) && !text.contains(text: "://") && !value.isDay
        && text.utf8.allSatisfy { $0 < 0x80 && !"\"'\\,".utf8.contains($0) }
    default: false
    }
  }

  /// Texts that services may take for no value, for any value or for a boolean.
  private static let words: Set<String> = ["null", "nil", "none", "undefined", "true", "false", "any", "all"]

  /// Whether a condition without quotes finds the records with such a text, if there are any.
  func findsWords(_ filter: Dialect.Filter, _ name: String) async throws(BackendError) -> Bool {
    let values = (survey.whole ?? survey.rows).map { survey.fields(of: $0)[name] ?? .null }
    guard filter.comparison == "equal", !filter.isJSON, filter.quote.isEmpty,
      let word = values.first(where: { Self.words.contains($0.text?.lowercased() ?? "") })
    else { return true }
    guard let answer = try await ask(filter, name, word), let rows = survey.rows(of: answer) else { return false }
    let found = rows.filter { survey.fields(of: $0)[name]?.isSame(as: word) == true }
    return hasAll(answer, found, values.count { $0.isSame(as: word) })
  }

  /// A text in capitals, or in small letters if it has only capitals; nil if it has no letters.
  static func inOtherCase(_ text: String) -> String? {
    let other = text.uppercased() == text ? text.lowercased() : text.uppercased()
    return other == text ? nil : other
  }

  /// Whether a value meets a condition.
  static func meets(_ value: Value, _ comparison: String, _ wanted: Value) -> Bool {
    if comparison == "contains" {
      guard let text = value.text, let wanted = wanted.text else { return false }
      return text.lowercased().contains(text: wanted.lowercased())
    }
    if comparison == "equal" { return value.isSame(as: wanted) }
    guard case .number(let left) = value, case .number(let right) = wanted else { return false }
    let order = Number.compare(left, right)
    switch comparison {
    case "greaterOrEqual": return order != .before
    case "lessOrEqual": return order != .after
    case "greater": return order == .after
    default: return order == .before
    }
  }
}

extension Value {
  /// Whether a text looks like a date.
  var isDay: Bool {
    guard let text, text.utf8.count >= 10 else { return false }
    let bytes = Array(text.utf8.prefix(10))
    return [4, 7].allSatisfy { bytes[$0] == UInt8(ascii: "-") }
      && [0, 1, 2, 3, 5, 6, 8, 9].allSatisfy { (0x30...0x39).contains(bytes[$0]) }
  }
}
