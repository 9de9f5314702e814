extension IdentifierRule {
  /// Returns whether a field holds the identifier or a part of it.
  public func isHeld(by name: String) -> Bool { name == field || parts.contains(name) }

  /// The identifier in some fields; nil if they do not contain it.
  public func identifier(in fields: Object) -> RecordID? {
    guard !parts.isEmpty else { return field.flatMap { RecordID(fields[$0]) } }
    let values = parts.compactMap { FieldPath($0).value(in: fields)?.plain }
    return values.count == parts.count ? identifier(joining: values) : nil
  }

  /// The identifier formed by values of the fields; separators within values are percent-encoded.
  public func identifier(joining values: [String]) -> RecordID? {
    RecordID(.string(values.map(joinable).joined(separator: separator)))
  }

  /// The values of the fields that form an identifier, by name; nil if their number differs.
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

  /// A value with its separators encoded.
  private func joinable(_ text: String) -> String {
    let special = Set(separator.utf8).union([UInt8(ascii: "%")])
    guard text.utf8.contains(where: special.contains) else { return text }
    return text.unicodeScalars.map { scalar in
      scalar.isASCII && special.contains(UInt8(scalar.value))
        ? "%" + String(hex: scalar.value, digits: 2, uppercase: true) : String(scalar)
    }.joined()
  }
}

/// Identifiers between the slashes of a path.
extension IdentifierRule {
  /// The number of parts between slashes that an identifier has where it is written in a path.
  public var segments: Int { parts.count > 1 && separator == "/" ? parts.count : 1 }

  /// The words in capitals that stand for an identifier in a path: those of its parts, or the given one.
  func form(inPath word: String) -> String {
    segments > 1 ? parts.map { $0.uppercased() }.joined(separator: "/") : word
  }

  /// The identifier in segments of a path; nil if their number differs, or one is empty.
  public func identifier(inPath path: some Collection<String>) -> RecordID? {
    let values = path.map { ResourcePath.decoded($0) }
    guard values.count == segments, !values.contains("") else { return nil }
    return segments > 1 ? identifier(joining: values) : RecordID(values[0])
  }
}
