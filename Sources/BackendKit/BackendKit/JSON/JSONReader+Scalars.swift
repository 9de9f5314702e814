/// Texts, numbers and words.
extension JSONReader {
  mutating func openString() {
    text.removeAll(keepingCapacity: true)
    isFlawed = false
    state = .string
  }

  /// Reads a run of text and its delimiter; returns the number of bytes.
  mutating func takeText(
    _ bytes: UnsafeBufferPointer<UInt8>, _ emitted: inout [Value]
  ) throws(JSONError) -> Int {
    let length = TextScan.readAsIs(bytes)
    if length > 0 { try endSurrogate() }
    let run = UnsafeBufferPointer(rebasing: bytes[..<length])
    guard length < bytes.count else {
      text.append(contentsOf: run)
      return length
    }
    offset += length
    switch bytes[length] {
    case UInt8(ascii: "\""):
      try endSurrogate()
      if text.isEmpty {
        try closeString(run, &emitted)
      } else {
        text.append(contentsOf: run)
        try closeText(&emitted)
      }
    case UInt8(ascii: "\\"):
      text.append(contentsOf: run)
      state = .escape
    default:
      try pass("a string contains an unescaped control character")
      text.append(contentsOf: run)
    }
    return length + 1
  }

  private mutating func closeText(_ emitted: inout [Value]) throws(JSONError) {
    let text = text
    try text.withUnsafeBufferPointer { bytes in
      Result { () throws(JSONError) in try closeString(bytes, &emitted) }
    }.get()
  }

  private mutating func closeString(
    _ bytes: UnsafeBufferPointer<UInt8>, _ emitted: inout [Value]
  ) throws(JSONError) {
    let top = stack.count - 1
    if isName, stack[top].members.openExpected(bytes) {
      state = .colon
      return
    }
    let valid = String(validating: bytes, as: UTF8.self)
    if valid == nil { try pass("a string is not valid UTF-8") }
    let string = valid ?? String(decoding: bytes, as: UTF8.self)
    if isName {
      if refusesDuplicates, stack[top].members.has(string) {
        throw fail("the name \"\(Self.shortened(string))\" appears twice in an object")
      }
      stack[top].members.open(string)
      state = .colon
    } else {
      add(isFlawed ? .null : .string(string), &emitted)
    }
  }

  /// Passes the first half of a surrogate pair that the second half does not follow.
  private mutating func endSurrogate() throws(JSONError) {
    guard highSurrogate != 0 else { return }
    highSurrogate = 0
    try replaceSurrogate()
  }

  /// Puts a replacement character in the place of half a surrogate pair.
  private mutating func replaceSurrogate() throws(JSONError) {
    try pass("a string contains a lone surrogate", isLost: isName)
    text.append(contentsOf: "\u{FFFD}".utf8)
  }

  /// The beginning of a name, for messages.
  static func shortened(_ name: String) -> String { name.count > 60 ? String(name.prefix(60)) + "…" : name }

  /// Reads one byte of an escape or literal.
  mutating func takeScalarByte(_ byte: UInt8, _ emitted: inout [Value]) throws(JSONError) {
    switch state {
    case .escape: try takeEscape(byte)
    case .unicode: try takeHexDigit(byte)
    default:
      text.append(byte)
      try closeLiteral(&emitted)
    }
  }

