import BackendKit

/// The credentials of a request, and where they stand in it.
struct Authorization: Sendable {
  let place: LoginScheme.Place
  let text: String

  /// The header field; nil where it stands in the query.
  var field: (name: String, value: String)? {
    guard case .header(let name, let prefix) = place else { return nil }
    return (name, prefix.isEmpty ? text : "\(prefix) \(text)")
  }

  /// A request with the parameter in its query, in the place of one of the same name.
  func applied(to request: HTTPRequest) -> HTTPRequest {
    guard case .query(let name) = place else { return request }
    var request = request
    request.query.removeAll { $0.0 == name }
    request.query.append((name, text))
    return request
  }
}

/// HTTP Basic.
enum BasicCredentials {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// What follows `Basic`. A name with a colon would be read as another name.
  static func text(_ username: String, _ password: String) throws(BackendError) -> String {
    guard !username.utf8.contains(UInt8(ascii: ":")) else {
      throw BackendError(
        .misconfigured, "a user name for HTTP Basic cannot have a colon in it", effect: .notSent)
    }
    return base64(Array("\(username):\(password)".utf8))
  }

  private static func base64(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let bits = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << UInt32((3 - group.count) * 8)
      for digit in 0..<4 {
        text.append(digit <= group.count ? alphabet[Int(bits >> UInt32(18 - 6 * digit) & 63)] : UInt8(ascii: "="))
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}
