/// Goes over the text of an object and finds its values.
struct PackedScanner {
  /// The deepest nesting of lists and objects that is scanned.
  private static let mostDepth = 16
  private static let mostNames = 32

  private let bytes: UnsafeBufferPointer<UInt8>
  private let deepest: Int
  private var at = 0
  /// True if there are blanks outside strings.
  private(set) var hasBlanks = false
  /// True if there are bytes beyond ASCII, which have to be validated separately.
  private(set) var isForeign = false

  init(_ bytes: UnsafeBufferPointer<UInt8>, depth: Int) {
    self.bytes = bytes
    deepest = min(depth, Self.mostDepth)
  }

  /// Finds the values of these members in this order; returns the length of the object.
  mutating func members(_ names: [String], to values: UnsafeMutableBufferPointer<Range<Int>>) -> Int? {
    guard take(UInt8(ascii: "{")) else { return nil }
    for (place, name) in names.enumerated() {
      if place > 0 { guard take(UInt8(ascii: ",")) else { return nil } }
      guard take(UInt8(ascii: "\"")), self.name(name), take(UInt8(ascii: ":")), let value = value() else { return nil }
      values[place] = value
    }
    return take(UInt8(ascii: "}")) ? at : nil
  }

  /// Takes a byte, and blanks before it.
  private mutating func take(_ byte: UInt8) -> Bool {
    skipBlanks()
    guard at < bytes.count, bytes[at] == byte else { return false }
    at += 1
    return true
  }

  private mutating func skipBlanks() {
    while at < bytes.count, bytes[at] <= 0x20 {
      // Anything else is found to be wrong by what comes next.
      guard [0x20, 0x09, 0x0A, 0x0D].contains(bytes[at]) else { return }
      hasBlanks = true
      at += 1
    }
  }

  /// Takes a name that is written as it is, and the quote that ends it.
  private mutating func name(_ name: String) -> Bool {
    let length = name.utf8.count
    guard at + length < bytes.count, bytes[at + length] == UInt8(ascii: "\"") else { return false }
    let written = UnsafeBufferPointer(rebasing: bytes[at..<at + length])
    guard name.hasBytes(written), TextScan.writtenAsIs(written) == length else { return false }
    at += length + 1
    return true
  }

  private mutating func value() -> Range<Int>? {
    skipBlanks()
    let start = at
    guard at < bytes.count else { return nil }
    switch bytes[at] {
    case UInt8(ascii: "\""): return text() ? start..<at : nil
    case UInt8(ascii: "-"), 0x30...0x39: return number() ? start..<at : nil
    case UInt8(ascii: "t"): return word("true") ? start..<at : nil
    case UInt8(ascii: "f"): return word("false") ? start..<at : nil
    case UInt8(ascii: "n"): return word("null") ? start..<at : nil
    case UInt8(ascii: "{"), UInt8(ascii: "["): return nested(0) ? start..<at : nil
    default: return nil
    }
  }

  /// Takes a list or an object as the writer writes it.
  private mutating func nested(_ depth: Int) -> Bool {
    guard depth < deepest else { return false }
    let isObject = bytes[at] == UInt8(ascii: "{")
    let end = isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")
    at += 1
    if at < bytes.count, bytes[at] == end {
      at += 1
      return true
    }
    // Names that came already: of a few it is quickly seen that they differ.
    var names: [Range<Int>] = []
    while true {
      if isObject {
        let start = at
        guard at < bytes.count, bytes[at] == UInt8(ascii: "\""), text() else { return false }
        let name = start..<at
        guard names.count < Self.mostNames, !names.contains(where: { bytes[$0].elementsEqual(bytes[name]) }),
          at < bytes.count, bytes[at] == UInt8(ascii: ":")
        else { return false }
        names.append(name)
        at += 1
      }
      guard at < bytes.count, bytes[at] > 0x20, element(depth), at < bytes.count else { return false }
      let next = bytes[at]
      at += 1
      if next == end { return true }
      guard next == UInt8(ascii: ",") else { return false }
    }
  }

  private mutating func element(_ depth: Int) -> Bool {
    if bytes[at] == UInt8(ascii: "{") || bytes[at] == UInt8(ascii: "[") { return nested(depth + 1) }
    return value() != nil
  }

  /// Takes a text in the spelling of the writer.
  private mutating func text() -> Bool {
    at += 1
    let start = at
    while true {
      at += TextScan.writtenAsIs(UnsafeBufferPointer(rebasing: bytes[at...]))
      guard at < bytes.count else { return false }
      if bytes[at] == UInt8(ascii: "\"") { break }
      guard at + 1 < bytes.count else { return false }
      let next = bytes[at + 1]
      let isPlain =
        switch bytes[at] {
        case UInt8(ascii: "\\"): [0x22, 0x5C, 0x6E, 0x72, 0x74].contains(next)
        case 0xC2: next >= 0xA0
        default: false
        }
      guard isPlain else { return false }
      at += 2
    }
    if !isForeign { isForeign = !TextScan.isASCII(UnsafeBufferPointer(rebasing: bytes[start..<at])) }
    at += 1
    return true
  }

  private mutating func number() -> Bool {
    let start = at
    while at < bytes.count, JSONReader.isNumberByte(bytes[at]) { at += 1 }
    return at < bytes.count && Number.isValid(UnsafeBufferPointer(rebasing: bytes[start..<at]))
  }

  private mutating func word(_ word: StaticString) -> Bool {
    let end = at + word.utf8CodeUnitCount
    let expected = UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
    guard end < bytes.count, bytes[at..<end].elementsEqual(expected) else { return false }
    at = end
    return true
  }
}
