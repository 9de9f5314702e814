extension IdentifierRule {
  /// Returns whether a field holds the identifier, or a part of it.
  public func isHeld(by name: String) -> Bool { name == field || parts.contains(name) }

  /// The identifier that fields hold; nil where they do not.
  public func identifier(in fields: Object) -> RecordID? {
    guard !parts.isEmpty else { return field.flatMap { RecordID(fields[$0]) } }
    let values = parts.compactMap { FieldPath($0).value(in: fields)?.plain }
    return values.count == parts.count ? identifier(joining: values) : nil
  }

  /// The identifier that values of the fields make; a separator within a value is percent-encoded.
  public func identifier(joining values: [String]) -> RecordID? {
    RecordID(.string(values.map(joinable).joined(separator: separator)))
  }

  /// The values of the fields that make an identifier, by their names; nil where it does not have as many.
  public func values(of id: RecordID) -> [(field: String, text: String)]? {
    var values: [String] = []
    var rest = id.text[...]
    while let place = rest.firstRange(ofText: separator) {
      values.append(String(rest[..<place.lowerBound]))
      rest = rest[place.upperBound...]
    }
    values.append(String(rest))
    guard values.count == parts.count, !values.contains("") else { return nil }
    return zip(parts, values).map { ($0, PercentEncoding.decoded($1[...]) ?? $1) }
  }

  /// A value that can be beside others with a separator between them.
  private func joinable(_ text: String) -> String {
    let special = Set(separator.utf8).union([UInt8(ascii: "%")])
    guard text.utf8.contains(where: special.contains) else { return text }
    return text.unicodeScalars.map { scalar in
      scalar.isASCII && special.contains(UInt8(scalar.value))
        ? "%" + String(hex: scalar.value, digits: 2, uppercase: true) : String(scalar)
    }.joined()
  }
}
