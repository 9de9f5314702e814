package import BackendKit
package import ConsoleSystem

/// Reads conditions of one word: `title=text`, `id!=3`, `id>=10`, `user.name~ana`.
package enum Predicates {
  /// The condition. The operand adopts the type of the field, quoted or not; `\@` at its beginning stands for `@`.
  package static func filter(from word: Word) throws(UsageError) -> Filter {
    let shown = word.text
    if isLoneOperator(word) {
      throw UsageError(
        "\"\(shown)\" needs a field and a value", hint: "write title\(shown)x without spaces", column: word.column)
    }
    guard let (path, comparison, text, _) = parts(of: word) else {
      throw UsageError(
        "\"\(shown)\" is not a condition or a resource", hint: "write FIELD=VALUE without spaces", column: word.column)
    }
    let name = path
    guard !path.isEmpty else {
      throw UsageError(
        "\"\(shown)\" does not name a field", hint: "write title\(shown), or any other field's name",
        column: word.column)
    }
    if word.hasInsertion(before: path.utf8.count) {
      throw UsageError("a field name cannot come from a variable; write it out", column: word.column)
    }
    if path.utf8.last == UInt8(ascii: ":"), comparison == .equal {
      throw UsageError(
        "\"\(shown)\" is an assignment, not a condition", hint: "write \(name.dropLast())=VALUE", column: word.column)
    }
    if text.text.isEmpty, text.insertions.isEmpty, comparison != .equal, comparison != .notEqual {
      throw UsageError(
        "a value is missing after the operator of \"\(shown)\"", hint: "write \(shown)VALUE without spaces",
        column: word.column)
    }
    if !word.isQuoted, let next = text.text.utf8.first, OperatorSigns.alone.contains(next) {
      throw UsageError(
        "unknown operator in \"\(shown)\"",
        hint: "operators: \(OperatorSigns.list); quote a value that begins with one",
        column: word.column)
    }
    return .compare(FieldPath(path), comparison, try operand(text))
  }

  /// The condition on records of a resource. A name may contain an operator: described names take precedence, and for
  /// an undescribed field each record decides by its members, among a few possibilities.
  package static func filter(from word: Word, of resource: ResourceDescription) throws(UsageError) -> Filter {
    let first = try filter(from: word)
    var others: [(name: String, filter: Filter)] = []
    var at = 0
    while others.count < 5, let (name, comparison, text, end) = parts(of: word, after: at) {
      others.append((name, .compare(.member(name), comparison, try operand(text))))
      // The `!` of an operator may be the last character of a quoted name.
      at = word.isQuoted ? name.utf8.count + 1 : end
    }
    if !others.isEmpty { others.removeFirst() }
    if word.quotedName != nil { return first }
    if let described = others.last(where: { resource.field(named: $0.name) != nil }) { return described.filter }
    let isKnown = first.paths.contains { $0.holders.contains { resource.field(named: $0) != nil } }
    guard !isKnown, resource.mayHaveOtherFields else { return first }
    return others.reduce(first) { otherwise, other in
      let isMissing = Filter.isMissing(.member(other.name))
      return .or([.and([.not(isMissing), other.filter]), .and([isMissing, otherwise])])
    }
  }

  private static func operand(_ word: Word) throws(UsageError) -> Operand {
    if case .null? = word.wholeInsertion?.value {
      throw UsageError(
        "a comparison with null is never true", hint: "--where \"FIELD is null\"", column: word.column)
    }
    return .word(word.hasInsertion(before: 1) ? word.text : Assignments.unescaped(word.text))
  }

  /// Returns whether a word is meant as a condition: an operator by itself, or one after text that can be a field's
  /// name, unlike an address or a target with `/`.
  package static func looksLikePredicate(_ word: Word) -> Bool {
    if isLoneOperator(word) { return true }
    guard let path = parts(of: word)?.path else { return false }
    return !path.isEmpty && !path.utf8.contains(UInt8(ascii: "/"))
  }

  /// Returns whether a word with `=` sets a field, in a command that takes assignments.
  package static func looksLikeAssignment(_ word: Word) -> Bool { parts(of: word)?.comparison == .equal }

  private static func isLoneOperator(_ word: Word) -> Bool {
    word.text.utf8.count <= 2 && !word.startsQuoted && (Comparison(rawValue: word.text) != nil || word.text == "==")
  }

  /// The word around its first operator after so many bytes, which cannot come from a value, and the end of the
  /// operator.
  private static func parts(
    of word: Word, after start: Int = 0
  ) -> (path: String, comparison: Comparison, text: Word, end: Int)? {
    guard word.text.hasOperator else { return nil }
    let bytes = word.text.utf8
    var index = bytes.index(bytes.startIndex, offsetBy: max(start, word.quotedName ?? 0))
    while index < bytes.endIndex {
      let offset = word.insertions.isEmpty ? 0 : bytes.distance(from: bytes.startIndex, to: index)
      if !word.insertions.isEmpty, word.isInserted(offset) {
        index = bytes.index(after: index)
        continue
      }
      if OperatorSigns.all.contains(bytes[index]),
        let comparison = OperatorSigns.longestFirst.first(where: { bytes[index...].starts(with: $0.rawValue.utf8) })
      {
        let end = bytes.distance(from: bytes.startIndex, to: index) + comparison.rawValue.utf8.count
        return (String(word.text[..<index]), comparison, word.dropFirst(end), end)
      }
      index = bytes.index(after: index)
    }
    return nil
  }
}

extension String {
  /// True if the text has a character that operators are made of.
  package var hasOperator: Bool { utf8.contains { OperatorSigns.all.contains($0) } }
}
