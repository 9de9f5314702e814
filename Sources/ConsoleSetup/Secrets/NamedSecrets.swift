import CommandLanguage

/// Finds what stands under a secret name in a word of a command: an assignment, a condition, a parameter, JSON, a header field.
package enum NamedSecrets {
  private static let operators: Set<String> = [
    "like", "contains", "matches", "in", "between", "startswith", "endswith", "eq", "ne", "lt", "le", "gt", "ge",
  ]

  private static let signs = Array("=<>~!:".utf8)

  /// Returns whether a word is a comparison.
  package static func compares(_ word: String) -> Bool {
    !word.isEmpty && (word.allSatisfy { "=<>~!".contains($0) } || operators.contains(word.lowercased()))
  }

  /// The values, each also in its parts; empty where the word has none.
  package static func all(in word: String, _ names: SecretNames) -> [String] {
    // A name may be written with escapes, too.
    let plain = unescaped(word)
    return values(in: word[...], names) + literals(in: word, names)
      + (plain == word ? [] : values(in: plain[...], names))
  }

  /// The texts of a statement or condition that names a secret anywhere: a function, a list of columns and a comparison the other way
  /// round have the value far from the name.
  private static func literals(in word: String, _ names: SecretNames) -> [String] {
    let pieces = word.split(separator: "'", omittingEmptySubsequences: false)
    guard pieces.count > 2 else { return [] }
    let isNamed = pieces.indices.contains { index in
      index.isMultiple(of: 2)
        && pieces[index].split { !isPartOfName($0) }.contains { names.contains($0) }
    }
    return isNamed
      ? pieces.indices.filter { !$0.isMultiple(of: 2) }.map { String(pieces[$0]) }.filter { !$0.isEmpty } : []
  }

  /// A value as a whole, and the parts of it that a message may quote; a word of conditions is a value only as a whole.
  package static func parts(of value: Substring) -> [String] {
    let quotes: Set<Character> = ["\"", "'"]
    let trimmed = value.drop { $0.isWhitespace }
    var parts = [String(trimmed)]
    if let quote = trimmed.first, quotes.contains(quote) {
      parts.append(String(trimmed.dropFirst().prefix { $0 != quote }))
    }
    parts += trimmed.split { $0.isWhitespace || "\"'&,;()[]{}".contains($0) }.map(String.init)
      .filter { !WhereParser.keywords.contains($0.lowercased()) }
    return parts.filter { !$0.isEmpty }
  }

  private static func values(in text: Substring, _ names: SecretNames) -> [String] {
    // Each value follows a sign or white space; other letters than ASCII's may be white space.
    guard text.utf8.contains(where: { $0 >= 128 || $0 <= 32 || signs.contains($0) }) else { return [] }
    var found: [String] = []
    var rest = text
    while let start = rest.firstIndex(where: isPartOfName) {
      let name = rest[start...].prefix(while: isPartOfName)
      rest = rest[name.endIndex...]
      let plain = name.drop { $0 == "-" || $0 == "." }
      guard !plain.hasSuffix("-file"), names.contains(plain), let value = value(after: rest) else { continue }
      found += parts(of: value)
    }
    return found
  }

  /// Returns the value after an operator; nil if there is none, or if it is not a secret: empty, null, or a file name.
  private static func value(after name: Substring) -> Substring? {
    var rest = name.drop { "\"'])".contains($0) || $0.isWhitespace }
    let signs = rest.prefix { "=<>~!:".contains($0) }
    if signs.isEmpty {
      guard name.first?.isWhitespace == true else { return nil }
      var word = rest.prefix { $0.isLetter }
      if word.lowercased() == "not" {
        rest = rest[word.endIndex...].drop { $0.isWhitespace }
        word = rest.prefix { $0.isLetter }
      }
      guard operators.contains(word.lowercased()) else { return nil }
      rest = rest[word.endIndex...]
    } else {
      rest = rest[signs.endIndex...]
    }
    rest = rest.drop { $0.isWhitespace }
    if rest.isEmpty || rest.first == "@" || ["null", "missing"].contains(rest.lowercased()) { return nil }
    return rest
  }

  private static func isPartOfName(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || "_-.".contains(character)
  }

  private static func unescaped(_ word: String) -> String {
    guard word.utf8.contains(where: SpellingReader.isEscape) else { return word }
    let reader = SpellingReader(text: Array(word.utf8))
    var plain: [UInt8] = []
    var index = 0
    while let unit = reader.units(at: index).last {
      plain += unit.bytes
      index = unit.next
    }
    return String(decoding: plain, as: UTF8.self)
  }
}
