extension Service.Filters.Values {
  /// The spelling of an operand in a condition; nil if that is uncertain.
  func text(
    _ operand: Operand, _ kind: FieldDescription.Kind, _ dates: Service.DateForm, isPart: Bool
  ) -> String? {
    guard let value = value(operand, kind, isPart: isPart) else { return nil }
    // Part of a number is not a number: `1.0` is contained in other numbers than `1`.
    if isPart, [.integer, .number].contains(kind) { return value.text }
    switch value {
    case .number(let number):
      // A service that compares texts recognizes a number only by its plain digits.
      return [.integer, .number].contains(kind) || number.isPlain ? number.text : nil
    case .bool(let truth): return truth ? yes : no
    case .string(let text):
      if kind == .date, dates != .iso, !isPart {
        // A service that counts whole seconds may refuse a fraction.
        let date = dates.written(value)
        return date?.text != nil || date?.integer != nil ? date?.plain : nil
      }
      return quoted(text)
    default: return nil
    }
  }

  /// An operand as a value of the field's type; nil if the type is uncertain.
  func value(_ operand: Operand, _ kind: FieldDescription.Kind, isPart: Bool) -> Value? {
    switch kind {
    case .integer where isPart, .number where isPart:
      return operand.text.flatMap { Number($0) == nil ? nil : .string($0) }
    case .boolean where isPart: return nil
    case .integer: return operand.number.map { number in number.integer.map { .int($0) } ?? .number(number) }
    case .number: return operand.number.map { .number($0) }
    case .boolean: return operand.bool.map { .bool($0) }
    case .text, .html, .date, .day: return operand.text.map { .string($0) }
    case .any, .object, .list:
      if case .value(let value) = operand { return value }
      guard let text = operand.text else { return nil }
      // Without quotes a number and the same text are spelled alike.
      guard quote.isEmpty || operand.number == nil && operand.bool == nil else { return nil }
      return operand.number?.isPlain == false ? nil : .string(text)
    }
  }

  /// Returns whether operands of two types are spelled alike in a field that may hold both.
  func isAmbiguous(_ operand: Operand, _ kind: FieldDescription.Kind) -> Bool {
    guard quote.isEmpty, [.any, .object, .list].contains(kind), case .value(let value) = operand else { return false }
    guard case .string(let text) = value else { return true }
    return Number(text) != nil || [yes, no, "true", "false", "null"].contains(text)
  }

  /// Texts that services without quotes may take for null, a wildcard or a boolean.
  private static let words: Set<String> = [
    "null", "nil", "none", "undefined", "true", "false", "any", "all",
  ]

  private func quoted(_ text: String) -> String? {
    if quote.isEmpty, escape == nil, !escaped.isEmpty, Self.words.contains(text.lowercased()) { return nil }
    let special = quote + escaped
    guard text.contains(where: { special.contains($0) }) else { return quote + text + quote }
    guard let escape else { return nil }
    // The escape character has to be escaped itself, unless it is the quote, which is doubled.
    let all = special + (quote == escape ? "" : escape)
    return quote + text.map { all.contains($0) ? escape + String($0) : String($0) }.joined() + quote
  }
}

extension Number {
  /// True for a whole number in its canonical spelling.
  fileprivate var isPlain: Bool { integer.map { String($0) } == text }
}
