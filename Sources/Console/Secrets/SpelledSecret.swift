/// A secret as it is looked for in a text, in whatever spelling: with escapes, or within what was encoded in base64.
struct SpelledSecret: Sendable, Hashable {
  private let bytes: [UInt8]
  /// Whether the bytes are what base64, of either alphabet, makes of the secret.
  private let isBase64: Bool

  private init(_ bytes: [UInt8], isBase64: Bool) {
    self.bytes = bytes
    self.isBase64 = isBase64
  }

  /// All that is looked for of one secret, the secret itself first.
  ///
  /// Base64 writes a text in three ways, by its place among what is encoded with it. The characters at its ends depend on its
  /// neighbors, too, and are left out.
  static func all(of secret: String) -> [SpelledSecret] {
    let bytes = Array(secret.utf8)
    let encoded = (0..<3).map { shift in
      let digits = Array(Base64.encode([UInt8](repeating: 0, count: shift) + bytes).utf8)
      return SpelledSecret(
        Array(digits[(shift * 8 + 5) / 6..<(shift + bytes.count) * 8 / 6]).map(standard), isBase64: true)
    }
    return [SpelledSecret(bytes, isBase64: false)] + encoded
  }

  /// The bytes that a text can begin with where it holds this.
  var beginnings: [UInt8] {
    guard let first = bytes.first else { return [] }
    guard isBase64 else { return [first] }
    return [first] + (first == UInt8(ascii: "+") ? [UInt8(ascii: "-")] : [])
      + (first == UInt8(ascii: "/") ? [UInt8(ascii: "_")] : [])
  }

  /// What is taken out where the text holds this at an index: nil where it does not.
  func range(in reader: SpellingReader, at start: Int) -> Range<Int>? {
    guard let end = end(in: reader, at: start) else { return nil }
    let text = reader.text
    if isBase64 {
      // What is encoded beside it is taken along: a user's name, the ends of the secret.
      var (first, last) = (start, end)
      while first > 0, Self.isDigit(text[first - 1]) || Self.escaped(text, at: first - 1) > 0 { first -= 1 }
      while last < text.count {
        let count = Self.isDigit(text[last]) ? 1 : Self.escaped(text, at: last)
        if count == 0 { break }
        last += count
      }
      return first..<last
    }
    // A backslash that is left alone would escape what takes the secret's place.
    let slashes = text[..<start].reversed().prefix { $0 == UInt8(ascii: "\\") }.count
    return start - slashes % 2..<end
  }

  private func end(in reader: SpellingReader, at start: Int) -> Int? {
    let text = reader.text
    var places = [(matched: 0, index: start)]
    var seen: Set<SIMD2<Int>> = []
    var end: Int?
    while var (matched, index) = places.popLast() {
      while matched < bytes.count, index < text.count, bytes[matched] == plain(text[index]),
        !SpellingReader.isSpecial(text[index])
      {
        matched += 1
        index += 1
      }
      if matched == bytes.count {
        // The longest: the end of an escape is not to be left behind.
        end = max(end ?? 0, index)
        continue
      }
      guard index < text.count, SpellingReader.isSpecial(text[index]), seen.insert([matched, index]).inserted else {
        continue
      }
      for unit in reader.units(at: index) where bytes[matched...].starts(with: unit.bytes.map(plain)) {
        places.append((matched + unit.bytes.count, unit.next))
      }
    }
    return end
  }

  private func plain(_ byte: UInt8) -> UInt8 { isBase64 ? Self.standard(byte) : byte }

  /// A digit of the alphabet for addresses as the other one has it.
  private static func standard(_ byte: UInt8) -> UInt8 {
    byte == UInt8(ascii: "-") ? UInt8(ascii: "+") : byte == UInt8(ascii: "_") ? UInt8(ascii: "/") : byte
  }

  /// How many bytes the escape of a digit has that begins at an index: `%2B`, `\/`; 0 where none does.
  private static func escaped(_ text: [UInt8], at index: Int) -> Int {
    let rest = String(decoding: text[index...].prefix(3), as: UTF8.self).uppercased()
    return rest.hasPrefix("\\/") ? 2 : ["%2B", "%2F", "%3D"].contains(rest) ? 3 : 0
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: "+/-_=".utf8.contains(byte)
    }
  }
}

/// The secrets that are looked for, by the bytes that they can begin with.
struct SpelledSecrets: Sendable {
  private var known: Set<String> = []
  private var beginnings = [[SpelledSecret]](repeating: [], count: 256)

  /// Looks for a text from now on.
  mutating func insert(_ secret: String) {
    guard known.insert(secret).inserted else { return }
    for spelled in SpelledSecret.all(of: secret) {
      for byte in spelled.beginnings { beginnings[Int(byte)].append(spelled) }
    }
  }

  /// A text with a mark in the place of each secret; itself where there is none.
  func replaced(in text: [UInt8], by mark: String) -> [UInt8] {
    if known.isEmpty { return text }
    let reader = SpellingReader(text: text)
    var result: [UInt8] = []
    var copied = 0
    var index = 0
    while index < text.count {
      let candidates =
        SpellingReader.isSpecial(text[index])
        ? reader.units(at: index).flatMap { $0.bytes.first.map { beginnings[Int($0)] } ?? [] }
        : beginnings[Int(text[index])]
      let ranges = candidates.compactMap { $0.range(in: reader, at: index) }
      guard let range = ranges.max(by: { $0.upperBound < $1.upperBound }) else {
        index += 1
        continue
      }
      let start = max(copied, ranges.map(\.lowerBound).min() ?? range.lowerBound)
      result += text[copied..<start]
      result += Array(mark.utf8)
      copied = range.upperBound
      index = copied
    }
    return copied == 0 ? text : result + text[copied...]
  }
}
