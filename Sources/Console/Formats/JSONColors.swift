import BackendKit

/// Colors a JSON document, or a part of one that ends with a whole value: names, numbers, booleans, nulls, dates and
/// addresses as in a table.
enum JSONColors {
  /// The document in the colors of a theme. It was made fit to be shown before.
  static func painted(_ document: String, _ theme: Theme) -> String {
    if theme.isPlain { return document }
    var result = ""
    var rest = document[...]
    while let byte = rest.utf8.first {
      let token: Substring
      switch byte {
      case UInt8(ascii: "\""):
        token = text(rest)
        let isName = rest[token.endIndex...].utf8.first == UInt8(ascii: ":")
        result += theme.paint(token, isName ? .name : role(ofText: token.dropFirst().dropLast()))
      case UInt8(ascii: "-"), 0x30...0x39, 0x61...0x7A:
        token = word(rest)
        result += theme.paint(token, role(ofWord: token))
      default:
        token = rest.prefix { !isBeginning($0.utf8.first ?? 0) }
        result += token
      }
      rest = rest[token.endIndex...]
    }
    return result
  }

  private static func isBeginning(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "-") || (0x30...0x39).contains(byte)
      || (0x61...0x7A).contains(byte)
  }

  private static func text(_ document: Substring) -> Substring {
    var isEscaped = false
    var index = document.utf8.index(after: document.startIndex)
    while index < document.endIndex {
      let byte = document.utf8[index]
      index = document.utf8.index(after: index)
      if isEscaped {
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if byte == UInt8(ascii: "\"") {
        break
      }
    }
    return document[..<index]
  }

  private static func word(_ document: Substring) -> Substring {
    let end = document.utf8.firstIndex { byte in
      !isBeginning(byte) && ![UInt8(ascii: "."), UInt8(ascii: "+"), UInt8(ascii: "E")].contains(byte)
    }
    return document[..<(end ?? document.endIndex)]
  }

  private static func role(ofText text: Substring) -> Theme.Role? {
    text.isEmpty ? nil : Cell.role(.value(.string(String(text))), kind: nil)
  }

  private static func role(ofWord word: Substring) -> Theme.Role {
    switch word {
    case "null": .mark
    case "true", "false": .boolean
    default: .number
    }
  }
}
