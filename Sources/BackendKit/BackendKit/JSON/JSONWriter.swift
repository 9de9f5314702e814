/// Writes values as JSON: valid UTF-8, numbers unchanged, non-ASCII unescaped, `/` unescaped.
public enum JSONWriter {
  /// The text on one line without spaces.
  public static func compact(_ value: Value) -> String {
    var bytes: [UInt8] = []
    write(value, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The text on several lines, indented by two spaces per level.
  public static func indented(_ value: Value) -> String {
    var bytes: [UInt8] = []
    write(value, indentation: 0, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends the text on one line without spaces.
  public static func write(_ value: Value, to bytes: inout [UInt8]) {
    switch value {
    case .null: bytes.append(contentsOf: "null".utf8)
    case .bool(let value): bytes.append(contentsOf: (value ? "true" : "false").utf8)
    case .number(let number): bytes.append(contentsOf: number.text.utf8)
    case .string(let text): write(text, to: &bytes)
    case .array(let elements):
      bytes.append(UInt8(ascii: "["))
      for (place, element) in elements.enumerated() {
        if place > 0 { bytes.append(UInt8(ascii: ",")) }
        write(element, to: &bytes)
      }
      bytes.append(UInt8(ascii: "]"))
    case .object(let object):
      if let packed = object.packed {
        packed.withText { bytes.append(contentsOf: $0) }
        return
      }
      bytes.append(UInt8(ascii: "{"))
      for (place, (name, member)) in object.members.enumerated() {
        if place > 0 { bytes.append(UInt8(ascii: ",")) }
        write(name, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        write(member, to: &bytes)
      }
      bytes.append(UInt8(ascii: "}"))
    }
  }

  /// Appends the text on several lines; `indentation` is the level of the value.
  public static func write(_ value: Value, indentation: Int, to bytes: inout [UInt8]) {
    switch value {
    case .array(let elements):
      var list = List(indentation: indentation)
      for element in elements { list.add(element, to: &bytes) }
      list.end(to: &bytes)
    case .object(let object) where !object.isEmpty:
      bytes.append(UInt8(ascii: "{"))
      for (place, name) in object.names.enumerated() {
        if place > 0 { bytes.append(UInt8(ascii: ",")) }
        newLine(indentation + 1, to: &bytes)
        write(name, to: &bytes)
        bytes.append(contentsOf: ": ".utf8)
        object.write(at: place, indentation: indentation + 1, to: &bytes)
      }
      newLine(indentation, to: &bytes)
      bytes.append(UInt8(ascii: "}"))
    default: write(value, to: &bytes)
    }
  }

  /// Writes a list on several lines element by element, with the same result as for the whole list.
  public struct List: Sendable {
    private let indentation: Int
    /// True until an element is added.
    public private(set) var isEmpty = true

    /// An empty list; `indentation` is its level.
    public init(indentation: Int = 0) { self.indentation = indentation }

    /// Appends an element, with a separator after the previous one.
    public mutating func add(_ element: Value, to bytes: inout [UInt8]) {
      bytes.append(isEmpty ? UInt8(ascii: "[") : UInt8(ascii: ","))
      isEmpty = false
      JSONWriter.newLine(indentation + 1, to: &bytes)
      JSONWriter.write(element, indentation: indentation + 1, to: &bytes)
    }

    /// Appends the end.
    public func end(to bytes: inout [UInt8]) {
      if isEmpty { bytes.append(UInt8(ascii: "[")) } else { JSONWriter.newLine(indentation, to: &bytes) }
      bytes.append(UInt8(ascii: "]"))
    }
  }

  private static func newLine(_ level: Int, to bytes: inout [UInt8]) {
    bytes.append(0x0A)
    bytes.append(contentsOf: repeatElement(0x20, count: level * 2))
  }

  /// Appends a text in quotes. Control characters, including U+007F to U+009F, are escaped, so that a document shown in
  /// a terminal cannot move its cursor.
  public static func write(_ text: String, to bytes: inout [UInt8]) {
    var text = text
    bytes.append(UInt8(ascii: "\""))
    text.withUTF8 { utf8 in
      var rest = utf8[...]
      while !rest.isEmpty {
        let run = TextScan.writtenAsIs(UnsafeBufferPointer(rebasing: rest))
        bytes.append(contentsOf: rest.prefix(run))
        rest = rest.dropFirst(run)
        rest = rest.dropFirst(escape(rest, to: &bytes))
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  /// Appends the escape of the first character, or the character itself if it needs none; returns its length.
  private static func escape(_ rest: Slice<UnsafeBufferPointer<UInt8>>, to bytes: inout [UInt8]) -> Int {
    guard let first = rest.first else { return 0 }
    switch first {
    case 0x22, 0x5C: bytes.append(contentsOf: [UInt8(ascii: "\\"), first])
    case 0x0A: bytes.append(contentsOf: "\\n".utf8)
    case 0x0D: bytes.append(contentsOf: "\\r".utf8)
    case 0x09: bytes.append(contentsOf: "\\t".utf8)
    case 0xC2:
      // The first of the two bytes of U+0080 to U+00BF; the second one is the code point.
      guard let second = rest.dropFirst().first else { return 1 }
      if second < 0xA0 { appendCode(second, to: &bytes) } else { bytes.append(contentsOf: [first, second]) }
      return 2
    default: appendCode(first, to: &bytes)
    }
    return 1
  }

  private static func appendCode(_ code: UInt8, to bytes: inout [UInt8]) {
    bytes.append(contentsOf: ("\\u" + String(hex: code, digits: 4)).utf8)
  }
}
