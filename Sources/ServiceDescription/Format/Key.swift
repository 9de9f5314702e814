package import BackendKit

/// The name of a key, or of another fact that may be known of a service.
package protocol FactName: Sendable {
  /// The section and the key in it: `page.style`; of a resource's own keys the key alone.
  var path: String { get }
  /// The key in its section.
  var name: String { get }
}

/// A key that its reader alone names.
extension String: FactName {
  package var path: String { self }
  package var name: String { self }
}

/// A key that a survey of a service names besides its reader, with the kind of its content. Its words and what it means
/// are said where it is read.
package struct Key<Content: KeyContent>: FactName, Hashable {
  package let path: String

  package init(_ path: String) { self.path = path }

  package var name: String {
    String(path[(path.lastIndex(of: ".").map { path.index(after: $0) } ?? path.startIndex)...])
  }
}

/// Content that a key may have.
package protocol KeyContent {
  /// Returns the content that a value stands for; nil if it is none of this kind.
  static func content(of value: Value) -> Self?
  /// The content as a description has it.
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
