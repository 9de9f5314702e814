/// A challenge of the header field `WWW-Authenticate` (RFC 9110, section 11.3).
struct AuthenticationChallenge: Sendable, Hashable {
  /// The scheme as it was sent.
  let scheme: String
  /// The parameters with lowercase names; nil if one is repeated.
  private(set) var parameters: [String: String]? = [:]

  /// The challenges of all fields, in order; of a malformed field only those before the error.
  static func all(in fields: [String]) -> [AuthenticationChallenge] { fields.flatMap(challenges) }

  /// The parameters of a field without a scheme, such as `Authentication-Info`.
  static func parameters(of field: String) -> [String: String] {
    challenges(in: "info " + field).first?.parameters ?? [:]
  }

  private static func challenges(in field: String) -> [AuthenticationChallenge] {
    var found: [AuthenticationChallenge] = []
    var rest = Array(field.utf8)[...]
    while true {
      rest = rest.drop { blanks.contains($0) || $0 == UInt8(ascii: ",") }
      let name = String(decoding: take(&rest, while: isToken), as: UTF8.self)
      guard !name.isEmpty else { return found }
      let behind = rest.drop(while: blanks.contains)
      guard behind.first == UInt8(ascii: "=") else {
        found.append(AuthenticationChallenge(scheme: name))
        rest = behind
        continue
      }
      rest = behind.dropFirst().drop(while: blanks.contains)
      // Other schemes may have a token instead of parameters, which may end in more equals signs.
      if rest.isEmpty || [UInt8(ascii: "="), UInt8(ascii: ",")].contains(rest.first) {
        rest = rest.drop { $0 != UInt8(ascii: ",") }
        continue
      }
      guard let last = found.indices.last, let value = value(&rest) else { return found }
      let isNew = found[last].parameters?.updateValue(value, forKey: name.lowercased()) == nil
      if !isNew { found[last].parameters = nil }
    }
  }

  /// A token, or a quoted text without its quotes; nil if it is not terminated.
  private static func value(_ rest: inout ArraySlice<UInt8>) -> String? {
    guard rest.first == UInt8(ascii: "\"") else {
      return String(validating: take(&rest, while: isToken), as: UTF8.self)
    }
    rest = rest.dropFirst()
    var bytes: [UInt8] = []
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "\"") { return String(validating: bytes, as: UTF8.self) }
      if byte == UInt8(ascii: "\\") {
        guard let escaped = rest.popFirst() else { return nil }
        bytes.append(escaped)
      } else {
        bytes.append(byte)
      }
    }
    return nil
  }

  private static let blanks: Set<UInt8> = [0x20, 0x09]

  private static func isToken(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: "!#$%&'*+-.^_`|~/".utf8.contains(byte)
    }
  }

  private static func take(_ rest: inout ArraySlice<UInt8>, while isPart: (UInt8) -> Bool) -> ArraySlice<UInt8> {
    let part = rest.prefix(while: isPart)
    rest = rest[part.endIndex...]
    return part
  }
}
