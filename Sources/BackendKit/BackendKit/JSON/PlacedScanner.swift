/// Finds where the parts of a JSON text stand.
///
/// `JSONReader` judges the grammar first, so what is walked here is known to be valid: this only counts lines and
/// refuses a name that an object holds twice, of which the reader would take the last.
public struct PlacedScanner {
  /// What is wrong with a text, and where.
  public struct Mistake: Error, Sendable, Hashable {
    /// Where it is wrong.
    public var place: TextPlace
    /// The names that lead to it.
    public var path: [String]
    /// What is wrong, as a clause.
    public var message: String
    /// What would be right, as a clause, or nil.
    public var hint: String?
  }

  private let bytes: [UInt8]
  private var at = 0
  private var line = 1
  private var lineStart = 0
  // The last place that was asked for: a file may be one line, which is not counted from its beginning each time.
  private var counted = (offset: 0, column: 1)

  private init(_ bytes: [UInt8]) {
    self.bytes = bytes
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
      at = 3
      lineStart = 3
      counted.offset = 3
    }
  }

  /// The document with its places; throws where it is no JSON, or a name stands twice in an object.
  public static func scan(
    _ bytes: [UInt8], limits: JSONReader.Limits = JSONReader.Limits()
  ) throws(Mistake) -> PlacedValue {
    do { _ = try JSONReader.read(bytes, limits: limits) } catch {
      let place = TextPlace(offset: error.offset, in: bytes)
      throw Mistake(
        place: place, path: [], message: "this is not JSON: \(error.reason) (column \(place.column))",
        hint: hint(for: bytes, at: error.offset))
    }
    var scanner = PlacedScanner(bytes)
    return try scanner.value([])
  }

  /// What would be right, for the mistakes that are made most.
  private static func hint(for bytes: [UInt8], at offset: Int) -> String? {
    if bytes.allSatisfy({ " \t\r\n".utf8.contains($0) }) { return nil }
    guard bytes.indices.contains(offset) else { return "is a bracket or a quote not closed?" }
    switch bytes[offset] {
    case UInt8(ascii: "/"), UInt8(ascii: "#"): return "JSON has no comments"
    case UInt8(ascii: "}"), UInt8(ascii: "]"):
      let before = bytes[..<offset].last { !" \t\r\n".utf8.contains($0) }
      return before == UInt8(ascii: ",") ? "no comma is allowed after the last element" : nil
    case UInt8(ascii: "'"): return "strings must be in double quotes"
    default: return nil
    }
  }

  private mutating func place() -> TextPlace {
    if counted.offset < lineStart { counted = (lineStart, 1) }
    counted.column += bytes[counted.offset..<at].count { $0 & 0xC0 != 0x80 }
    counted.offset = at
    return TextPlace(line: line, column: counted.column)
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 }

  private mutating func skipSpace() {
    while at < bytes.count, Self.isSpace(bytes[at]) {
      at += 1
      if bytes[at - 1] == 0x0A {
        line += 1
        lineStart = at
      }
    }
  }

  /// Passes over one byte of structure where it is there.
  private mutating func take(_ byte: Unicode.Scalar) -> Bool {
    skipSpace()
    guard at < bytes.count, bytes[at] == UInt8(ascii: byte) else { return false }
    at += 1
    return true
  }

  private mutating func value(_ path: [String]) throws(Mistake) -> PlacedValue {
    skipSpace()
    let place = place()
    if take("{") { return PlacedValue(place: place, content: .object(try members(path))) }
    guard take("[") else { return PlacedValue(place: place, content: .scalar(scalar())) }
    var elements: [PlacedValue] = []
    while !take("]") {
      elements.append(try value(path + [String(elements.count)]))
      _ = take(",")
    }
    return PlacedValue(place: place, content: .array(elements))
  }

  private mutating func members(_ path: [String]) throws(Mistake) -> [PlacedValue.Member] {
    var members: [PlacedValue.Member] = []
    var lines: [String: Int] = [:]
    while !take("}") {
      skipSpace()
      let place = place()
      let name = scalar().text ?? ""
      if let first = lines.updateValue(place.line, forKey: name) {
        throw Mistake(
          place: place, path: path + [name], message: "duplicate name", hint: "first defined on line \(first)")
      }
      _ = take(":")
      members.append(PlacedValue.Member(name: name, place: place, value: try value(path + [name])))
      _ = take(",")
    }
    return members
  }

  private mutating func scalar() -> Value {
    let start = at
    if bytes[at] == UInt8(ascii: "\"") {
      at += 1
      while bytes[at] != UInt8(ascii: "\"") { at += bytes[at] == UInt8(ascii: "\\") ? 2 : 1 }
      at += 1
    } else {
      while at < bytes.count, !Self.ends.contains(bytes[at]) { at += 1 }
    }
    return (try? JSONReader.read(bytes[start..<at])) ?? .null
  }

  private static let ends = Array(" \t\r\n,]}:".utf8)
}
