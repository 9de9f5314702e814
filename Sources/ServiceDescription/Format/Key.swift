package import BackendKit

/// The name of a key, or of another fact about a service.
package protocol FactName: Sendable {
  /// The section and the key, as `page.style`; only the key for those of a resource itself.
  var path: String { get }
  /// The key within its section.
  var name: String { get }
}

/// A key that only its reader uses.
extension String: FactName {
  package var path: String { self }
  package var name: String { self }
}

/// A key that surveys use as well as its reader, with the type of its content. Its reader declares shape and help.
package struct Key<Content: KeyContent>: FactName, Hashable {
  package let path: String

  package init(_ path: String) { self.path = path }

  package var name: String {
    String(path[(path.lastIndex(of: ".").map { path.index(after: $0) } ?? path.startIndex)...])
  }
}

/// A type that the content of a key may have.
package protocol KeyContent {
  /// Returns the content for a value; nil if it is not of this type.
  static func content(of value: Value) -> Self?
  /// The content as written in a description.
  var value: Value { get }
}

extension String: KeyContent {
  package static func content(of value: Value) -> String? { value.text }
  package var value: Value { .string(self) }
}

extension Int: KeyContent {
  package static func content(of value: Value) -> Int? { value.integer }
  package var value: Value { .int(self) }
}

extension Bool: KeyContent {
  package static func content(of value: Value) -> Bool? { value.bool }
  package var value: Value { .bool(self) }
}

extension Array: KeyContent where Element: KeyContent {
  package static func content(of value: Value) -> [Element]? { value.array?.compactMap(Element.content) }
  package var value: Value { .array(map(\.value)) }
}

extension Object: KeyContent {
  package static func content(of value: Value) -> Object? { value.object }
  package var value: Value { .object(self) }
}

extension Value: KeyContent {
  package static func content(of value: Value) -> Value? { value }
  package var value: Value { self }
}
