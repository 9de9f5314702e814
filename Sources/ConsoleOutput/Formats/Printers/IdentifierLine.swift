package import ConsoleSystem

/// An identifier as a line of text: printed by `-o id`, and read back by `--from` as the same identifier.
///
/// A backslash, a tab and both line ends are written as `\\`, `\t`, `\n` and `\r`. If the first character other than a
/// space is one that begins JSON, `{`, `[` or `"`, it gets a backslash, so that no identifier reads like a record.
/// Spaces belong to the identifier.
package enum IdentifierLine {
  /// The line without its end; at a terminal, invisible characters are also escaped.
  package static func written(_ identifier: String, isTerminal: Bool) -> String {
    var line = SeparatedPrinter.escaped(identifier, isTerminal: false)
    if let index = placeOfJSON(line.utf8) { line = line[..<index] + "\\" + line[index...] }
    // At the beginning of a file it would be taken for a byte-order mark.
    if line.unicodeScalars.first == "\u{FEFF}" {
      line = "\\u{feff}" + line.unicodeScalars.dropFirst().map(String.init).joined()
    }
    return isTerminal ? Escaping.text(line) : line
  }

  /// The identifier in a line, including a terminal's escapes of invisible characters, `\x1b` and `\u{202e}`.
  package static func read(_ line: ArraySlice<UInt8>) throws(UsageError) -> String {
    if let index = placeOfJSON(line) {
      let sign = String(decoding: [line[index]], as: UTF8.self)
      throw UsageError(
        "a line that begins with \(sign) is not an identifier",
        hint: "--input json reads JSON objects; an identifier that begins with \(sign) is written \\\(sign)")
    }
    var bytes: [UInt8] = []
    var rest = line
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "\\") { bytes += try escaped(&rest) } else { bytes.append(byte) }
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw UsageError(
        "the identifier is not valid UTF-8 at byte \((TextBytes.invalidPlace(in: line) ?? 0) + 1)")
    }
    return text
  }

  /// Returns the index of the character that would begin a JSON text; nil if the line begins with another.
  package static func placeOfJSON<Bytes: Collection<UInt8>>(_ line: Bytes) -> Bytes.Index? {
    guard let index = line.firstIndex(where: { $0 != 0x20 && $0 != 0x09 }), "{[\"".utf8.contains(line[index]) else {
      return nil
    }
    return index
  }

  /// Decodes the rest of an escape sequence, after the backslash.
  private static func escaped(_ rest: inout ArraySlice<UInt8>) throws(UsageError) -> [UInt8] {
    switch rest.popFirst() {
    case UInt8(ascii: "t"): return [0x09]
    case UInt8(ascii: "n"): return [0x0A]
    case UInt8(ascii: "r"): return [0x0D]
    case let byte? where "\\{[\"".utf8.contains(byte): return [byte]
    case UInt8(ascii: "x"):
      let digits = rest.prefix(2)
      rest = rest.dropFirst(2)
      if digits.count == 2, let scalar = scalar(digits) { return Array(String(scalar).utf8) }
    case UInt8(ascii: "u") where rest.first == UInt8(ascii: "{"):
      let digits = rest.dropFirst().prefix { $0 != UInt8(ascii: "}") }
      guard (1...6).contains(digits.count), digits.endIndex < rest.endIndex else { break }
      rest = rest[(digits.endIndex + 1)...]
      if let scalar = scalar(digits) { return Array(String(scalar).utf8) }
    default: break
    }
    throw UsageError(
      "the identifier has a backslash that is not part of an escape",
      hint: #"a backslash is written \\; the escapes are \\, \t, \n, \r, \{, \[, \", \xHH and \u{HEX}"#)
  }

  private static func scalar(_ digits: ArraySlice<UInt8>) -> Unicode.Scalar? {
    UInt32(String(decoding: digits, as: UTF8.self), radix: 16).flatMap(Unicode.Scalar.init)
  }
}
