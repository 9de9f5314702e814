public import BackendKit

/// Writes values as YAML that ``DescriptionText`` reads again as the same values: members in their order, a line each,
/// every text in double quotes unless nothing else could be read for it.
public enum YAMLWriter {
  /// The text of a document.
  public static func text(_ value: Value) -> String {
    var text = ""
    write(value, indentation: 0, to: &text)
    return text.hasPrefix("\n") ? String(text.dropFirst()) : text + "\n"
  }

  private static func write(_ value: Value, indentation: Int, to text: inout String) {
    let indent = "\n" + String(repeating: "  ", count: indentation)
    switch value {
    case .object(let object) where !object.isEmpty:
      for (name, member) in object.members {
        text += indent + scalar(name) + ":"
        write(under: member, indentation: indentation, to: &text)
      }
      if indentation == 0 { text += "\n" }
    case .array(let elements) where !elements.isEmpty:
      if elements.allSatisfy({ $0.object == nil && $0.array == nil }) {
        text += flow(value)
        return
      }
      for element in elements {
        text += indent + "-"
        write(under: element, indentation: indentation, to: &text)
      }
      if indentation == 0 { text += "\n" }
    default: text += flow(value)
    }
  }

  private static func write(under value: Value, indentation: Int, to text: inout String) {
    switch value {
    case .object(let object) where !object.isEmpty: write(value, indentation: indentation + 1, to: &text)
    case .array(let elements) where elements.contains { $0.object != nil || $0.array != nil }:
      write(value, indentation: indentation + 1, to: &text)
    default: text += " " + flow(value)
    }
  }

  /// A value on one line.
  private static func flow(_ value: Value) -> String {
    switch value {
    case .string(let text): scalar(text)
    case .array(let elements): "[" + elements.map(flow).joined(separator: ", ") + "]"
    case .object, .null, .bool, .number: JSONWriter.compact(value)
    }
  }

  /// A text, in quotes unless it is one or more plain words.
  static func scalar(_ text: String) -> String {
    let isPlain =
      text.utf8.first.map { byte in (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == 0x2F }
      == true
      && text.utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
          || "_-./".utf8.contains(byte)
      } && CoreSchema.isText(text)
    return isPlain ? text : quoted(text)
  }

  /// A text in double quotes, with every character escaped that YAML does not print.
  private static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x22: quoted += "\\\""
      case 0x5C: quoted += "\\\\"
      case 0x0A: quoted += "\\n"
      case 0x20...0x7E, 0xA0...0x2027, 0x202A...0xD7FF, 0xE000...0xFEFE, 0xFF00...0xFFFD, 0x1_0000...0x10_FFFF:
        quoted.unicodeScalars.append(scalar)
      default: quoted += "\\U" + hex(scalar.value, digits: 8)
      }
    }
    return quoted + "\""
  }

  private static func hex(_ number: UInt32, digits: Int) -> String {
    let text = String(number, radix: 16, uppercase: true)
    return String(repeating: "0", count: digits - text.utf8.count) + text
  }
}
