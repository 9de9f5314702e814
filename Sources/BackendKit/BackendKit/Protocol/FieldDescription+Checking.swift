extension FieldDescription {
  /// Returns the length of a text as the service counts it, without white space at its ends, since servers that limit a
  /// text trim it first.
  public func length(of text: String) -> Int {
    let scalars = text.unicodeScalars
    guard let begin = scalars.firstIndex(where: { $0.value > 0x20 }),
      let end = scalars.lastIndex(where: { $0.value > 0x20 })
    else { return 0 }
    return lengthUnit.length(of: text[begin..<scalars.index(after: end)])
  }

  /// The longest prefix of whole characters within the maximum length.
  public func fitting(_ text: String) -> String {
    guard let maximumLength else { return text }
    // A character is at least one unit.
    var text = String(text.prefix(maximumLength))
    while length(of: text) > maximumLength { text.removeLast() }
    return text
  }

  /// True if its value is a secret, or contains one in an object or list.
  public var holdsSecret: Bool { isSecret || fields.contains(where: \.holdsSecret) }

  /// The reason why a value is not valid for the field, as a clause; nil if it may be.
  public func complaint(about value: Value) -> String? { complaint(about: value, as: name) }

  /// The reason why a value has the wrong type, as a clause; nil if it may be valid. A null has every type, and an
  /// empty text is an absent date. With `showsValue` false, many values get the same clause.
  public func kindComplaint(about value: Value, showsValue: Bool = true) -> String? {
    let fits =
      switch (kind, value) {
      case (_, .null), (.any, _), (.text, .string), (.html, .string), (.day, .string), (.boolean, .bool),
        (.number, .number), (.object, .object), (.list, .array):
        true
      case (.date, .string(let text)): text.isEmpty || CivilDate.begins(text)
      case (.integer, _): value.integer != nil
      default: false
      }
    guard !fits, value.text.map(Preview.isPlanned) != true else { return nil }
    let isOfKind = kind == .integer ? value.kind == "number" : kind == .date && value.text != nil
    let found =
      !isSecret && showsValue && (kind == .integer || isOfKind)
      ? String(JSONWriter.compact(value).prefix(40)) : isOfKind ? "another \(value.kind)" : value.kindWithArticle
    let wanted =
      switch kind {
      case .integer: "a 64-bit integer"
      case .boolean: "true or false"
      case .html, .text: "text"
      case .object: "an object"
      default: "a \(kind.rawValue)"
      }
    return "\(name) must be \(wanted), not \(found)"
  }

  private func complaint(about value: Value, as name: String) -> String? {
    if value == .null { return isNullable ? nil : "\(name) cannot be null" }
    if let text = value.text, Preview.isPlanned(text) { return nil }
    if !values.isEmpty, !values.contains(where: { $0.isSame(as: value) }) {
      let known = values.map(\.plainText).joined(separator: ", ")
      let given = value.text.map { "\"\($0)\"" } ?? JSONWriter.compact(value)
      return "\(name) must be one of \(isSecret ? "…" : known), not \(isSecret ? "the given value" : given)"
    }
    if kind == .day, let text = value.text, !CivilDate.isDay(text) {
      return "\(name) must be a day (YYYY-MM-DD), not \(isSecret ? "the given value" : "\"\(text)\"")"
    }
    if let complaint = complaint(aboutText: value, as: name) ?? complaint(aboutNumber: value, as: name) {
      return complaint
    }
    for (place, value) in (value.array ?? [value]).enumerated() {
      guard let object = value.object else { continue }
      let path = kind == .list ? "\(name).\(place)" : name
      for field in fields {
        if let value = object[field.name], let complaint = field.complaint(about: value, as: "\(path).\(field.name)") {
          return complaint
        }
      }
    }
    return nil
  }

  private func complaint(aboutText value: Value, as name: String) -> String? {
    guard let text = value.text else { return nil }
    if let maximumLength {
      let length = length(of: text)
      if length > maximumLength { return "\(name) is \(words(length)) long; the limit is \(maximumLength)" }
    }
    if let minimumLength {
      // Not trimmed: a text too short with its white space is too short without it, too.
      let length = lengthUnit.length(of: text)
      if length < minimumLength { return "\(name) is \(words(length)) long; the minimum is \(minimumLength)" }
    }
    if let pattern, TextPattern(pattern)?.isFound(in: text) == false {
      return "\(name) must match \(pattern), but \(isSecret ? "the given value" : "\"\(text)\"") does not"
    }
    return nil
  }

  private func complaint(aboutNumber value: Value, as name: String) -> String? {
    guard case .number(let number) = value else { return nil }
    let isTooSmall = minimum.map { !$0.admits(number, asLeast: true) } ?? false
    guard isTooSmall || maximum.map({ !$0.admits(number, asLeast: false) }) ?? false else { return nil }
    return "\(name) must be \(boundWords ?? ""), but \(isSecret ? "the given value" : number.text) is not"
  }

  /// The constraints on its value, as clauses for people: lengths, bounds, a pattern, the possible values.
  public var constraints: [String] {
    return [
      minimumLength.map { "at least \(words($0))" }, maximumLength.map { "at most \(words($0))" }, boundWords,
      pattern.map { "matches \($0)" },
      values.isEmpty ? nil : "one of \(values.map(\.plainText).joined(separator: ", "))",
      isLimited ? "may accept only some values" : nil, isNullable ? nil : "not null",
    ].compactMap(\.self)
  }

  private func words(_ length: Int) -> String { counted(length, lengthUnit == .bytes ? "byte" : "character") }

  private var boundWords: String? {
    let words = [
      minimum.map { "\($0.isExcluded ? "more than" : "at least") \($0.value.text)" },
      maximum.map { "\($0.isExcluded ? "less than" : "at most") \($0.value.text)" },
    ].compactMap(\.self)
    return words.isEmpty ? nil : words.joined(separator: " and ")
  }
}
