public import BackendKit

/// A change of a part of a field: of a member of the object that it holds, or of an element of its list.
public struct PartChange: Sendable, Hashable, CustomStringConvertible {
  /// The names along the path, that of the field first: two at least.
  public let path: [String]
  /// The new value; nil removes the member.
  public let value: Value?

  /// A change of a part; nil where the path leads to a whole field.
  public init?(_ path: [String], _ value: Value?) {
    guard path.count > 1 else { return nil }
    self.path = path
    self.value = value
  }

  /// The field.
  public var field: String { path[0] }

  /// The path, as commands write it.
  public var description: String { path.joined(separator: ".") }

  /// Makes the change in the value of the field. What is not there yet is made; throws `invalid` where the path leads into
  /// what has no parts.
  public func apply(to whole: inout Value?) throws(BackendError) { try apply(path.dropFirst(), to: &whole) }

  private func apply(_ names: ArraySlice<String>, to target: inout Value?) throws(BackendError) {
    guard let name = names.first else {
      target = value
      return
    }
    switch target {
    case nil where value == nil, .null? where value == nil: break
    case nil, .null?, .object?:
      var object = target?.object ?? Object()
      var member = object[name]
      try apply(names.dropFirst(), to: &member)
      object[name] = member
      target = .object(object)
    case .array(var elements)?:
      guard let place = Int(name), elements.indices.contains(place) else {
        throw .invalid("there is no \(self): the list has \(elements.count) elements", hint: "nothing was changed")
      }
      var element: Value? = elements[place]
      try apply(names.dropFirst(), to: &element)
      if let element { elements[place] = element } else { elements.remove(at: place) }
      target = .array(elements)
    case let other?:
      throw .invalid("there is no \(self): a \(other.kind) has no parts", hint: "nothing was changed")
    }
  }
}
