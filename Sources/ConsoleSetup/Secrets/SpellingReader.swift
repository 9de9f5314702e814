/// Reads text of unknown notation: a byte may stand for itself or belong to an escape of JSON, of an address or form,
/// of HTML, of a language of conditions (`''`, `!'`) or of quoted-printable, possibly escaped twice.
struct SpellingReader {
  /// The bytes read at an index, and the index after them.
  struct Unit: Hashable {
    var bytes: [UInt8]
    var next: Int

    /// True if it is a line break of quoted-printable, which is not part of the text.
    var isSoftBreak: Bool { bytes.isEmpty }
    var isLineBreak: Bool { bytes == [0x0A] || bytes == [0x0D] }
  }

  /// The number of times that a text may have been escaped.
  static let layers = 2

  let text: [UInt8]

  /// Returns whether a byte may be the beginning of an escape.
  static func isSpecial(_ byte: UInt8) -> Bool {
    isEscape(byte) || byte == UInt8(ascii: "'") || byte == UInt8(ascii: "!")
  }

  /// Returns whether a byte may begin an escape of JSON, an address or HTML.
  static func isEscape(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "\\") || byte == UInt8(ascii: "%") || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "&")
  }

  /// Returns whether a byte has several readings, including those of quoted-printable and wrapped lines.
  static func hasSpellings(_ byte: UInt8) -> Bool {
    isSpecial(byte) || byte == UInt8(ascii: "=") || byte == 0x0A || byte == 0x0D
  }

  /// All readings at an index, including quoted-printable: a soft line break reads as nothing.
  func spellings(at index: Int) -> [Unit] {
    let found = units(at: index)
    guard index < text.count, text[index] == UInt8(ascii: "=") else { return found }
    if let byte = hex(2, at: index + 1) { return found + [Unit(bytes: [UInt8(byte & 255)], next: index + 3)] }
    return found + lineBreaks(at: index + 1).map { Unit(bytes: [], next: $0) }
  }

  /// The indices after a line break of any kind at an index.
  private func lineBreaks(at index: Int) -> [Int] {
    units(at: index).flatMap { unit -> [Int] in
      switch unit.bytes {
      case [0x0A]: return [unit.next]
      case [0x0D]: return units(at: unit.next).filter { $0.bytes == [0x0A] }.map(\.next)
      default: return []
      }
    }
  }

  /// All readings at an index; empty at the end.
  func units(at index: Int, layers: Int = layers) -> [Unit] {
    guard index < text.count else { return [] }
    let plain = Unit(bytes: [text[index]], next: index + 1)
    guard layers > 0, Self.isSpecial(text[index]) else { return [plain] }
    var found = units(at: index, layers: layers - 1)
    for unit in found {
      switch unit.bytes {
      case [UInt8(ascii: "%")]:
        if let byte = hex(2, at: unit.next) { found.append(Unit(bytes: [UInt8(byte & 255)], next: unit.next + 2)) }
      case [UInt8(ascii: "+")]: found.append(Unit(bytes: [0x20], next: unit.next))
      case [UInt8(ascii: "\\")]: found += escapes(at: unit.next, layers: layers - 1)
      case [UInt8(ascii: "&")]: if let unit = entity(at: unit.next) { found.append(unit) }
      // Quotes are doubled in SQL and OData, and escaped by ! in Rison, as ! itself is.
      case [UInt8(ascii: "'")]: found += units(at: unit.next, layers: layers - 1).filter { $0.bytes == unit.bytes }
      case [UInt8(ascii: "!")]:
        let escaped = [unit.bytes, [UInt8(ascii: "'")]]
        found += units(at: unit.next, layers: layers - 1).filter { escaped.contains($0.bytes) }
      default: break
      }
    }
    return found
  }

  /// The text with every escape decoded.
  func plain(layers: Int) -> [UInt8] {
    var plain: [UInt8] = []
    var index = 0
    while index < text.count {
      guard Self.isSpecial(text[index]), let unit = units(at: index, layers: layers).last else {
        plain.append(text[index])
        index += 1
        continue
      }
      plain += unit.bytes
      index = unit.next
    }
    return plain
  }

  /// Reads an escape of JSON or Swift (`\u{F6}`) after its backslash.
  private func escapes(at index: Int, layers: Int) -> [Unit] {
    units(at: index, layers: layers).compactMap { unit in
      guard unit.bytes.count == 1 else { return nil }
      switch unit.bytes[0] {
      case UInt8(ascii: "u"): return codePoint(at: unit.next, layers: layers)
      case UInt8(ascii: "n"): return Unit(bytes: [0x0A], next: unit.next)
      case UInt8(ascii: "r"): return Unit(bytes: [0x0D], next: unit.next)
      case UInt8(ascii: "t"): return Unit(bytes: [0x09], next: unit.next)
      case UInt8(ascii: "b"): return Unit(bytes: [0x08], next: unit.next)
      case UInt8(ascii: "f"): return Unit(bytes: [0x0C], next: unit.next)
      // In languages of conditions, any sign: wildcards, operators.
      case 0x21...0x2F, 0x3A...0x40, 0x5B...0x60, 0x7B...0x7E: return unit
      default: return nil
      }
    }
  }

  private func codePoint(at index: Int, layers: Int) -> Unit? {
    if index < text.count, text[index] == UInt8(ascii: "{") {
      let digits = text[(index + 1)...].prefix(7).prefix { $0 != UInt8(ascii: "}") }
      guard digits.endIndex < text.count, text[digits.endIndex] == UInt8(ascii: "}"),
        let number = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
      else { return nil }
      return unit(number, next: digits.endIndex + 1)
    }
    guard let high = hex(4, at: index) else { return nil }
    guard (0xD800..<0xDC00).contains(high) else { return unit(high, next: index + 4) }
    // The low surrogate of a character beyond the first 65536.
    for unit in units(at: index + 4, layers: layers) where unit.bytes == [UInt8(ascii: "\\")] {
      guard unit.next < text.count, text[unit.next] == UInt8(ascii: "u"), let low = hex(4, at: unit.next + 1),
        (0xDC00..<0xE000).contains(low)
      else { continue }
      return self.unit(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00), next: unit.next + 5)
    }
    return nil
  }

  /// Reads an entity after its ampersand: `&quot;`, `&#39;` or `&#x27;`.
  private func entity(at index: Int) -> Unit? {
    let name = text[min(index, text.count)...].prefix(9).prefix { $0 != UInt8(ascii: ";") }
    guard name.endIndex < text.count, text[name.endIndex] == UInt8(ascii: ";") else { return nil }
    let next = name.endIndex + 1
    switch String(decoding: name, as: UTF8.self).lowercased() {
    case "amp": return Unit(bytes: [UInt8(ascii: "&")], next: next)
    case "lt": return Unit(bytes: [UInt8(ascii: "<")], next: next)
    case "gt": return Unit(bytes: [UInt8(ascii: ">")], next: next)
    case "quot": return Unit(bytes: [UInt8(ascii: "\"")], next: next)
    case "apos": return Unit(bytes: [UInt8(ascii: "'")], next: next)
    case let number where number.hasPrefix("#x"):
      return UInt32(number.dropFirst(2), radix: 16).flatMap { unit($0, next: next) }
    case let number where number.hasPrefix("#"): return UInt32(number.dropFirst()).flatMap { unit($0, next: next) }
    default: return nil
    }
  }

  private func unit(_ number: UInt32, next: Int) -> Unit? {
    Unicode.Scalar(number).map { Unit(bytes: Array(String(Character($0)).utf8), next: next) }
  }

  private func hex(_ count: Int, at index: Int) -> UInt32? {
    guard index + count <= text.count else { return nil }
    var number: UInt32 = 0
    for byte in text[index..<index + count] {
      switch byte {
      case 0x30...0x39: number = number << 4 | UInt32(byte - 0x30)
      case 0x41...0x46: number = number << 4 | UInt32(byte - 0x41 + 10)
      case 0x61...0x66: number = number << 4 | UInt32(byte - 0x61 + 10)
      default: return nil
      }
    }
    return number
  }
}
