extension Value {
  /// Returns whether both values are equal except for the spelling of numbers and the order of an object's members,
  /// which a server may change in a stored value.
  public func isSame(as other: Value) -> Bool {
    switch (self, other) {
    case (.number(let left), .number(let right)): Number.compare(left, right) == .same
    case (.array(let left), .array(let right)):
      left.count == right.count && zip(left, right).allSatisfy { $0.isSame(as: $1) }
    case (.object(let left), .object(let right)):
      left.count == right.count
        && left.members.allSatisfy { name, value in right[name].map { value.isSame(as: $0) } ?? false }
    default: self == other
    }
  }

  /// The value of a boolean that may be stored as a number: false, true, 0 or 1; nil for anything else.
  public var truth: Bool? { bool ?? (integer == 0 ? false : integer == 1 ? true : nil) }
}
