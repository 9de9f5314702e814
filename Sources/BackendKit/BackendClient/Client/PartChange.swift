public import BackendKit

/// A change that follows from what a field holds: of a part of it, a member of its object or an element of its list, or
/// of a boolean into its opposite.
public struct PartChange: Sendable, Hashable, CustomStringConvertible {
  /// The names along the path, that of the field first: two at least, but for an opposite.
  public let path: [String]
  /// True if the change inverts a boolean.
  public let isOpposite: Bool
  /// The new value; nil removes the member.
  public let value: Value?
  /// The formula of the new value; nil if it is known.
  public let formula: Formula?

  private init(_ path: [String], to value: Value? = nil, isOpposite: Bool = false, formula: Formula? = nil) {
    (self.path, self.value, self.isOpposite, self.formula) = (path, value, isOpposite, formula)
  }

  /// A change of a part; nil where the path leads to a whole field.
  public init?(_ path: [String], _ value: Value?) {
    guard path.count > 1 else { return nil }
    self.init(path, to: value)
  }

  /// The change of a boolean into its opposite; of 0 and 1, where they stand for false and true, too.
  public init(oppositeAt path: [String]) { self.init(path, isOpposite: true) }

  /// The change of a field, or of a part of one, into what is computed of the record as it is.
  public init(_ path: [String], computing formula: Formula) { self.init(path, formula: formula) }

  /// True if the new value depends on the record.
  public var isRelative: Bool { isOpposite || formula != nil }

  /// The same change with its formula computed. Throws `invalid` if that cannot be done of these fields.
  public func computed(of record: Object) throws(BackendError) -> PartChange {
    guard let formula else { return self }
    do throws(BackendError) { return PartChange(path, to: try formula.value(of: record)) } catch {
      var error = error
      error.message = "\(self): \(error.message)"
      throw error
    }
  }

  /// The change of a member of the record that has the whole path as its name: it comes before the part to which the
  /// path leads. Nil where the record has none. Throws `invalid` if the new value cannot be computed.
  public func ofMember(in record: Object) throws(BackendError) -> Change? {
    guard path.count > 1, let own = record[description] else { return nil }
    let new = isOpposite ? try opposite(of: own) : try computed(of: record).value
    return new.map { .set(description, $0) } ?? .unset(description)
  }

  /// The field.
  public var field: String { path[0] }

  /// The path, as commands write it.
  public var description: String { path.joined(separator: ".") }

  /// Makes the change in the value of the field. What is not there yet is made; throws `invalid` where the path leads
  /// into what has no parts.
  public func apply(to whole: inout Value?) throws(BackendError) { try apply(path.dropFirst(), to: &whole) }

  private func opposite(of value: Value?) throws(BackendError) -> Value {
    guard let value, let truth = value.truth else {
      let found = value.map { "a \($0.kind)" } ?? "absent"
      throw .invalid("\(self) cannot be toggled: it is \(found)", hint: "write true or false; nothing was changed")
    }
    return value.bool == nil ? .int(truth ? 0 : 1) : .bool(!truth)
  }

  private func apply(_ names: ArraySlice<String>, to target: inout Value?) throws(BackendError) {
    guard let name = names.first else {
      target = isOpposite ? try opposite(of: target) : value
      return
    }
    switch target {
    case nil where value == nil && !isOpposite, .null? where value == nil && !isOpposite: break
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
