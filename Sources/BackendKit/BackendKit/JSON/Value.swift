/// One JSON value, stored without loss.
///
/// Numbers keep their text and objects their order, so that a record that is read and written back changes only where
/// it was edited. Equality is of content as written: `1` and `1.0` differ, and so do two spellings of "é". Queries
/// compare by ``Comparison`` instead.
public enum Value: Sendable, Hashable {
  case null
  case bool(Bool)
  case number(Number)
  case string(String)
  case array([Value])
  case object(Object)

  /// An integer as a value.
  public static func int(_ value: Int) -> Value { .number(Number(value)) }

  /// The text of a string, or nil for other types.
  public var text: String? {
    if case .string(let text) = self { text } else { nil }
  }

  /// A string as it is, anything else as JSON on one line.
  public var plainText: String { text ?? JSONWriter.compact(self) }

  /// The integer of a number, or nil if it is not a whole number of at most 64 bits.
  public var integer: Int? {
    if case .number(let number) = self { number.integer } else { nil }
  }

  /// The boolean, or nil for other types.
  public var bool: Bool? {
    if case .bool(let value) = self { value } else { nil }
  }

  /// The members of an object, or nil for other types.
  public var object: Object? {
    if case .object(let object) = self { object } else { nil }
  }

  /// The elements of an array, or nil for other types.
  public var array: [Value]? {
    if case .array(let elements) = self { elements } else { nil }
  }

  /// The name of the type in messages: "text", "number", "boolean", "null", "list", "object".
  public var kind: String {
    switch self {
    case .null: "null"
    case .bool: "boolean"
    case .number: "number"
    case .string: "text"
    case .array: "list"
    case .object: "object"
    }
  }

  /// The type with its article.
  public var kindWithArticle: String { object == nil ? "a \(kind)" : "an object" }
}

extension Value {
  /// Returns whether both values are written alike; texts are compared code point by code point.
  public static func == (left: Value, right: Value) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let left), .bool(let right)): left == right
    case (.number(let left), .number(let right)): left == right
    case (.string(let left), .string(let right)): left.hasSameBytes(as: right)
    case (.array(let left), .array(let right)): left == right
    case (.object(let left), .object(let right)): left == right
    default: false
    }
  }
}

extension Value: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral
{
  /// A text.
  public init(stringLiteral value: String) { self = .string(value) }
  /// A boolean.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// A whole number.
  public init(integerLiteral value: Int) { self = .int(value) }
  /// A list.
  public init(arrayLiteral elements: Value...) { self = .array(elements) }
  /// An object with its members in order; of a repeated name the last counts.
  public init(dictionaryLiteral elements: (String, Value)...) { self = .object(Object(elements)) }
  /// The null value.
  public init(nilLiteral: ()) { self = .null }
}
