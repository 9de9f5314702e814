import CommandLanguage

/// Finds values under secret names in a word of a command: in an assignment, a condition, a parameter, JSON, a header
/// field.
package enum NamedSecrets {
  fileprivate static let operators: Set<String> = [
    "like", "contains", "matches", "in", "between", "startswith", "endswith", "eq", "ne", "lt", "le", "gt", "ge",
  ]

  /// Returns whether a word is a comparison.
  package static func compares(_ word: String) -> Bool {
    !word.isEmpty && (word.utf8.allSatisfy { OperatorSigns.all.contains($0) } || operators.contains(word.lowercased()))
  }

  /// The maximum number of parts of a value, and of values of a word, which may be as long as a file.
  private static let most = 1_000
  /// The number of bytes examined of values after the first.
  private static let longestOther = 4_096

  /// The values, each also in its parts; empty if the word has none.
  package static func all(in word: String, _ names: SecretNames) -> [String] {
    // A name may be escaped, too.
    let plain = unescaped(word)
    return values(in: word, names) + literals(in: word, names) + (plain == word ? [] : values(in: plain, names))
  }

  /// The texts of a statement or condition that contains a secret name anywhere: a function, a list of columns or a
  /// reversed comparison separates the value from its name.
  private static func literals(in word: String, _ names: SecretNames) -> [String] {
    guard word.utf8.contains(UInt8(ascii: "'")) else { return [] }
    let pieces = Array(word.utf8).split(separator: UInt8(ascii: "'"), omittingEmptySubsequences: false)
    guard pieces.count > 2 else { return [] }
    let isNamed = pieces.indices.contains { index in
      guard index.isMultiple(of: 2) else { return false }
      var reader = NameReader(Array(pieces[index]))
      while let name = reader.next() { if names.contains(name.text) { return true } }
      return false
    }
    guard isNamed else { return [] }
    let literals = pieces.indices.lazy.filter { !$0.isMultiple(of: 2) && !pieces[$0].isEmpty }
    return literals.prefix(most).map { String(decoding: pieces[$0], as: UTF8.self) }
  }

  /// The value as a whole, and the first of the parts that a message may quote; conditions are a value only as a whole.
  package static func parts(of value: Substring) -> [String] { parts(of: value, most: most) }

  private static func parts(of value: Substring, most: Int) -> [String] {
    let quotes: Set<Character> = ["\"", "'"]
    let trimmed = value.drop { $0.isWhitespace }
    var parts = [String(trimmed)]
    if let quote = trimmed.first, quotes.contains(quote) {
      parts.append(String(trimmed.dropFirst().prefix { $0 != quote }))
    }
    func isEnd(_ scalar: Unicode.Scalar) -> Bool {
      scalar.properties.isWhitespace || "\"'&,;()[]{}".unicodeScalars.contains(scalar)
    }
    var seen: Set<Substring> = []
    var rest = trimmed.unicodeScalars[...]
    while seen.count < most, let start = rest.firstIndex(where: { !isEnd($0) }) {
      let end = rest[start...].firstIndex(where: isEnd) ?? rest.endIndex
      let part = Substring(rest[start..<end])
      rest = rest[end...]
      if seen.insert(part).inserted, !WhereParser.keywords.contains(part.lowercased()) { parts.append(String(part)) }
    }
    return parts.filter { !$0.isEmpty }
  }

  private static func values(in text: String, _ names: SecretNames) -> [String] {
    // Each value follows a sign or white space, which may be beyond ASCII.
    guard text.utf8.contains(where: { $0 >= 128 || $0 <= 32 || NameReader.isSign($0) }) else { return [] }
    var found: [String] = []
    var count = 0
    var reader = NameReader(Array(text.utf8))
    while count < most, let name = reader.next() {
      guard let start = reader.value(after: name.end), !name.text.hasSuffix("-file"), names.contains(name.text) else {
        continue
      }
      // Anything after the first part of another value is also in parts of the first value.
      let value = count == 0 ? reader.text[start...] : reader.text[start...].prefix(longestOther)
      found += parts(of: Substring(decoding: value, as: UTF8.self), most: count == 0 ? most : 1)
      count += 1
    }
    return found
  }

  private static func unescaped(_ word: String) -> String {
    guard word.utf8.contains(where: SpellingReader.isEscape) else { return word }
    return String(decoding: SpellingReader(text: Array(word.utf8)).plain(layers: SpellingReader.layers), as: UTF8.self)
  }
}

