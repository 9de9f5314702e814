package import BackendKit

extension Cell {
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
