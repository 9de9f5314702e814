/// A path below the backend's base address, as decoded segments.
///
/// Each segment is percent-encoded on its own and cannot be empty: no path with a doubled slash can be built, and none
/// that ends at a collection because an identifier was empty.
public struct RequestPath: Sendable, Hashable, CustomStringConvertible {
  /// The segments, decoded.
  public let segments: [String]
  /// The text after the last segment, not encoded: `/`, or an ending such as `.json`.
  public private(set) var suffix = ""
  /// The segments as sent, if that differs from percent-encoding each.
  private let spelled: [String]?

  /// The base address itself.
  public static let base = RequestPath(checked: [])

  private init(checked segments: [String], spelled: [String]? = nil) {
    self.segments = segments
    self.spelled = spelled
  }

  /// The path with these segments. Throws `invalid` if one is empty, `.` or `..`, which a server might resolve, or
  /// contains a NUL, at which a server might end it.
  public init(_ segments: String...) throws(BackendError) { try self.init(segments: segments) }

  /// The path with these segments. Throws `invalid` if one is empty, `.` or `..`, which a server might resolve, or
  /// contains a NUL, at which a server might end it.
  public init(segments: [String]) throws(BackendError) {
    guard !segments.contains(where: { $0.utf8.contains(0) }) else {
      throw .invalid("a path cannot contain NUL")
    }
    for segment in segments where segment.isEmpty || segment == "." || segment == ".." {
      throw .invalid("a path cannot contain the segment \"\(segment)\"")
    }
    self.init(checked: segments)
  }

  /// The path with further segments and without a suffix. Throws `invalid` like the initializers.
  public func appending(_ more: [String]) throws(BackendError) -> RequestPath {
    guard !more.isEmpty else { return self }
    let end = try RequestPath(segments: more)
    return RequestPath(
      checked: segments + end.segments,
      spelled: spelled.map { $0 + end.segments.map(PercentEncoding.encode) })
  }

  /// The path with a key in parentheses after its last segment: each part is a value as written there, possibly with a
  /// name.
  func keyed(by parts: [(name: String?, value: String)]) -> RequestPath {
    guard let last = segments.last else { return self }
    func key(_ encode: (String) -> String) -> String {
      let texts = parts.map { part in
        let value =
          part.value.first == "'" ? "'\(encode(String(part.value.dropFirst().dropLast())))'" : encode(part.value)
        return (part.name.map { "\(encode($0))=" } ?? "") + value
      }
      return "(\(texts.joined(separator: ",")))"
    }
    let before = spelled ?? segments.map(PercentEncoding.encode)
    return RequestPath(
      checked: segments.dropLast() + [last + key { $0 }],
      spelled: before.dropLast() + [(before.last ?? "") + key(PercentEncoding.encode)])
  }

  /// The path with another suffix.
  public func ending(in suffix: String) -> RequestPath {
    var path = self
    path.suffix = suffix
    return path
  }

  /// The path with each `{name}` in its segments filled in. Throws `invalid` like the initializers.
  func filled(_ values: [String: String]) throws(BackendError) -> RequestPath {
    guard spelled == nil, segments.contains(where: { $0.utf8.contains(UInt8(ascii: "{")) }) else { return self }
    return try RequestPath(segments: segments.map { $0.filled(values) }).ending(in: suffix)
  }

  /// The path as it is sent, without a leading slash.
  public var description: String {
    (spelled ?? segments.map(PercentEncoding.encode)).joined(separator: "/") + (segments.isEmpty ? "" : suffix)
  }

  /// True for the base address with a trailing slash.
  public var isBaseWithSlash: Bool { segments.isEmpty && suffix == "/" }
}

/// Percent-encoding by RFC 3986: everything but the unreserved characters is encoded, also `+`.
public enum PercentEncoding {
  /// The text with every byte that is not unreserved written as `%XX`.
  public static func encode(_ text: String) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: bytes.append(byte)
      default: bytes += [0x25, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// A segment with every `%XX` decoded; nil if the result is not text.
  public static func decoded(_ part: Substring) -> String? { decode(part, takesPlus: false) }

  /// The text with every `%XX` and `+` of a query decoded; nil if the result is not text.
  static func decode(_ text: Substring, takesPlus: Bool = true) -> String? {
    bytes(text, takesPlus: takesPlus).flatMap { String(validating: $0, as: UTF8.self) }
  }

  /// The bytes of a text with every `%XX` decoded, and with `takesPlus` every `+` of a query. A `%` without two digits
  /// stays if `isLenient`; otherwise it makes the result nil.
  public static func bytes(_ text: Substring, takesPlus: Bool = false, isLenient: Bool = false) -> [UInt8]? {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(takesPlus && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
        continue
      }
      if rest.count >= 2, rest.prefix(2).allSatisfy(\.isHexDigit),
        let code = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      {
        bytes.append(code)
        rest = rest.dropFirst(2)
      } else if isLenient {
        bytes.append(byte)
      } else {
        return nil
      }
    }
    return bytes
  }

  /// Name and value pairs as a query or form.
  public static func form(_ pairs: [(String, String)]) -> String {
    pairs.map { "\(encode($0.0))=\(encode($0.1))" }.joined(separator: "&")
  }
}
