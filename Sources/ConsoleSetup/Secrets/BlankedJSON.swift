package import BackendKit

/// Blanks the values of secret names in JSON text without parsing it as a document: its layout stays, and it may be
/// truncated.
struct BlankedJSON {
  private let isSecret: (String) -> Bool
  private let isKnown: (String) -> Bool
  /// True if the text may be prose, in which a word after a colon is not a value.
  private let isProse: Bool
  private var tokens: JSONTokens
  private var result: [UInt8] = []
  private var copied = 0
  private var found: [String] = []

  /// The text with such values and known numbers replaced; unchanged if there are none. Adds the texts that were
  /// replaced by their names to those found.
  static func text(
    _ bytes: [UInt8], isProse: Bool = false, isSecret: (String) -> Bool, isKnown: (String) -> Bool = { _ in false },
    _ found: inout [String]
  ) -> [UInt8] {
    withoutActuallyEscaping(isSecret) { isSecret in
      withoutActuallyEscaping(isKnown) { isKnown in
        var blanked = BlankedJSON(isSecret: isSecret, isKnown: isKnown, isProse: isProse, tokens: JSONTokens(bytes))
        defer { found += blanked.found }
        return blanked.run()
      }
    }
  }

  private init(
    isSecret: @escaping (String) -> Bool, isKnown: @escaping (String) -> Bool, isProse: Bool, tokens: JSONTokens
  ) {
    self.isSecret = isSecret
    self.isKnown = isKnown
    self.isProse = isProse
    self.tokens = tokens
  }

  private mutating func run() -> [UInt8] {
    while let token = tokens.next() {
      if token.kind == .word, token.range.count >= SecretNames.minimumLength,
        isKnown(String(decoding: tokens.bytes[token.range], as: UTF8.self))
      {
        replace(token.range)
        continue
      }
      guard token.kind == .text, tokens.isNext(.colon), isSecret(plain(token)) else { continue }
      _ = tokens.next()
      blankValue()
    }
    return copied == 0 ? tokens.bytes : result + tokens.bytes[copied...]
  }

  /// Blanks all texts and numbers of the next value.
  private mutating func blankValue() {
    var depth = 0
    repeat {
      guard let token = tokens.next() else { return }
      if token.opens { depth += 1 }
      if token.closes { depth -= 1 }
      switch token.kind {
      // Names are kept, since they show what was there.
      case .text where depth > 0 && tokens.isNext(.colon): break
      case .text:
        found.append(plain(token))
        replace(token.range)
      case .word where isValue(tokens.bytes[token.range]):
        replace(token.range)
      default: break
      }
    } while depth > 0
  }

  private func isValue(_ word: ArraySlice<UInt8>) -> Bool {
    if isProse { return word.first.map { $0 == UInt8(ascii: "-") || (0x30...0x39).contains($0) } ?? false }
    return !Self.literals.contains { word.elementsEqual($0.utf8) }
  }

  private static let literals = ["true", "false", "null"]

  private mutating func replace(_ range: Range<Int>) {
    result += tokens.bytes[copied..<range.lowerBound]
    result += Array("\"\(Blanking.mark)\"".utf8)
    copied = range.upperBound
  }

  /// A text without its quotes and escapes, as far as it is JSON; it may be truncated.
  private func plain(_ token: JSONTokens.Token) -> String {
    let bytes = tokens.bytes[token.range]
    let read = (try? JSONReader.read(bytes)) ?? (try? JSONReader.read(bytes + [UInt8(ascii: "\"")]))
    return read?.text ?? String(decoding: bytes.dropFirst(), as: UTF8.self)
  }
}

extension Object {
  /// The object with each text in it, at any depth, passed through `blank`, except for the named members.
  package func blanked(except own: Set<String>, _ blank: (String) -> String) -> Object {
    Object(members.map { ($0, own.contains($0) ? $1 : $1.blanked(blank)) })
  }
}

extension Value {
  fileprivate func blanked(_ blank: (String) -> String) -> Value {
    switch self {
    case .string(let text): .string(blank(text))
    case .array(let elements): .array(elements.map { $0.blanked(blank) })
    case .object(let object): .object(object.blanked(except: [], blank))
    case .null, .bool, .number: self
    }
  }
}
