/// Locates the parts of a JSON text.
///
/// `JSONReader` validates first, so the tokens of `JSONTokens` are known to be valid: this only counts lines and
/// refuses repeated names, of which the reader would take the last.
public struct LocatingScanner {
  /// An error in a text, with its place.
  public struct Mistake: Error, Sendable, Hashable {
    /// The place of the error.
    public var place: TextPlace
    /// The names that lead to it.
    public var path: [String]
    /// The problem, as a clause.
    public var message: String
    /// A hint at the correct form, as a clause, or nil.
    public var hint: String?
  }

  private var tokens: JSONTokens
  // The place of the last requested byte; requests only ascend.
  private var counted: (offset: Int, place: TextPlace)

  private init(_ bytes: [UInt8]) {
    tokens = JSONTokens(bytes)
    counted = (tokens.at, TextPlace(line: 1, column: 1))
  }

  /// The document with its places. Throws if it is not JSON, or an object repeats a name.
  public static func scan(
    _ bytes: [UInt8], limits: JSONReader.Limits = JSONReader.Limits()
  ) throws(Mistake) -> LocatedValue {
    do { _ = try JSONReader.read(bytes, limits: limits) } catch {
      let place = TextPlace(offset: error.offset, in: bytes)
      throw Mistake(
        place: place, path: [], message: "this is not JSON: \(error.reason) (column \(place.column))",
        hint: hint(for: bytes, at: error.offset))
    }
    var scanner = LocatingScanner(bytes)
    return try scanner.value(scanner.tokens.next(), [])
  }

  /// Returns a hint at the correct form, for the most common errors.
  private static func hint(for bytes: [UInt8], at offset: Int) -> String? {
    if bytes.allSatisfy({ " \t\r\n".utf8.contains($0) }) { return nil }
    guard bytes.indices.contains(offset) else { return "is there an unclosed bracket or quote?" }
    switch bytes[offset] {
    case UInt8(ascii: "/"), UInt8(ascii: "#"): return "JSON has no comments"
    case UInt8(ascii: "}"), UInt8(ascii: "]"):
      let before = bytes[..<offset].last { !" \t\r\n".utf8.contains($0) }
      return before == UInt8(ascii: ",") ? "no comma is allowed after the last element" : nil
    case UInt8(ascii: "'"): return "strings must be in double quotes"
    default: return nil
    }
  }

  private mutating func place(of offset: Int) -> TextPlace {
    for byte in tokens.bytes[counted.offset..<offset] {
      if byte == 0x0A {
        counted.place.line += 1
        counted.place.column = 1
      } else if byte & 0xC0 != 0x80 {
        counted.place.column += 1
      }
    }
    counted.offset = offset
    return counted.place
  }

  private mutating func value(_ token: JSONTokens.Token?, _ path: [String]) throws(Mistake) -> LocatedValue {
    let start = token?.range.lowerBound ?? tokens.at
    let place = place(of: start)
    let content: LocatedValue.Content =
      switch token?.kind {
      case .openBrace?: .object(try members(path))
      case .openBracket?: .array(try elements(path))
      default: .scalar(token.map(scalar) ?? .null)
      }
    return LocatedValue(place: place, range: start..<tokens.at, content: content)
  }

  private mutating func elements(_ path: [String]) throws(Mistake) -> [LocatedValue] {
    var elements: [LocatedValue] = []
    while let token = tokens.next(), token.kind != .closeBracket {
      if token.kind != .comma { elements.append(try value(token, path + [String(elements.count)])) }
    }
    return elements
  }

  private mutating func members(_ path: [String]) throws(Mistake) -> [LocatedValue.Member] {
    var members: [LocatedValue.Member] = []
    var lines: [String: Int] = [:]
    while let token = tokens.next(), token.kind != .closeBrace {
      if token.kind == .comma { continue }
      let place = place(of: token.range.lowerBound)
      let name = scalar(token).text ?? ""
      if let first = lines.updateValue(place.line, forKey: name) {
        throw Mistake(
          place: place, path: path + [name], message: "duplicate name", hint: "first defined on line \(first)")
      }
      // The colon.
      _ = tokens.next()
      members.append(LocatedValue.Member(name: name, place: place, value: try value(tokens.next(), path + [name])))
    }
    return members
  }

  private func scalar(_ token: JSONTokens.Token) -> Value {
    (try? JSONReader.read(tokens.bytes[token.range])) ?? .null
  }
}
