/// What a service counts to tell how long a text is.
public enum LengthUnit: String, Sendable, Hashable, CaseIterable {
  /// UTF-16 code units, as Java and JavaScript count.
  case utf16
  /// Code points, as Python, Go's runes and most databases count.
  case codePoints
  /// Bytes of UTF-8.
  case bytes

  /// How long a text is.
  public func length(of text: some StringProtocol) -> Int {
    switch self {
    case .utf16: text.utf16.count
    case .codePoints: text.unicodeScalars.count
    case .bytes: text.utf8.count
    }
  }
}

/// That the value of a field names a record of a resource.
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

/// The least or the greatest number that a field may have.
public struct NumberBound: Sendable, Hashable {
  /// The number.
  public var value: Number
  /// Whether it is beyond the bound itself.
  public var isExcluded: Bool

  /// A bound.
  public init(_ value: Number, isExcluded: Bool = false) {
    self.value = value
    self.isExcluded = isExcluded
  }

  /// Whether a number lies on this side of the bound, which is the least one or the greatest one.
  func admits(_ number: Number, asLeast isLeast: Bool) -> Bool {
    switch Number.compare(number, value) {
    case .same: !isExcluded
    case .before: !isLeast
    case .after: isLeast
    }
  }
}
