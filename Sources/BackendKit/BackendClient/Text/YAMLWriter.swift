public import BackendKit

/// Writes values as YAML 1.2 in block style that readers of version 1.1 understand in the same way.
///
/// Texts that could be read as something else are in double quotes, with the escapes of JSON. Numbers keep their
/// spelling.
public struct YAMLWriter {
  /// The bytes written so far.
  public private(set) var bytes: [UInt8] = []
  private let listsOnOneLine: Bool

  /// An empty writer. With `listsOnOneLine`, lists without nested lists and objects are written as `[a, b]`.
  public init(listsOnOneLine: Bool = false) { self.listsOnOneLine = listsOnOneLine }

  /// The text of a value, without a final line feed.
  public static func text(_ value: Value, listsOnOneLine: Bool = false) -> String {
    var writer = YAMLWriter(listsOnOneLine: listsOnOneLine)
    writer.write(value, level: 0)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  /// Appends raw text.
  public mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

  /// Appends a value on the current line; `level` is the indentation of the lines that follow.
  public mutating func write(_ value: Value, level: Int) {
    switch value {
    case .null: append("null")
    case .bool(let value): append(value ? "true" : "false")
    case .number(let number): append(number.text)
    case .string(let text): write(text)
    case .array(let elements) where isOneLine(elements):
      append("[")
      for (index, element) in elements.enumerated() {
        if index > 0 { append(", ") }
        write(element, level: level)
      }
      append("]")
    case .array(let elements):
      for (index, element) in elements.enumerated() {
        if index > 0 { newLine(level) }
        append("- ")
        write(element, level: level + 1)
      }
    case .object(let object):
      guard !object.isEmpty else { return append("{}") }
      for (index, (name, member)) in object.members.enumerated() {
        if index > 0 { newLine(level) }
        write(name, member, level: level)
      }
    }
  }

  private mutating func write(_ name: String, _ member: Value, level: Int) {
    // Readers search for the colon of a name on the same line, and no further than this.
    if name.utf8.count > 256 {
      append("? ")
      write(name)
      newLine(level)
    } else {
      write(name)
    }
    append(":")
    switch member {
    case .array(let elements) where !isOneLine(elements): newLine(level + 1)
    case .object(let object) where !object.isEmpty: newLine(level + 1)
    default: append(" ")
    }
    write(member, level: level + 1)
  }

  private func isOneLine(_ elements: [Value]) -> Bool {
    elements.isEmpty || listsOnOneLine && elements.allSatisfy { $0.array == nil && $0.object == nil }
  }

  private mutating func newLine(_ level: Int) {
    bytes.append(0x0A)
    bytes.append(contentsOf: repeatElement(0x20, count: level * 2))
  }

  // MARK: Texts

  /// Appends a text.
  public mutating func write(_ text: String) {
    if Self.isPlain(text) { return append(text) }
    bytes.append(UInt8(ascii: "\""))
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x22: append("\\\"")
      case 0x5C: append("\\\\")
      case 0x0A: append("\\n")
      case 0x0D: append("\\r")
      case 0x09: append("\\t")
      // Line ends and YAML indicators beyond ASCII, and characters that YAML does not allow.
      case 0x00...0x1F, 0x7F...0x9F, 0x2028, 0x2029, 0xFEFF, 0xFFFE, 0xFFFF:
        append("\\u" + String(hex: scalar.value, digits: 4))
      default: bytes.append(contentsOf: UTF8.encode(scalar).map { Array($0) } ?? [])
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  /// Returns whether every reader takes the unquoted text for itself.
  private static func isPlain(_ text: String) -> Bool {
    guard let first = text.unicodeScalars.first, first.properties.isAlphabetic || first == "/",
      text.utf8.last != 0x20, !words.contains(text.lowercased())
    else { return false }
    return text.unicodeScalars.allSatisfy { scalar in
      // Invisible characters have to be escaped for a terminal, which is possible only in quotes.
      scalar.properties.isAlphabetic && !scalar.properties.isDefaultIgnorableCodePoint
        || " _-./0123456789".unicodeScalars.contains(scalar)
    }
  }

  /// Words with another meaning to readers of one version or another.
  private static let words: Set<String> = ["null", "true", "false", "yes", "no", "on", "off", "y", "n", "nan", "inf"]
}
