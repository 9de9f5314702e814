package import BackendKit

/// One word of a command, with quotes and escapes resolved.
package struct Word: Hashable, Sendable {
  package struct Insertion: Hashable, Sendable {
    /// Its place in the text, in bytes.
    package var range: Range<Int>
    /// The inserted value; nil if a script is only checked and the value is unknown.
    package var value: Value?
    /// True if it is the present time, which is a day in fields of days.
    var isNow = false
  }

  package var text: String
  /// True if any part of the word was quoted.
  package var isQuoted: Bool
  /// The column at which the word begins in its line: 1-based, in characters.
  package var column: Int
  /// True if the first character was quoted or escaped, so that a leading `-` does not make the word an option.
  package var startsQuoted: Bool
  /// True if the word comes after the `--` of its command, so that it is neither an option nor a target.
  package var isLiteral = false
  /// True if the word is verbatim: an SQL statement, in which values are bound instead of inserted.
  package var isVerbatim = false
  /// The number of bytes of text in the quotes at its beginning.
  var quotedHead = 0
  /// The quoted parts of a word that begins without a quote, in bytes of the text.
  var quotedParts: [Range<Int>] = []
  /// True if the value of an assignment begins with a quote, so that a leading `@` does not name a file.
  package var hasQuotedValue = false
  /// The references whose values are still to be inserted, in order.
  package var references: [VariableReference] = []
  /// The expression that a word of a script represents; the text is its source.
  package var expression: Expression?
  /// The inserted values, in order. Nothing within them is syntax.
  package var insertions: [Insertion] = []

  /// A word; by default, a quoted word is quoted from its first character on.
  package init(
    text: String, isQuoted: Bool, column: Int, startsQuoted: Bool? = nil, references: [VariableReference] = []
  ) {
    self.text = text
    self.isQuoted = isQuoted
    self.column = column
    self.startsQuoted = startsQuoted ?? isQuoted
    self.references = references
  }
}

extension Word {
  /// The number of bytes of a separately quoted name, `"a=b"=text`; nil if no quotes end before the word does.
  package var quotedName: Int? { quotedHead > 0 && quotedHead < text.utf8.count ? quotedHead : nil }

  /// True if the word pipes the result to a shell.
  var isPipe: Bool { !isQuoted && text == "|" }

  /// True if the word has the form of an option; after `--` it still is not one.
  package var isOption: Bool {
    guard !startsQuoted, text.utf8.first == UInt8(ascii: "-") else { return false }
    guard let second = text.utf8.dropFirst().first else { return false }
    return !(0x30...0x39).contains(second)
  }

  /// True if the word is neither quoted nor after a `--`, so that it may name a target or a form of its command.
  package var isBare: Bool { !isQuoted && !isLiteral }

  /// The word as the name of a target; nil if it cannot be one. Quotes after its first slash enclose an identifier, whose
  /// slashes are encoded.
  package var target: String? {
    guard isQuoted, !isLiteral else { return isLiteral ? nil : text }
    let bytes = Array(text.utf8)
    guard !startsQuoted, insertions.isEmpty, let first = quotedParts.first,
      bytes[..<first.lowerBound].contains(UInt8(ascii: "/"))
    else { return nil }
    var (target, end) = ("", 0)
    for part in quotedParts {
      target += String(decoding: bytes[end..<part.lowerBound], as: UTF8.self)
      target += ResourcePath.encoded(String(decoding: bytes[part], as: UTF8.self))
      end = part.upperBound
    }
    return target + String(decoding: bytes[end...], as: UTF8.self)
  }

  /// The word as after a `--`, or not.
  package func literal(_ isLiteral: Bool) -> Word {
    var word = self
    word.isLiteral = isLiteral
    return word
  }

  /// Returns whether the word is this text without quotes and references.
  package func isPlain(_ text: String) -> Bool { !isQuoted && references.isEmpty && self.text == text }

  /// Returns whether a byte of the text came from a value.
  package func isInserted(_ index: Int) -> Bool { insertions.contains { $0.range.contains(index) } }

  /// True if the word contains a value that is not known yet.
  package var isUnknown: Bool { insertions.contains { $0.value == nil } }

  /// Returns whether any of the bytes before an index came from a value.
  package func hasInsertion(before index: Int) -> Bool { insertions.first.map { $0.range.lowerBound < index } ?? false }

  package func dropFirst(_ count: Int) -> Word {
    var rest = self
    rest.text = String(decoding: text.utf8.dropFirst(count), as: UTF8.self)
    rest.insertions = insertions.compactMap { insertion in
      guard insertion.range.lowerBound >= count else { return nil }
      return Insertion(
        range: (insertion.range.lowerBound - count)..<(insertion.range.upperBound - count), value: insertion.value,
        isNow: insertion.isNow)
    }
    return rest
  }

  /// The inserted value, if it is the whole word.
  var wholeInsertion: Insertion? {
    guard insertions.count == 1, insertions[0].range == 0..<text.utf8.count else { return nil }
    return insertions[0]
  }

  /// Splits the word at a separator outside of values.
  package func split(at separator: UInt8) -> [Word] {
    var parts: [Word] = []
    var rest = self
    while let index = rest.text.utf8.enumerated().first(where: { $1 == separator && !rest.isInserted($0) })?.offset {
      var part = rest
      part.text = String(decoding: rest.text.utf8.prefix(index), as: UTF8.self)
      part.insertions = rest.insertions.filter { $0.range.upperBound <= index }
      parts.append(part)
      rest = rest.dropFirst(index + 1)
    }
    return parts + [rest]
  }
}
