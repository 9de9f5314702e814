/// Addresses that responses name.
public enum Link {
  /// The address as it can be asked for: without the parts of a template that nobody filled in, and with what no address may
  /// hold percent-encoded. Nil where nothing is left.
  public static func cleaned(_ text: String) -> String? {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "{"), let first = rest.first, "?&/;.#".utf8.contains(first),
        let end = rest.firstIndex(of: UInt8(ascii: "}"))
      {
        rest = rest[(end + 1)...]
        continue
      }
      if byte == UInt8(ascii: "#") { break }
      let isEscape = byte == UInt8(ascii: "%") && rest.count >= 2 && rest.prefix(2).allSatisfy(\.isHexDigit)
      if isEscape || isAllowed(byte) { bytes.append(byte) } else { bytes += escaped(byte) }
    }
    return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
  }

  /// The scheme that an address begins with; nil for a relative one.
  static func scheme(of text: String) -> Substring? {
    let scheme = text.prefix { $0.isLetter || $0.isNumber || "+-.".contains($0) }
    return !scheme.isEmpty && text.dropFirst(scheme.count).first == ":" ? scheme : nil
  }

  /// An address that is relative to the address of a request, as one that is relative to the base address. One that names a
  /// server, or begins at the root of one, stays as it is.
  public static func resolved(_ link: String, against target: String) -> String {
    guard scheme(of: link) == nil, !link.hasPrefix("/") else { return link }
    let path = target.prefix { $0 != "?" }
    if link.hasPrefix("?") { return path + link }
    guard let slash = path.lastIndex(of: "/") else { return link }
    return path[...slash] + link
  }

  /// The path of an address from the root of its origin, with its query; nil for a relative one.
  public static func rootPath(_ text: String) -> String? {
    guard let scheme = text.firstRange(ofText: "://") else { return text.hasPrefix("/") ? text : nil }
    let path = text[scheme.upperBound...].drop { $0 != "/" }
    return path.isEmpty ? "/" : String(path)
  }

  /// The decoded last part of an address, without its query.
  public static func lastPart(_ text: String) -> String? {
    parts(of: text).last.flatMap { PercentEncoding.decoded($0[...]) }
  }

  /// The path of an address below the base address, decoded, where it is one below this collection or relative.
  static func path(_ text: String, below collection: [String]) -> String? {
    let all = parts(of: text).compactMap { PercentEncoding.decoded($0[...]) }
    guard scheme(of: text) != nil || text.hasPrefix("/") else { return all.joined(separator: "/") }
    guard let start = all.indices.last(where: { all[$0...].starts(with: collection) }) else { return nil }
    return all[start...].joined(separator: "/")
  }

  /// The parts of an address's path and its parameters, decoded, without an ending of the path. Parts that are no text are left out.
  static func decoded(_ text: String, without ending: String) -> (path: [String], query: [(String, String)]) {
    let plain = text.prefix { $0 != "#" }
    var path = plain.prefix { $0 != "?" }
    if !ending.isEmpty, path.hasSuffix(ending) { path = path.dropLast(ending.count) }
    let query = plain.dropFirst(path.count).drop { $0 != "?" }.dropFirst().split(separator: "&").compactMap { pair in
      let sides = pair.split(separator: "=", maxSplits: 1)
      return sides.count == 2 ? sides.map { PercentEncoding.decode($0) ?? "" } : nil
    }
    return (parts(of: String(path)).compactMap { PercentEncoding.decoded($0[...]) }, query.map { ($0[0], $0[1]) })
  }

  private static func parts(of text: String) -> [String] {
    text.prefix { $0 != "?" && $0 != "#" }.split(separator: "/").map(String.init)
  }

  private static func escaped(_ byte: UInt8) -> [UInt8] {
    let digits = Array("0123456789ABCDEF".utf8)
    return [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
  }

  private static func isAllowed(_ byte: UInt8) -> Bool {
    byte.isLetterOrDigit || "-._~:/?@!$&'()*+,;=".utf8.contains(byte)
  }
}
