/// Values as services store them, in their own way.
extension Value {
  /// True of what services give a field that nobody set, or that is cleared: a value without content, 0 or false.
  public var isEmptyOfItsKind: Bool { !hasContent || [0, false].contains(self) }

  /// True if it is more than null, an empty text, list or object.
  public var hasContent: Bool { ![.null, "", .array([]), .object(Object())].contains(self) }

  /// Returns whether it is an object with all members of another one, in objects within it, too.
  package func contains(members other: Value) -> Bool {
    guard case .object(let mine) = self, case .object(let wanted) = other else { return isSame(as: other) }
    return wanted.members.allSatisfy { name, value in mine[name]?.contains(members: value) ?? (value == .null) }
  }

  /// Returns whether a service seems to have stored the other value in its own way: as one of another kind, for example
  /// a list of a text, or in another case or with other white space.
  public func isMade(of other: Value) -> Bool {
    guard kind == other.kind else { return self != .null }
    func plain(_ value: Value) -> String {
      String(value.plainText.lowercased().unicodeScalars.filter { !$0.properties.isWhitespace })
    }
    return plain(self) == plain(other)
  }
}
