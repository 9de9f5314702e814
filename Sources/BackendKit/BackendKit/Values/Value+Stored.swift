/// Values as services store them.
extension Value {
  /// True for values that services give a field that is unset or cleared: without content, 0 or false.
  public var isEmptyOfItsKind: Bool { !hasContent || [0, false].contains(self) }

  /// True unless it is null or an empty text, list or object.
  public var hasContent: Bool { ![.null, "", .array([]), .object(Object())].contains(self) }

  /// Returns whether it is an object with all members of another one, recursively.
  package func contains(members other: Value) -> Bool {
    guard case .object(let mine) = self, case .object(let wanted) = other else { return isSame(as: other) }
    return wanted.members.allSatisfy { name, value in mine[name]?.contains(members: value) ?? (value == .null) }
  }

  /// Returns whether a service seems to have converted the other value on storing: to another type, for example a text
  /// to a list, or to another case or white space.
  public func isMade(of other: Value) -> Bool {
    guard kind == other.kind else { return self != .null }
    func plain(_ value: Value) -> String {
      String(value.plainText.lowercased().unicodeScalars.filter { !$0.properties.isWhitespace })
    }
    return plain(self) == plain(other)
  }
}