/// Reads the names in a text from its beginning, in linear time.
private struct NameReader {
  private static let operators = Set(NamedSecrets.operators.map { Array($0.utf8) })
  private static let longest = operators.reduce(0) { max($0, $1.count) }

  let text: [UInt8]
  private var index = 0

  init(_ text: [UInt8]) { self.text = text }

  static func isSign(_ byte: UInt8) -> Bool { byte == UInt8(ascii: ":") || OperatorSigns.all.contains(byte) }

  /// The next name, without leading signs, and the index behind it.
  mutating func next() -> (text: String, end: Int)? {
    while index < text.count {
      var start = index
      while index < text.count, let next = name(at: index) { index = next }
      guard index > start else {
        index += 1
        continue
      }
      while start < index, text[start] == UInt8(ascii: "-") || text[start] == UInt8(ascii: ".") { start += 1 }
      if start < index { return (String(decoding: text[start..<index], as: UTF8.self), index) }
    }
    return nil
  }

  /// The index of the value after an operator behind a name; nil if there is none, or if it is not a secret: empty,
  /// null, or a file name.
  func value(after end: Int) -> Int? {
    var index = end
    while index < text.count {
      guard let next = "\"'])".utf8.contains(text[index]) ? index + 1 : blank(at: index) else { break }
      index = next
    }
    let signs = text[index...].prefix(while: Self.isSign)
    if signs.isEmpty {
      guard blank(at: end) != nil else { return nil }
      var word = letters(at: index)
      if word.elementsEqual("not".utf8) {
        index = afterBlanks(index + word.count)
        word = letters(at: index)
      }
      guard Self.operators.contains(word) else { return nil }
      index += word.count
    } else {
      index = signs.endIndex
    }
    index = afterBlanks(index)
    let rest = text[index...]
    if rest.isEmpty || rest.first == UInt8(ascii: "@") { return nil }
    let isNone = rest.count <= 7 && ["null", "missing"].contains(String(decoding: rest, as: UTF8.self).lowercased())
    return isNone ? nil : index
  }

  /// The lowercase letters at an index, one more than the longest operator has.
  private func letters(at index: Int) -> [UInt8] {
    text[index...].prefix(Self.longest + 1).prefix { (0x41...0x5A).contains($0 & 0xDF) }.map { $0 | 0x20 }
  }

  private func afterBlanks(_ start: Int) -> Int {
    var index = start
    while let next = blank(at: index) { index = next }
    return index
  }

  /// The index behind a character of a name; nil for any other character.
  private func name(at index: Int) -> Int? {
    let byte = text[index]
    guard byte >= 128 else {
      let isPart = (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF) || "_-.".utf8.contains(byte)
      return isPart ? index + 1 : nil
    }
    guard let (scalar, next) = scalar(at: index) else { return nil }
    let properties = scalar.properties
    let isMark = [.nonspacingMark, .spacingMark, .enclosingMark].contains(properties.generalCategory)
    return properties.isAlphabetic || properties.numericType != nil || isMark ? next : nil
  }

  /// The index behind white space; nil for anything else.
  private func blank(at index: Int) -> Int? {
    guard index < text.count else { return nil }
    let byte = text[index]
    guard byte >= 128 else { return byte == 0x20 || (0x09...0x0D).contains(byte) ? index + 1 : nil }
    return scalar(at: index).flatMap { $0.properties.isWhitespace ? $1 : nil }
  }

  private func scalar(at index: Int) -> (Unicode.Scalar, Int)? {
    var decoder = Unicode.UTF8.ForwardParser()
    var bytes = text[index...].prefix(4).makeIterator()
    guard case .valid(let encoded) = decoder.parseScalar(from: &bytes) else { return nil }
    return (Unicode.UTF8.decode(encoded), index + encoded.count)
  }
}
