/// The address of a service: an origin, and the path that everything of the service is below.
public struct WebAddress: Sendable, Hashable, CustomStringConvertible {
  /// Why a text is not such an address.
  public struct Fault: Error, Sendable, Hashable {
    /// The problem, as a clause that does not repeat the address.
    public let reason: String
    /// True if the address holds a secret, so that no message may show it.
    public let isSecret: Bool

    init(_ reason: String, isSecret: Bool = false) {
      self.reason = reason
      self.isSecret = isSecret
    }
  }

  /// Scheme, host and port.
  public let origin: Origin
  /// The path as it is sent: empty, or with a leading and without a trailing slash.
  public let path: String
  /// Origin and path.
  public let description: String

  /// The address in a text.
  public init(_ text: String) throws(Fault) {
    guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
      throw Fault("an address cannot contain spaces or non-ASCII characters")
    }
    var rest = text[...]
    origin = try Origin(takenFrom: &rest)
    path = try Self.path(rest)
    description = origin.address + path
  }

  private static func path(_ text: Substring) throws(Fault) -> String {
    guard !text.contains("?"), !text.contains("#") else {
      throw Fault("an address cannot have a query or a fragment")
    }
    var path = text
    while path.last == "/" { path = path.dropLast() }
    guard path.utf8.allSatisfy(isPathByte), hasWholeEscapes(path) else {
      throw Fault("the path of the address has a character that must be percent-encoded")
    }
    for part in path.dropFirst().split(separator: "/", omittingEmptySubsequences: false) where !path.isEmpty {
      if part.isEmpty { throw Fault("the path of the address contains a double slash") }
      if part == "." || part == ".." { throw Fault("the path of the address has the part \"\(part)\"") }
    }
    return String(path)
  }

  private static func isPathByte(_ byte: UInt8) -> Bool {
    byte.isLetterOrDigit || "-._~!$&'()*+,;=:@/%".utf8.contains(byte)
  }

  private static func hasWholeEscapes(_ path: Substring) -> Bool {
    path.split(separator: "%", omittingEmptySubsequences: false).dropFirst()
      .allSatisfy { $0.count >= 2 && $0.prefix(2).allSatisfy(\.isHexDigit) }
  }
}
