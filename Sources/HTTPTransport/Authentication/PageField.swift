import BackendKit

/// Extracts the fields that a login needs from an HTML page. The page is read as text: nothing in it is executed, and
/// its addresses are ignored.
enum PageField {
  /// The value of the first `input` or `meta` element with a name; nil if there is none.
  static func value(of name: String, in page: [UInt8]) -> String? {
    elements(in: page).first { $0["name"] == name }.flatMap { $0["value"] ?? $0["content"] }
  }

  static func asksForPassword(_ page: [UInt8]) -> Bool {
    elements(in: page).contains { $0["type"]?.lowercased() == "password" }
  }

  /// The attributes of each `input` and `meta` element.
  private static func elements(in page: [UInt8]) -> [[String: String]] {
    var found: [[String: String]] = []
    var rest = page[...]
    while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
      rest = rest[(start + 1)...]
      if rest.starts(with: "!--".utf8) {
        while !rest.isEmpty, !rest.starts(with: "-->".utf8) { rest = rest.dropFirst() }
        continue
      }
      let name = take(&rest) { !isBlank($0) && !"/>".utf8.contains($0) }
      guard ["input", "meta"].contains(name.lowercased()) else { continue }
      found.append(attributes(&rest))
    }
    return found
  }

  private static func attributes(_ rest: inout ArraySlice<UInt8>) -> [String: String] {
    var found: [String: String] = [:]
    while let first = rest.first, first != UInt8(ascii: ">") {
      if isBlank(first) || first == UInt8(ascii: "/") || first == UInt8(ascii: "=") {
        rest = rest.dropFirst()
        continue
      }
      let name = take(&rest) { !isBlank($0) && !"=/>".utf8.contains($0) }.lowercased()
      let behind = rest.drop(while: isBlank)
      guard behind.first == UInt8(ascii: "=") else { continue }
      rest = behind.dropFirst().drop(while: isBlank)
      if found[name] == nil { found[name] = value(&rest) } else { _ = value(&rest) }
    }
    return found
  }

  private static func value(_ rest: inout ArraySlice<UInt8>) -> String {
    guard let quote = rest.first, "\"'".utf8.contains(quote) else {
      return decoded(take(&rest) { !isBlank($0) && $0 != UInt8(ascii: ">") })
    }
    rest = rest.dropFirst()
    let text = take(&rest) { $0 != quote }
    rest = rest.dropFirst()
    return decoded(text)
  }

  private static func take(_ rest: inout ArraySlice<UInt8>, while isPart: (UInt8) -> Bool) -> String {
    let part = rest.prefix(while: isPart)
    rest = rest[part.endIndex...]
    return String(decoding: part, as: UTF8.self)
  }

  private static func isBlank(_ byte: UInt8) -> Bool { " \t\r\n\u{C}".utf8.contains(byte) }

  /// The text with the entities decoded that services use in such values.
  private static func decoded(_ text: String) -> String {
    let parts = text.split(separator: "&", omittingEmptySubsequences: false)
    return String(parts[0])
      + parts.dropFirst().map { part in
        guard let end = part.firstIndex(of: ";"), let character = character(part[..<end]) else { return "&" + part }
        return String(character) + part[part.index(after: end)...]
      }.joined()
  }

  private static func character(_ name: Substring) -> Character? {
    if let known = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'"][name] { return Character(known) }
    guard name.hasPrefix("#") else { return nil }
    let isHexadecimal = name.dropFirst().lowercased().hasPrefix("x")
    let code = isHexadecimal ? UInt32(name.dropFirst(2), radix: 16) : UInt32(name.dropFirst())
    return code.flatMap(Unicode.Scalar.init).map(Character.init)
  }
}
