/// A JSON value with its place in a file.
public struct LocatedValue: Sendable {
  /// A member of an object.
  public struct Member: Sendable {
    /// The name.
    public var name: String
    /// The place of the name.
    public var place: TextPlace
    /// The value.
    public var value: LocatedValue
  }

  /// The content of a value.
  public enum Content: Sendable {
    case object([Member])
    case array([LocatedValue])
    case scalar(Value)
  }

  /// The place at which it begins.
  public var place: TextPlace
  /// The range in the text, in bytes.
  public var range: Range<Int>
  /// The content.
  public var content: Content

  /// The members, or nil if it is not an object.
  public var members: [Member]? {
    if case .object(let members) = content { members } else { nil }
  }

  /// The same without places.
  public var value: Value {
    switch content {
    case .object(let members): .object(Object(members.map { ($0.name, $0.value.value) }))
    case .array(let elements): .array(elements.map(\.value))
    case .scalar(let value): value
    }
  }

  /// The value of a member.
  public subscript(name: String) -> LocatedValue? { members?.first { $0.name == name }?.value }
}

/// A place in a text.
public struct TextPlace: Sendable, Hashable {
  /// The line, from 1.
  public var line: Int
  /// The column in characters, from 1.
  public var column: Int

  /// A place.
  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  /// The place of a byte.
  public init(offset: Int, in bytes: [UInt8]) {
    let before = bytes.prefix(offset)
    let lineStart = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    line = before.count { $0 == 0x0A } + 1
    // Continuation bytes of UTF-8 do not begin a character.
    column = before[lineStart...].count { $0 & 0xC0 != 0x80 } + 1
  }
}

extension JSONError {
  /// Returns the reason, with the line and column of the error in the JSON text.
  public func words(in bytes: [UInt8]) -> String {
    let place = TextPlace(offset: offset, in: bytes)
    return "\(reason) (line \(place.line), column \(place.column))"
  }
}
