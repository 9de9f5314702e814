public import BackendKit

/// A change that depends on the present value of a field: of a member of its object, an element of its list, or a
/// boolean to be inverted.
public struct PartChange: Sendable, Hashable, CustomStringConvertible {
  /// The names along the path, that of the field first; at least two, except to invert.
  public let path: [String]
  /// True if the change inverts a boolean.
  public let isOpposite: Bool
  /// The new value; nil removes the member.
  public let value: Value?
  /// The formula of the new value; nil if it is known.
  public let formula: Formula?
  /// True if the value is a word without a known type: it gets the type of the present value, if it fits.
  public private(set) var isWord = false

  private init(_ path: [String], to value: Value? = nil, isOpposite: Bool = false, formula: Formula? = nil) {
    (self.path, self.value, self.isOpposite, self.formula) = (path, value, isOpposite, formula)
  }

  /// A change of a part; nil if the path names a whole field.
  public init?(_ path: [String], _ value: Value?, isWord: Bool = false) {
    guard path.count > 1 else { return nil }
    self.init(path, to: value)
    self.isWord = isWord
  }

  /// Inverts a boolean, or a number that stands for one.
  public init(oppositeAt path: [String]) { self.init(path, isOpposite: true) }

  /// Sets a field, or a part of one, to the result of a formula over the present record.
  public init(_ path: [String], computing formula: Formula) { self.init(path, formula: formula) }

  /// True if the new value depends on the record.
  public var isRelative: Bool { isOpposite || formula != nil }

  /// The same change with its formula computed, or its word typed. Throws `invalid` if these fields do not allow that.
  public func computed(of record: Object) throws(BackendError) -> PartChange {
    guard let formula else { return typed(like: FieldPath(description).value(in: record)) }
    do throws(BackendError) { return PartChange(path, to: try formula.value(of: record)) } catch {
      var error = error
      error.message = "\(self): \(error.message)"
      throw error
    }
  }

  private func typed(like present: Value?) -> PartChange {
    guard isWord, let text = value?.text else { return self }
    let typed: Value? =
      switch present {
      case .number?: Number(text).map { .number($0) }
      case .bool?: ["true": .bool(true), "false": .bool(false)][text]
      default: nil
      }
    return typed.map { PartChange(path, to: $0) } ?? self
  }

  /// The change of the member that is named by the whole path, which takes precedence over the part at the path. Nil if
  /// the record has no such member. Throws `invalid` if the new value cannot be computed.
  public func ofMember(in record: Object) throws(BackendError) -> Change? {
    guard path.count > 1, let own = record[description] else { return nil }
    let new = isOpposite ? try opposite(of: own) : try computed(of: record).value
    return new.map { .set(description, $0) } ?? .unset(description)
  }

  /// The field.
  public var field: String { path[0] }

  /// The path, as commands write it.
  public var description: String { path.joined(separator: ".") }

  /// Applies the change to the value of the field. Missing parts are created; throws `invalid` if the path leads into a
  /// value without parts.
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
