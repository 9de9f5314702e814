package import BackendKit

/// The one-line text of a field for people.
package enum Cell {
  static let null = "null"
  static let empty = "\"\""
  static let absent = "-"
  static let unloaded = "not loaded"

  /// The text of a field. One that looks like a mark is put in quotes.
  package static func text(_ state: FieldState, kind: FieldDescription.Kind?) -> String {
    switch state {
    case .absent: absent
    case .unloaded: unloaded
    case .value(.string(let text)): Cell.text(kind == .html ? HTMLText.oneLine(text) : Escaping.text(text))
    case .value(.array(let elements)): Escaping.text(JSONWriter.compact(.array(elements)))
    case .value(.object(let object)): Escaping.text(JSONWriter.compact(.object(object)))
    case .value(let value): scalar(value)
    }
  }

  /// An escaped text, quoted if it looks like a mark.
  static func text(_ visible: String) -> String {
    switch visible {
    case "": empty
    case null, absent, unloaded: "\"" + visible + "\""
    default: visible
    }
  }

  /// A null, boolean or number; anything else as JSON.
  static func scalar(_ value: Value) -> String {
    switch value {
    case .null: null
    case .bool(let value): value ? "true" : "false"
    case .number(let number): number.text
    default: JSONWriter.compact(value)
    }
  }

  /// Returns the color role of a field; nil for plain text.
  package static func role(_ state: FieldState, kind: FieldDescription.Kind?) -> Theme.Role? {
    switch state {
    case .absent, .unloaded, .value(.null): .mark
    case .value(.number): .number
    case .value(.bool): .boolean
    case .value(.string(let text)): role(of: text, kind: kind)
    case .value(.array), .value(.object): nil
    }
  }

  private static func role(of text: String, kind: FieldDescription.Kind?) -> Theme.Role? {
    if text.isEmpty { return .mark }
    if kind == .date || kind == .day || isDate(text.utf8) { return .date }
    return kind != .html && isAddress(text) ? .link : nil
  }

  /// Returns whether a text is a URL that could be opened, and nothing else.
  static func isAddress(_ text: String) -> Bool {
    guard ["http://", "https://", "mailto:"].contains(where: { text.utf8.starts(with: $0.utf8) }) else { return false }
    return text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F }
  }

  // 2026-11-21, with a time after it or without.
  private static func isDate(_ text: String.UTF8View) -> Bool {
    guard text.count >= 10, text.count <= 40 else { return false }
    for (index, byte) in text.enumerated() {
      switch index {
      case 4, 7: guard byte == UInt8(ascii: "-") else { return false }
      case 10: return byte == UInt8(ascii: "T") || byte == UInt8(ascii: " ") && text.count >= 16
      default: guard (0x30...0x39).contains(byte) else { return false }
      }
    }
    return true
  }
}
