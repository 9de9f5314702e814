/// The path to a field of a record: a name, or names joined by dots for a field of a nested object.
///
/// A field whose own name contains the dot takes precedence.
public struct FieldPath: Sendable, Hashable, CustomStringConvertible {
  /// The path as written, for example `title` or `user.name`.
  public let text: String

  /// The path with this text.
  public init(_ text: String) { self.text = text }

  /// The path to the member of this name, which is not split at dots.
  public static func member(_ name: String) -> FieldPath {
    var path = FieldPath(name)
    path.isMember = true
    return path
  }

  /// True if the text is one name, even with dots.
  public private(set) var isMember = false

  /// The names along the path.
  public var names: [String] {
    isMember ? [text] : text.unicodeScalars.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
  }

  /// The first name: the field of the record in which the path begins.
  public var field: String { isNested ? String(text.unicodeScalars.prefix { $0 != "." }) : text }

  /// The fields that may hold the value: the one named by the whole text, which takes precedence, and the one in which
  /// the path begins.
  public var holders: [String] { isNested ? [text, field] : [text] }

  /// True if the path leads into a nested object.
  public var isNested: Bool { !isMember && text.utf8.contains(UInt8(ascii: ".")) }

  /// Returns whether both paths are the same bytes.
  public static func == (left: FieldPath, right: FieldPath) -> Bool { left.text.hasSameBytes(as: right.text) }

  /// Hashes the bytes.
  public func hash(into hasher: inout Hasher) { hasher.combine(ExactText(text)) }

  /// The text.
  public var description: String { text }

  /// Returns the value at the path, or nil if there is none, which differs from a null.
  public func value(in object: Object) -> Value? {
    if let direct = object[text] { return direct }
    guard isNested else { return nil }
    var current = Value.object(object)
    for name in names {
      switch current {
      case .object(let members):
        guard let next = members[name] else { return nil }
        current = next
      case .array(let elements):
        guard let place = Int(name), String(place) == name, elements.indices.contains(place) else { return nil }
        current = elements[place]
      default: return nil
      }
    }
    return current
  }
}
