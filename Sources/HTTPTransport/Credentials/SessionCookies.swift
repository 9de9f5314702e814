import BackendKit

/// The cookies of a login at one origin, by the parts of RFC 6265 that concern one origin. Their paths are ignored.
struct SessionCookies: Sendable, Hashable {
  /// The maximum number of cookies, and the maximum length of a `Set-Cookie` field in bytes.
  private static let (most, longest) = (50, 4096)

  private(set) var values: [String: String] = [:]

  init() {}

  init(stored: Object?) {
    for (name, value) in stored.map({ Array($0.members) }) ?? [] { values[name] = value.text }
  }

  /// The form for a file.
  var stored: Object { Object(values.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) }) }

  subscript(name: String) -> String? { values[name] }

  /// The value of the header field `Cookie`; nil if there are no cookies.
  var text: String? {
    values.isEmpty ? nil : values.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: "; ")
  }

  /// The cookie values that must not be shown.
  var secrets: [String] { values.values.filter { $0.utf8.count >= 8 } }

  /// Adds a cookie that no response has set.
  mutating func set(_ name: String, _ value: String) { values[name] = value }

  /// Applies the cookies of a response, including deletions. Ignores cookies for another host, or for TLS if the
  /// connection does not use it.
  mutating func take(_ answer: HTTPResponse, from origin: Origin, now: Int) {
    for (name, field) in answer.headers where name.lowercased() == "set-cookie" {
      guard field.utf8.count <= Self.longest, let cookie = Cookie(field, now: now), cookie.isMeant(for: origin) else {
        continue
      }
      if cookie.isOver {
        values[cookie.name] = nil
      } else if values.count < Self.most || values[cookie.name] != nil {
        values[cookie.name] = cookie.value
      }
    }
  }
}

private struct Cookie {
  let name: String
  let value: String
  private var domain: Substring?
  private var isSecure = false
  private(set) var isOver = false

  init?(_ field: String, now: Int) {
    let parts = field.split(separator: ";", omittingEmptySubsequences: false).map(Self.trimmed)
    let pair = parts[0].split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(Self.trimmed)
    guard pair.count == 2, !pair[0].isEmpty, !pair[0].contains(" "),
      parts[0].utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F && $0 != UInt8(ascii: ",") })
    else { return nil }
    (name, value) = (String(pair[0]), String(pair[1]))
    isOver = value.isEmpty
    var age: Int?
    for part in parts.dropFirst() {
      let key = part.prefix { $0 != "=" }
      let text = part.dropFirst(key.count + 1)
      switch key.lowercased() {
      case "domain": domain = text.hasPrefix(".") ? text.dropFirst() : text
      case "secure": isSecure = true
      case "max-age": age = Int(text)
      case "expires": age = age ?? HTTPDate.seconds(String(text)).map { $0 - now }
      default: break
      }
    }
    if let age, age <= 0 { isOver = true }
  }

  func isMeant(for origin: Origin) -> Bool {
    if isSecure, !origin.isPrivate { return false }
    guard let domain = domain?.lowercased(), !domain.isEmpty else { return true }
    return origin.host == domain || origin.host.hasSuffix("." + domain)
  }

  private static func trimmed(_ text: Substring) -> Substring {
    var text = text
    while text.first == " " || text.first == "\t" { text = text.dropFirst() }
    while text.last == " " || text.last == "\t" { text = text.dropLast() }
    return text
  }
}
