package import BackendKit

package enum ValueComparison {
  /// Compares two values. A text compared with a number, a boolean or null is read as one, so that words of a script
  /// and arguments compare with what a server sends; an order is that of numbers if both sides read as such.
  package static func compared(_ left: Value?, _ sign: Comparison, _ right: Value?) -> Bool {
    guard let left, let right else { return (left == nil && right == nil) == (sign == .equal) && sign.isEquality }
    switch sign {
    case .equal: return same(left, right)
    case .notEqual: return !same(left, right)
    case .contains: return contains(left, right)
    case .less, .lessOrEqual, .greater, .greaterOrEqual: break
    }
    if [left, right].contains(where: { $0.text.map(Preview.isPlanned) == true }) {
      _ = Preview.current?.stop("the order of an identifier that the service has not chosen yet is unknown")
    }
    guard let order = order(left, right) else { return false }
    return switch sign {
    case .less: order == .before
    case .lessOrEqual: order != .after
    case .greater: order == .after
    default: order != .before
    }
  }

  private static func same(_ left: Value, _ right: Value) -> Bool {
    switch (left, right) {
    case (.string(let left), .string(let right)): left == right && left.utf8.elementsEqual(right.utf8)
    case (.string(let text), let other), (let other, .string(let text)):
      read(text, like: other)?.isSame(as: other) ?? false
    default: left.isSame(as: right)
    }
  }

  /// A text as a value of another one's type; nil if it is not one.
  private static func read(_ text: String, like other: Value) -> Value? {
    switch other {
    case .null: text == "null" ? .null : nil
    case .bool: text == "true" ? .bool(true) : text == "false" ? .bool(false) : nil
    case .number: Number(text).map { .number($0) }
    case .string: .string(text)
    case .array, .object: try? JSONReader.read(Array(text.utf8))
    }
  }

  /// A text as the value that was used for the comparison, for messages.
  package static func read(_ value: Value?, comparedWith other: Value?) -> Value? {
    guard case .string(let text)? = value, let other else { return value }
    return read(text, like: other) ?? value
  }

  private static func contains(_ left: Value, _ right: Value) -> Bool {
    switch left {
    case .array(let list): list.contains { same($0, right) }
    default: Scope.text(left).contains(text: Scope.text(right))
    }
  }

  /// Returns the order of two values; nil if they have none.
  private static func order(_ left: Value, _ right: Value) -> Order? {
    if let left = number(left), let right = number(right) { return Number.compare(left, right) }
    guard case .string(let left) = left, case .string(let right) = right else { return nil }
    if left.utf8.elementsEqual(right.utf8) { return .same }
    return left.utf8.lexicographicallyPrecedes(right.utf8) ? .before : .after
  }

  private static func number(_ value: Value) -> Number? {
    switch value {
    case .number(let number): number
    case .string(let text): Number(text)
    default: nil
    }
  }

  /// Returns whether a value counts as true: it is not missing, null, false, 0 or empty.
  package static func isTrue(_ value: Value?) -> Bool {
    switch value {
    case nil, .null?, .bool(false)?: false
    case .bool(true)?: true
    case .number(let number)?: Number.compare(number, Number(0)) != .same
    case .string(let text)?: !text.isEmpty
    case .array(let list)?: !list.isEmpty
    case .object?: true
    }
  }
}

extension Comparison {
  /// True if the comparison tests for equality, not for an order.
  fileprivate var isEquality: Bool { self == .equal || self == .notEqual }
}
