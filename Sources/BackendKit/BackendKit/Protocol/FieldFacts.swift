/// The unit in which a service counts the length of a text.
public enum LengthUnit: String, Sendable, Hashable, CaseIterable {
  /// UTF-16 code units, as Java and JavaScript count.
  case utf16
  /// Code points, as Python, Go's runes and most databases count.
  case codePoints
  /// Bytes of UTF-8.
  case bytes

  /// Returns the length of a text.
  public func length(of text: some StringProtocol) -> Int {
    switch self {
    case .utf16: text.utf16.count
    case .codePoints: text.unicodeScalars.count
    case .bytes: text.utf8.count
    }
  }
}

extension FieldDescription {
  /// The facts of a field by which a write may be refused before it is sent.
  public enum Fact: String, Sendable, Hashable, CaseIterable {
    case type, required, readOnly, maximumLength, minimumLength, minimum, maximum, pattern, values, nullable
  }

  /// True if a new record without the field is refused before it is sent.
  public var requires: Bool { isRequired && !likely.contains(.required) }

  /// True if values for the field are refused before anything is sent, including stand-ins of files.
  public var refusesWrites: Bool { isReadOnly && !likely.contains(.readOnly) || file != nil }

  /// The field with only proved facts, also in nested fields.
  public var proved: FieldDescription {
    guard !isProved else { return self }
    var field = self
    for fact in likely {
      switch fact {
      case .type: field.kind = .any
      case .required: field.isRequired = false
      case .readOnly: field.isReadOnly = false
      case .maximumLength: field.maximumLength = nil
      case .minimumLength: field.minimumLength = nil
      case .minimum: field.minimum = nil
      case .maximum: field.maximum = nil
      case .pattern: field.pattern = nil
      case .values: field.values = []
      case .nullable: field.isNullable = true
      }
    }
    field.likely = []
    field.fields = fields.map(\.proved)
    return field
  }

  fileprivate var isProved: Bool { likely.isEmpty && fields.allSatisfy(\.isProved) }
}

extension ResourceDescription {
  /// The resource with only proved facts of its fields; nil if all are proved.
  public var proved: ResourceDescription? {
    guard !fields.allSatisfy(\.isProved) || !actions.allSatisfy(\.isProved) else { return nil }
    var resource = self
    resource.fields = fields.map(\.proved)
    for place in actions.indices { resource.actions[place].fields = actions[place].fields.map(\.proved) }
    return resource
  }
}

extension ActionDescription {
  fileprivate var isProved: Bool { fields.allSatisfy(\.isProved) }
}

/// The reference of a field's value to a record.
public struct RecordReference: Sendable, Hashable {
  /// The resource.
  public var resource: String
  /// The field of its records that holds the value; nil for their identifier.
  public var key: String?

  /// A reference.
  public init(to resource: String, by key: String? = nil) {
    self.resource = resource
    self.key = key
  }
}

/// The minimum or maximum of a number.
public struct NumberBound: Sendable, Hashable {
  /// The number.
  public var value: Number
  /// True if the bound itself is excluded.
  public var isExcluded: Bool

  /// A bound.
  public init(_ value: Number, isExcluded: Bool = false) {
    self.value = value
    self.isExcluded = isExcluded
  }

  /// Returns whether a number is within the bound, as a minimum or maximum.
  func admits(_ number: Number, asLeast isLeast: Bool) -> Bool {
    switch Number.compare(number, value) {
    case .same: !isExcluded
    case .before: !isLeast
    case .after: isLeast
    }
  }
}
