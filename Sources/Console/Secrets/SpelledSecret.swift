/// A secret as it is looked for in a text, in whatever spelling: with escapes, or within what was encoded in base64 or in
/// hexadecimal.
struct SpelledSecret: Sendable, Hashable {
  private enum Spelling: Sendable, Hashable { case text, base64, hexadecimal }

  private let bytes: [UInt8]
  private let spelling: Spelling

  private init(_ bytes: [UInt8], _ spelling: Spelling) {
    self.bytes = bytes
    self.spelling = spelling
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
        Array(digits[(shift * 8 + 5) / 6..<(shift + bytes.count) * 8 / 6]).map(standard), .base64)
    }
    let hexadecimal = bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    return [SpelledSecret(bytes, .text)] + encoded + [SpelledSecret(hexadecimal, .hexadecimal)]
  }

  private static let digits = Array("0123456789abcdef".utf8)

  /// The keys of all that a text can begin with where it holds this; none if it is shorter than a key.
  var keys: [UInt32] {
    guard bytes.count >= SpellingReader.keyLength else { return [] }
    return bytes[..<SpellingReader.keyLength].reduce(into: [0]) { keys, byte in
      keys = keys.flatMap { key in forms(of: byte).map { key << 8 | UInt32($0) } }
    }
  }

  /// The bytes that stand for one in a text.
  private func forms(of byte: UInt8) -> [UInt8] {
    switch (spelling, byte) {
    case (.base64, UInt8(ascii: "+")): [byte, UInt8(ascii: "-")]
    case (.base64, UInt8(ascii: "/")): [byte, UInt8(ascii: "_")]
    case (.hexadecimal, 0x61...0x66): [byte, byte - 0x20]
    default: [byte]
    }
  }

  /// What is taken out where the text holds this at an index: nil where it does not.
  func range(in reader: SpellingReader, at start: Int) -> Range<Int>? {
    guard let end = end(in: reader, at: start) else { return nil }
    let text = reader.text
    switch spelling {
    case .hexadecimal: return start..<end
    case .base64:
      // What is encoded beside it is taken along: a user's name, the ends of the secret.
      var (first, last) = (start, end)
      while first > 0, Self.isDigit(text[first - 1]) || Self.escaped(text, at: first - 1) > 0 { first -= 1 }
      while last < text.count {
        let count = Self.isDigit(text[last]) ? 1 : Self.escaped(text, at: last)
        if count == 0 { break }
        last += count
      }
      return first..<last
    case .text:
      // A backslash that is left alone would escape what takes the secret's place.
      let slashes = text[..<start].reversed().prefix { $0 == UInt8(ascii: "\\") }.count
      return start - slashes % 2..<end
    }
  }

  private func end(in reader: SpellingReader, at start: Int) -> Int? {
    let text = reader.text
    var places = [(matched: 0, index: start)]
    var seen: Set<SIMD2<Int>> = []
    var end: Int?
    while var (matched, index) = places.popLast() {
      while matched < bytes.count, index < text.count, bytes[matched] == plain(text[index]),
        !SpellingReader.hasSpellings(text[index])
      {
        matched += 1
        index += 1
      }
      if matched == bytes.count {
        // The longest: the end of an escape is not to be left behind.
        end = max(end ?? 0, index)
        continue
      }
      if matched >= leastBeforeCut, text[index...].starts(with: Self.cut) { end = max(end ?? 0, index) }
      guard index < text.count, SpellingReader.hasSpellings(text[index]), seen.insert([matched, index]).inserted else {
        continue
      }
      for unit in reader.spellings(at: index) {
        // Nothing is passed over before the first byte, and line breaks only in what was encoded, which is wrapped.
        let isPassed = matched > 0 && (unit.isSoftBreak || spelling != .text && unit.isLineBreak)
        if isPassed { places.append((matched, unit.next)) }
        guard !unit.bytes.isEmpty, bytes[matched...].starts(with: unit.bytes.map(plain)) else { continue }
        places.append((matched + unit.bytes.count, unit.next))
      }
    }
    return end
  }

  /// The mark of a text that was cut, before which a secret may have lost its end.
  private static let cut = Array("…".utf8)

  /// So many bytes of a cut secret are taken out: fewer say little of it.
  private var leastBeforeCut: Int { spelling == .text ? SecretNames.minimumLength : 2 * SecretNames.minimumLength }

  private func plain(_ byte: UInt8) -> UInt8 {
    switch spelling {
    case .text: byte
    case .base64: Self.standard(byte)
    case .hexadecimal: (0x41...0x46).contains(byte) ? byte + 0x20 : byte
    }
  }

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