  private mutating func takeEscape(_ byte: UInt8) throws(JSONError) {
    if byte == UInt8(ascii: "u") {
      hexDigits = 0
      codeUnit = 0
      state = .unicode
      return
    }
    try endSurrogate()
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0C)
    case UInt8(ascii: "n"): text.append(0x0A)
    case UInt8(ascii: "r"): text.append(0x0D)
    case UInt8(ascii: "t"): text.append(0x09)
    default: try pass("a string contains an unknown escape")
    }
    state = .string
  }

  private mutating func takeHexDigit(_ byte: UInt8) throws(JSONError) {
    switch byte {
    case 0x30...0x39: codeUnit = codeUnit << 4 | UInt32(byte - 0x30)
    case 0x41...0x46: codeUnit = codeUnit << 4 | UInt32(byte - 0x37)
    case 0x61...0x66: codeUnit = codeUnit << 4 | UInt32(byte - 0x57)
    default: throw fail("an escape in a string has an invalid hexadecimal digit")
    }
    hexDigits += 1
    guard hexDigits == 4 else { return }
    state = .string
    if !(0xDC00...0xDFFF ~= codeUnit) { try endSurrogate() }
    switch (codeUnit, highSurrogate) {
    case (0xD800...0xDBFF, _):
      highSurrogate = codeUnit
      return
    case (0xDC00...0xDFFF, 1...):
      codeUnit = 0x10000 + (highSurrogate - 0xD800) << 10 + (codeUnit - 0xDC00)
      highSurrogate = 0
    case (0xDC00...0xDFFF, _): return try replaceSurrogate()
    default: break
    }
    guard let scalar = Unicode.Scalar(codeUnit) else { throw fail("an escape in a string is not a valid character") }
    if let encoded = UTF8.encode(scalar) { text.append(contentsOf: encoded) }
  }

  /// Reads a run of digits, but not the byte that ends it. Returns the number of bytes.
  mutating func takeNumber(
    _ bytes: UnsafeBufferPointer<UInt8>, _ emitted: inout [Value]
  ) throws(JSONError) -> Int {
    var length = 0
    while length < bytes.count, JSONReader.isNumberByte(bytes[length]) { length += 1 }
    text.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[..<length]))
    guard length < bytes.count else { return length }
    offset += length
    let text = text
    try text.withUnsafeBufferPointer { number in
      Result { () throws(JSONError) in try closeNumber(number, &emitted) }
    }.get()
    return length
  }

  static func isNumberByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x2B, 0x2D, 0x2E, 0x45, 0x65: true
    default: false
    }
  }

  mutating func closeNumber(
    _ bytes: UnsafeBufferPointer<UInt8>, _ emitted: inout [Value]
  ) throws(JSONError) {
    guard let number = Number(bytes: bytes) else { return try openWord("a number is not valid") }
    add(.number(number), &emitted)
  }

  private mutating func closeLiteral(_ emitted: inout [Value]) throws(JSONError) {
    switch (text.count, text.first) {
    case (4, UInt8(ascii: "t")) where text.elementsEqual("true".utf8): add(true, &emitted)
    case (5, UInt8(ascii: "f")) where text.elementsEqual("false".utf8): add(false, &emitted)
    case (4, UInt8(ascii: "n")) where text.elementsEqual("null".utf8): add(.null, &emitted)
    case (...3, _), (4, UInt8(ascii: "f")): break
    default: try openWord("expected a value, found an unknown word")
    }
  }

  /// Begins to pass over a word that is no value, such as `NaN`, whose first bytes are in the text.
  mutating func openWord(_ reason: String) throws(JSONError) {
    guard passesFlaws, emitDepth > 0 else { throw fail(reason) }
    state = .word
  }

  /// Reads the rest of such a word, but not the byte that ends it. Returns the number of bytes.
  mutating func takeWord(_ bytes: UnsafeBufferPointer<UInt8>, _ emitted: inout [Value]) throws(JSONError) -> Int {
    let length = bytes.firstIndex(where: Self.endsWord) ?? bytes.count
    text.append(contentsOf: bytes[..<length].prefix(max(0, 40 - text.count)))
    guard length < bytes.count else { return length }
    offset += length
    try pass("\(String(decoding: text, as: UTF8.self)) is not a value of JSON")
    add(.null, &emitted)
    return length
  }

  /// Returns whether a byte ends a word: white space, or one that has a meaning between values.
  static func endsWord(_ byte: UInt8) -> Bool { byte <= 0x20 || "\"[]{}:,".utf8.contains(byte) }
}
