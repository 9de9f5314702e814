/// Scans the text of an object for its members.
struct PackedScanner {
  /// The deepest nesting of lists and objects that is scanned.
  private static let mostDepth = 16
  private static let mostNames = 32

  private let bytes: UnsafeBufferPointer<UInt8>
  private let depth: Int
  private var at = 0
  /// True if there are blanks outside strings.
  private var hasBlanks = false
  /// True if there are bytes beyond ASCII, which have to be validated separately.
  private(set) var isForeign = false
  /// True if the value being scanned has to be decoded to get the writer's spelling.
  private var isOdd = false
  /// The members with such values, one bit each.
  private var odd: UInt64 = 0

  init(_ bytes: UnsafeBufferPointer<UInt8>, depth: Int) {
    self.bytes = bytes
    self.depth = depth
  }

  /// True if the text has the writer's spelling.
  var isPacked: Bool { !hasBlanks && odd == 0 }

  /// Finds the values of all members, and returns their names and the length of the object. `known` are the expected
  /// names, in the expected order.
  mutating func members(
    _ known: MemberNames, to values: UnsafeMutableBufferPointer<Range<Int>>
  ) -> (names: MemberNames, length: Int)? {
    guard known.count <= values.count, take(UInt8(ascii: "{")) else { return nil }
    // Created once a name is not in its place.
    var own: [String]?
    var count = 0
    repeat {
      skipBlanks()
      if own == nil, count < known.count, known.isName(at: count, in: bytes, from: at) {
        at += known.length(at: count)
      } else {
        guard count < values.count, let name = name(among: known.all) else { return nil }
        if own != nil || count >= known.count || !known.all[count].hasSameBytes(as: name) {
          var names = own ?? Array(known.all.prefix(count))
          own = nil
          // If a name is repeated, the last value counts, at the place of the first.
          if names.contains(where: { $0.hasSameBytes(as: name) }) { return nil }
          names.append(name)
          own = names
        }
      }
      guard let value = value() else { return nil }
      values[count] = value
      if isOdd { odd |= 1 << UInt64(count) }
      isOdd = false
      count += 1
    } while take(UInt8(ascii: ","))
    guard take(UInt8(ascii: "}")) else { return nil }
    if own == nil, count == known.count { return (known, at) }
    return (MemberNames(own ?? Array(known.all.prefix(count))), at)
  }

  /// Reads a byte, and white space before it.
  private mutating func take(_ byte: UInt8) -> Bool {
    skipBlanks()
    guard at < bytes.count, bytes[at] == byte else { return false }
    at += 1
    return true
  }

  @inline(__always)
  private mutating func skipBlanks() {
    if at < bytes.count, bytes[at] <= 0x20 { skipMoreBlanks() }
  }

  private mutating func skipMoreBlanks() {
    while at < bytes.count, bytes[at] <= 0x20 {
      // Anything else fails in the next step.
      guard [0x20, 0x09, 0x0A, 0x0D].contains(bytes[at]) else { return }
      hasBlanks = true
      at += 1
    }
  }

  /// Reads a name without escapes, and its colon.
  private mutating func name(among known: [String]) -> String? {
    guard take(UInt8(ascii: "\"")) else { return nil }
    let rest = UnsafeBufferPointer(rebasing: bytes[at...])
    let length = TextScan.writtenAsIs(rest)
    guard length < rest.count, rest[length] == UInt8(ascii: "\"") else { return nil }
    let written = UnsafeBufferPointer(rebasing: rest[..<length])
    at += length + 1
    guard take(UInt8(ascii: ":")) else { return nil }
    return known.first { $0.hasBytes(written) } ?? String(validating: written, as: UTF8.self)
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

  private mutating func nested(_ level: Int) -> Bool {
    guard level < min(depth, Self.mostDepth) else { return false }
    let isObject = bytes[at] == UInt8(ascii: "{")
    let end = isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")
    at += 1
    if take(end) { return true }
    // The names so far; a few are compared quickly.
    var names: [Range<Int>] = []
    repeat {
      skipBlanks()
      if isObject {
        let start = at
        guard at < bytes.count, bytes[at] == UInt8(ascii: "\""), text() else { return false }
        let name = start..<at
        if names.count == Self.mostNames || names.contains(where: { bytes[$0].elementsEqual(bytes[name]) }) {
          isOdd = true
        } else {
          names.append(name)
        }
        guard take(UInt8(ascii: ":")) else { return false }
        skipBlanks()
      }
      guard at < bytes.count, element(level) else { return false }
    } while take(UInt8(ascii: ","))
    return take(end)
  }

  private mutating func element(_ level: Int) -> Bool {
    if bytes[at] == UInt8(ascii: "{") || bytes[at] == UInt8(ascii: "[") { return nested(level + 1) }
    return value() != nil
  }

  /// Reads a text, which makes the value odd if the writer spells it differently.
  private mutating func text() -> Bool {
    at += 1
    let start = at
    while true {
      at += TextScan.writtenAsIs(UnsafeBufferPointer(rebasing: bytes[at...]))
      guard at < bytes.count else { return false }
      if bytes[at] == UInt8(ascii: "\"") { break }
      guard at + 1 < bytes.count else { return false }
      let next = bytes[at + 1]
      switch bytes[at] {
      case UInt8(ascii: "\\"):
        if ![0x22, 0x5C, 0x6E, 0x72, 0x74].contains(next) { isOdd = true }
        at += 2
      case 0xC2 where next >= 0x80:
        if next < 0xA0 { isOdd = true }
        at += 2
      case 0x7F:
        isOdd = true
        at += 1
      default: return false
      }
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

extension PackedScanner {
  /// Returns the object in the writer's spelling, and sets the places of its values; nil if one of them is invalid.
  func written(_ names: MemberNames, _ values: UnsafeMutableBufferPointer<Range<Int>>) -> [UInt8]? {
    var text: [UInt8] = []
    text.reserveCapacity(at)
    for (place, name) in names.all.enumerated() {
      text.append(place == 0 ? UInt8(ascii: "{") : UInt8(ascii: ","))
      text.append(UInt8(ascii: "\""))
      text.append(contentsOf: name.utf8)
      text.append(contentsOf: "\":".utf8)
      let start = text.count
      let value = UnsafeBufferPointer(rebasing: bytes[values[place]])
      if odd >> UInt64(place) & 1 == 1 {
        guard let read = try? JSONReader.read(value, limits: JSONReader.Limits(depth: depth)) else { return nil }
        JSONWriter.write(read, to: &text)
      } else if hasBlanks, value[0] == UInt8(ascii: "{") || value[0] == UInt8(ascii: "[") {
        Self.append(value, to: &text)
      } else {
        text.append(contentsOf: value)
      }
      values[place] = start..<text.count
    }
    text.append(UInt8(ascii: "}"))
    return text
  }

  /// Appends a list or object without white space outside its texts.
  private static func append(_ value: UnsafeBufferPointer<UInt8>, to text: inout [UInt8]) {
    var (run, place, isText) = (0, 0, false)
    while place < value.count {
      switch value[place] {
      case UInt8(ascii: "\""): isText.toggle()
      case UInt8(ascii: "\\"): place += 1
      case ...0x20 where !isText:
        text.append(contentsOf: value[run..<place])
        run = place + 1
      default: break
      }
      place += 1
    }
    text.append(contentsOf: value[run...])
  }
}
