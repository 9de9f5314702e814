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
    // A service may refuse others, round them, or keep their last digits.
    case .integer: return operand.number?.integer.map { .int($0) }
    case .number: return operand.number.flatMap { $0.isBinary ? .number($0) : nil }
    case .boolean: return operand.bool.map { .bool($0) }
    case .date where isPart, .day where isPart: return operand.text.map { .string($0) }
    // A service may not read lower-case letters in a date.
    case .date, .day: return operand.text.flatMap { Self.isDate($0, kind) ? .string($0.uppercased()) : nil }
    case .text, .html: return operand.text.map { .string($0) }
    case .any, .object, .list:
      if case .value(let value) = operand { return value }
      guard let text = operand.text else { return nil }
      // Without quotes a number and the same text are spelled alike.
      guard quote.isEmpty || operand.number == nil && operand.bool == nil else { return nil }
      return operand.number?.isPlain == false ? nil : .string(text)
    }
  }

  /// Returns whether a text is a day of the calendar or, except for a field of days, a time on one.
  private static func isDate(_ text: String, _ kind: FieldDescription.Kind) -> Bool {
    guard text.utf8.count > 10 else { return CivilDate.isDay(text) }
    return kind == .date && ["", "Z", ":00Z"].contains { Instant(text + $0) != nil }
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

  /// Words with a meaning of their own in languages of conditions.
  private static let operators: Set<String> = ["and", "or", "not", "in", "to", "is", "like", "between"]

  /// Returns whether an operand is one value in a language of conditions. Each language reserves other characters, so
  /// one without quotes and escapes gets plain words only.
  func fitsLanguage(_ operand: Operand, _ kind: FieldDescription.Kind) -> Bool {
    guard quote.isEmpty, escaped.isEmpty, ![.integer, .number, .boolean, .date, .day].contains(kind),
      let text = operand.text, Number(text) == nil
    else { return true }
    return !Self.words.union(Self.operators).contains(text.lowercased()) && text.utf8.first != UInt8(ascii: "-")
      && text.utf8.allSatisfy { $0.isLetterOrDigit || $0 >= 0x80 || "_-.".utf8.contains($0) }
  }

  private func quoted(_ text: String) -> String? {
    // Texts in quotes have escapes for control characters, if they can have them.
    if !quote.isEmpty, text.utf8.contains(where: { $0 < 0x20 }) { return nil }
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

  /// True if a binary floating-point number, as which services may read it, has the same digits.
  fileprivate var isBinary: Bool {
    double.isFinite && Number(double.description).map { Number.compare($0, self) == .same } ?? false
  }
}
