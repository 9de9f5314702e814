public import BackendKit

/// A type that can be written as a ``Value`` and read back without loss, so that it can pass through JSON text.
public protocol CarriedCoding {
  /// What stands for this in JSON.
  var carried: Value { get }

  /// Reads back what ``carried`` gave; throws `badResponse` where the value is nothing of the kind.
  init(carried: Value) throws(BackendError)
}

/// A closed set of words is carried as its word.
extension CarriedCoding where Self: RawRepresentable, RawValue == String {
  /// The word.
  public var carried: Value { .string(rawValue) }

  /// Reads the word; throws `badResponse` for one that is not in the set.
  public init(carried: Value) throws(BackendError) {
    guard let text = carried.text, let value = Self(rawValue: text) else {
      throw .uncarried(carried, "\(Self.self)")
    }
    self = value
  }
}

extension Value: CarriedCoding {
  /// The value itself.
  public var carried: Value { self }

  /// The value itself.
  public init(carried: Value) { self = carried }
}

extension Object: CarriedCoding {
  /// The object.
  public var carried: Value { .object(self) }

  /// Reads an object.
  public init(carried: Value) throws(BackendError) {
    guard let object = carried.object else { throw .uncarried(carried, "object") }
    self = object
  }
}

extension Array: CarriedCoding where Element: CarriedCoding {
  /// The elements.
  public var carried: Value { .array(map(\.carried)) }

  /// Reads the elements.
  public init(carried: Value) throws(BackendError) {
    guard let elements = carried.array else { throw .uncarried(carried, "list") }
    self = []
    for element in elements { append(try Element(carried: element)) }
  }
}

extension String: CarriedCoding {
  /// The text.
  public var carried: Value { .string(self) }

  /// Reads a text.
  public init(carried: Value) throws(BackendError) {
    guard let text = carried.text else { throw .uncarried(carried, "text") }
    self = text
  }
}

extension Int: CarriedCoding {
  /// The number.
  public var carried: Value { .int(self) }

  /// Reads a whole number.
  public init(carried: Value) throws(BackendError) {
    guard let integer = carried.integer else { throw .uncarried(carried, "whole number") }
    self = integer
  }
}

extension Bool: CarriedCoding {
  /// The truth value.
  public var carried: Value { .bool(self) }

  /// Reads a truth value.
  public init(carried: Value) throws(BackendError) {
    guard let bool = carried.bool else { throw .uncarried(carried, "boolean") }
    self = bool
  }
}

extension BackendError {
  /// What was carried is not what should have come; nobody can tell what it did.
  static func uncarried(_ value: Value, _ expected: String) -> BackendError {
    BackendError(.badResponse, "the carrier brought a \(value.kind) that is not a \(expected)", effect: .unknown)
  }
}
