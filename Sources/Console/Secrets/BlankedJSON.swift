import BackendKit

/// Takes the values of secret names out of JSON text without reading it as a document: its layout stays as it is, and it may
/// have been cut anywhere.
struct BlankedJSON {
  private let bytes: [UInt8]
  private let isSecret: (String) -> Bool
  private var index = 0
  private var result: [UInt8] = []
  private var copied = 0
  private var found: [String] = []

  /// The text with such values replaced; itself where there are none. Adds the texts that were replaced to those found.
  static func text(_ bytes: [UInt8], isSecret: (String) -> Bool, _ found: inout [String]) -> [UInt8] {
    withoutActuallyEscaping(isSecret) { isSecret in
      var blanked = BlankedJSON(bytes: bytes, isSecret: isSecret)
      defer { found += blanked.found }
      return blanked.run()
    }
  }

  private init(bytes: [UInt8], isSecret: @escaping (String) -> Bool) {
    self.bytes = bytes
    self.isSecret = isSecret
  }

  private mutating func run() -> [UInt8] {
    while index < bytes.count {
      guard bytes[index] == UInt8(ascii: "\"") else {
        index += 1
        continue
      }
      let name = skipText()
      skipSpace()
      guard index < bytes.count, bytes[index] == UInt8(ascii: ":"), isSecret(Self.plain(bytes[name])) else { continue }
      index += 1
      blankValue()
    }
    return copied == 0 ? bytes : result + bytes[copied...]
  }

  /// Takes out all texts and numbers of the value that begins here.
  private mutating func blankValue() {
    var depth = 0
    repeat {
      skipSpace()
      guard index < bytes.count else { return }
      let start = index
      switch bytes[index] {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        index += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        index += 1
      case UInt8(ascii: ","), UInt8(ascii: ":"): index += 1
      case UInt8(ascii: "\""):
        let text = skipText()
        skipSpace()
        // Names stay: they tell what was there.
        if depth > 0, index < bytes.count, bytes[index] == UInt8(ascii: ":") { continue }
        found.append(Self.plain(bytes[text]))
        replace(start..<endOfText(from: start))
      case UInt8(ascii: "-"), 0x30...0x39:
        while index < bytes.count, "+-.eE0123456789".utf8.contains(bytes[index]) { index += 1 }
        replace(start..<index)
      default:
        index += 1
        while index < bytes.count, (0x61...0x7A).contains(bytes[index]) { index += 1 }
      }
    } while depth > 0
  }

  private func endOfText(from start: Int) -> Int {
    var other = self
    other.index = start
    _ = other.skipText()
    return other.index
  }

  private mutating func replace(_ range: Range<Int>) {
    result += bytes[copied..<range.lowerBound]
    result += Array("\"\(Blanking.mark)\"".utf8)
    copied = range.upperBound
  }

  /// Goes behind the text that begins here; returns where its content stands.
  private mutating func skipText() -> Range<Int> {
    let start = index + 1
    index = start
    while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
      index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    let end = min(index, bytes.count)
    index = min(index + 1, bytes.count)
    return min(start, end)..<end
  }

  private mutating func skipSpace() {
    while index < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[index]) { index += 1 }
  }

  /// A name with its escapes undone where it has any.
  private static func plain(_ bytes: ArraySlice<UInt8>) -> String {
    let text = String(decoding: bytes, as: UTF8.self)
    guard bytes.contains(UInt8(ascii: "\\")) else { return text }
    return (try? JSONReader.read("\"\(text)\""))?.text ?? text
  }
}

extension Object {
  /// The object with each text in it, at any depth, passed through `blank`, but for the members that are named.
  func blanked(except own: Set<String>, _ blank: (String) -> String) -> Object {
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
