package import BackendKit
package import ConsoleSystem

/// Reads conditions of one word: `title=text`, `id!=3`, `id>=10`, `user.name~ana`.
package enum Predicates {
  /// The condition. What follows the operator is typed by the field it meets, quoted or not; `\@` at its beginning
  /// stands for `@`.
  package static func filter(from word: Word) throws(UsageError) -> Filter {
    let shown = word.text
    if isLoneOperator(word) {
      throw UsageError(
        "\"\(shown)\" needs a field and a value", hint: "write title\(shown)x without spaces", column: word.column)
    }
    guard let (path, comparison, text) = parts(of: word) else {
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
    if !word.isQuoted, let next = text.text.utf8.first, "=<>~".utf8.contains(next) {
      throw UsageError(
        "unknown operator in \"\(shown)\"",
        hint: "operators: = != > >= < <= ~; quote a value that begins with one",
        column: word.column)
    }
    return .compare(FieldPath(path), comparison, try operand(text))
  }

  private static func operand(_ word: Word) throws(UsageError) -> Operand {
    if case .null? = word.wholeInsertion?.value {
      throw UsageError(
        "a comparison with null is never true", hint: "--where \"FIELD is null\"", column: word.column)
    }
    return .word(word.hasInsertion(before: 1) ? word.text : Assignments.unescaped(word.text))
  }

  /// Returns whether a word is meant as a condition: an operator by itself, or one after text that can be a field's
  /// name, which an address or a target with `/` cannot be.
  package static func looksLikePredicate(_ word: Word) -> Bool {
    if isLoneOperator(word) { return true }
    guard let (path, _, _) = parts(of: word) else { return false }
    return !path.isEmpty && !path.utf8.contains(UInt8(ascii: "/"))
  }

  /// Returns whether a word with `=` sets a field, in a command that takes assignments.
  package static func looksLikeAssignment(_ word: Word) -> Bool { parts(of: word)?.comparison == .equal }

  private static func isLoneOperator(_ word: Word) -> Bool {
    word.text.utf8.count <= 2 && !word.startsQuoted && (Comparison(rawValue: word.text) != nil || word.text == "==")
  }

  /// The word around its first operator, which no value can bring.
  private static func parts(of word: Word) -> (path: String, comparison: Comparison, text: Word)? {
    guard word.text.hasOperator else { return nil }
    let bytes = word.text.utf8
    var index = bytes.startIndex
    while index < bytes.endIndex {
      let offset = word.insertions.isEmpty ? 0 : bytes.distance(from: bytes.startIndex, to: index)
      if !word.insertions.isEmpty, word.isInserted(offset) {
        index = bytes.index(after: index)
        continue
      }
      let next = bytes.index(after: index)
      let isBeforeEquals = next < bytes.endIndex && bytes[next] == UInt8(ascii: "=")
      let comparison: Comparison? =
        switch bytes[index] {
        case UInt8(ascii: "="): .equal
        case UInt8(ascii: "~"): .contains
        case UInt8(ascii: "!"): isBeforeEquals ? .notEqual : nil
        case UInt8(ascii: "<"): isBeforeEquals ? .lessOrEqual : .less
        case UInt8(ascii: ">"): isBeforeEquals ? .greaterOrEqual : .greater
        default: nil
        }
      if let comparison {
        let start = bytes.distance(from: bytes.startIndex, to: index)
        return (
          String(word.text[..<index]), comparison, word.dropFirst(start + comparison.rawValue.utf8.count)
        )
      }
      index = next
    }
    return nil
  }
}

extension String {
  /// True if the text has a character that operators are made of.
  package var hasOperator: Bool {
    let found = utf8.withContiguousStorageIfAvailable { bytes in
      bytes.contains { (0x3C...0x3E).contains($0) || $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "!") }
    }
    return found ?? utf8.contains { "=<>~!".utf8.contains($0) }
  }
}
