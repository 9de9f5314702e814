extension DemoJSON {
  /// The reason why bytes are not JSON, and the place.
  struct SyntaxError: Error, Sendable, CustomStringConvertible {
    var problem: String
    var offset: Int

    var description: String { "\(problem) at byte \(offset)" }
  }

  /// Reads one JSON text; anything but white space after it is an error. Of equal keys the last wins, at the place of
  /// the first. Invalid UTF-8 in a string is an error: a dialect that repairs it passes `Array(String(decoding: body,
  /// as: UTF8.self).utf8)`. A `\uD800` without its partner becomes U+FFFD, as in a UTF-8 writer.
  init(parsing bytes: [UInt8]) throws(SyntaxError) {
    var reader = JSONReader(bytes)
    self = try reader.document()
  }

  init(parsing text: String) throws(SyntaxError) {
    try self.init(parsing: Array(text.utf8))
  }
}

private struct JSONReader {
  let bytes: [UInt8]
  var at = 0
  var depth = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    // A byte-order mark is tolerated, as the real servers do.
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { at = 3 }
  }

  func error(_ problem: String) -> DemoJSON.SyntaxError { .init(problem: problem, offset: at) }

  var next: UInt8? { at < bytes.count ? bytes[at] : nil }

  mutating func skipSpace() {
    while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { at += 1 }
  }

  mutating func document() throws(DemoJSON.SyntaxError) -> DemoJSON {
    let result = try value()
    skipSpace()
    if next != nil { throw error("unexpected text after the value") }
    return result
  }

  mutating func value() throws(DemoJSON.SyntaxError) -> DemoJSON {
    skipSpace()
    switch next {
    case UInt8(ascii: "{"): return try nested { reader throws(DemoJSON.SyntaxError) in try reader.object() }
    case UInt8(ascii: "["): return try nested { reader throws(DemoJSON.SyntaxError) in try reader.array() }
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    case nil: throw error("unexpected end")
    default: return .number(try number())
    }
  }

  mutating func nested(
    _ read: (inout JSONReader) throws(DemoJSON.SyntaxError) -> DemoJSON
  ) throws(DemoJSON.SyntaxError) -> DemoJSON {
    depth += 1
    defer { depth -= 1 }
    if depth > 512 { throw error("nested too deeply") }
    at += 1
    return try read(&self)
  }

  mutating func word(_ word: String, _ value: DemoJSON) throws(DemoJSON.SyntaxError) -> DemoJSON {
    guard bytes[at...].starts(with: word.utf8) else { throw error("unexpected word") }
    at += word.utf8.count
    return value
  }

  mutating func object() throws(DemoJSON.SyntaxError) -> DemoJSON {
    var members: [DemoJSON.Member] = []
    var places: [String: Int] = [:]
    skipSpace()
    if take("}") { return .object(members) }
    while true {
      skipSpace()
      guard next == UInt8(ascii: "\"") else { throw error("expected a key") }
      let key = try string()
      skipSpace()
      guard take(":") else { throw error("expected a colon") }
      let member = DemoJSON.Member(key: key, value: try value())
      if let place = places[key] {
        members[place] = member
      } else {
        places[key] = members.count
        members.append(member)
      }
      skipSpace()
      if take("}") { return .object(members) }
      guard take(",") else { throw error("expected a comma or a brace") }
    }
  }

  mutating func array() throws(DemoJSON.SyntaxError) -> DemoJSON {
    var elements: [DemoJSON] = []
    skipSpace()
    if take("]") { return .array(elements) }
    while true {
      elements.append(try value())
      skipSpace()
      if take("]") { return .array(elements) }
      guard take(",") else { throw error("expected a comma or a bracket") }
    }
  }

  mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: scalar) else { return false }
    at += 1
    return true
  }

  mutating func number() throws(DemoJSON.SyntaxError) -> String {
    let start = at
    _ = take("-")
    if !take("0") { try digits() }
    if take(".") { try digits() }
    if take("e") || take("E") {
      if !take("+") { _ = take("-") }
      try digits()
    }
    return String(decoding: bytes[start..<at], as: UTF8.self)
  }

  mutating func digits() throws(DemoJSON.SyntaxError) {
    let start = at
    while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { at += 1 }
    if at == start { throw error("expected a digit") }
  }

  mutating func string() throws(DemoJSON.SyntaxError) -> String {
    at += 1
    var text: [UInt8] = []
    var runStart = at
    while let byte = next {
      switch byte {
      case UInt8(ascii: "\""):
        text += bytes[runStart..<at]
        at += 1
        guard let string = String(validating: text, as: UTF8.self) else { throw error("invalid UTF-8") }
        return string
      case UInt8(ascii: "\\"):
        text += bytes[runStart..<at]
        at += 1
        text += try escape()
        runStart = at
      case 0..<0x20: throw error("control character in a string")
      default: at += 1
      }
    }
    throw error("unterminated string")
  }

  mutating func escape() throws(DemoJSON.SyntaxError) -> [UInt8] {
    guard let byte = next else { throw error("unterminated escape") }
    at += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
    case UInt8(ascii: "b"): return [0x08]
    case UInt8(ascii: "f"): return [0x0C]
    case UInt8(ascii: "n"): return [0x0A]
    case UInt8(ascii: "r"): return [0x0D]
    case UInt8(ascii: "t"): return [0x09]
    case UInt8(ascii: "u"): return Array(String(try unicodeEscape()).utf8)
    default: throw error("unknown escape")
    }
  }

  mutating func unicodeEscape() throws(DemoJSON.SyntaxError) -> Unicode.Scalar {
    let unit = try hexUnit()
    if (0xD800..<0xDC00).contains(unit), next == UInt8(ascii: "\\"), at + 1 < bytes.count,
      bytes[at + 1] == UInt8(ascii: "u")
    {
      let back = at
      at += 2
      let low = try hexUnit()
      if (0xDC00..<0xE000).contains(low),
        let scalar = Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
      {
        return scalar
      }
      at = back
    }
    return Unicode.Scalar(unit) ?? "\u{FFFD}"
  }

  mutating func hexUnit() throws(DemoJSON.SyntaxError) -> UInt32 {
    guard at + 4 <= bytes.count,
      bytes[at..<at + 4].allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
      let unit = UInt32(String(decoding: bytes[at..<at + 4], as: UTF8.self), radix: 16)
    else { throw error("expected four hexadecimal digits") }
    at += 4
    return unit
  }
}
