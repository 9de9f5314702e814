extension Service.Resource {
  /// The identifier in the address of a record; nil if the address has another form.
  func identifier(at address: String) -> RecordID? {
    let (path, query) = Link.decoded(address, without: addressing.suffix)
    switch addressing.item {
    case .below: return identifier(behind: path)
    case .key: return path.last.flatMap(Self.keys).flatMap { named($0.map { ($0.name, $0.value) }) }
    case .root: return Link.path(address, below: self.path.segments).flatMap { RecordID(.string($0)) }
    case .filter(let value):
      return named(
        query.compactMap { name, text in
          Placeholders.values(in: text, of: value)?["value"].map { (name, $0) }
        })
    case .template(let text):
      guard let values = Placeholders.values(at: path, query, of: text) else {
        // A record that is read by parameters may still have a plain address.
        return identifier.parts.isEmpty ? path.last.flatMap { RecordID(.string($0)) } : nil
      }
      let whole = identifier.parts.isEmpty ? values["id"] : nil
      return whole.flatMap { RecordID(.string($0)) } ?? named(values.map { ($0, $1) })
    }
  }

  /// The identifier in a path: what follows the collection, otherwise the last segment.
  private func identifier(behind path: [String]) -> RecordID? {
    let names = identifier.parts
    guard let last = path.last else { return nil }
    if names.isEmpty || identifier.values(of: RecordID(last)) != nil { return RecordID(.string(last)) }
    return path.count < names.count ? nil : identifier.identifier(joining: path.suffix(names.count))
  }

  /// The identifier with these values, by the names of their fields; a single value may have no name.
  private func named(_ values: [(name: String?, value: String)]) -> RecordID? {
    guard !identifier.parts.isEmpty else {
      let field = identifier.field ?? "id"
      let own = values.first { $0.name == field } ?? (values.count == 1 && values[0].name == nil ? values[0] : nil)
      return own.flatMap { RecordID(.string($0.value)) }
    }
    let found = identifier.parts.compactMap { name in values.first { $0.name == name }?.value }
    return found.count == identifier.parts.count ? identifier.identifier(joining: found) : nil
  }

  /// The values in the parentheses of an OData key.
  private static func keys(_ part: String) -> [(name: String?, value: String)]? {
    guard part.last == ")", let open = part.firstIndex(of: "(") else { return nil }
    var (keys, current, isQuoted): ([String], String, Bool) = ([], "", false)
    for character in part[part.index(after: open)...].dropLast() {
      if character == "'" { isQuoted.toggle() }
      if character == ",", !isQuoted {
        keys.append(current)
        current = ""
      } else {
        current.append(character)
      }
    }
    return (keys + [current]).map { key in
      let sides = key.first == "'" ? [Substring(key)] : key.split(separator: "=", maxSplits: 1)
      return (sides.count > 1 ? String(sides[0]) : nil, unquoted(sides.last ?? ""))
    }
  }

  private static func unquoted(_ text: Substring) -> String {
    guard text.count >= 2, text.first == "'", text.last == "'" else { return String(text) }
    var rest = text.dropFirst().dropLast()
    var value = ""
    while let character = rest.popFirst() {
      if character == "'", rest.first == "'" { rest = rest.dropFirst() }
      value.append(character)
    }
    return value
  }
}

/// Matches texts against templates with `{name}`.
private enum Placeholders {
  /// The values for which a template with one placeholder gives the text; empty for a template without placeholders
  /// that equals it, nil if it does not match.
  static func values(in text: String, of template: String) -> [String: String]? {
    guard let open = template.firstIndex(of: "{"), let close = template[open...].firstIndex(of: "}") else {
      return text == template ? [:] : nil
    }
    let (before, behind) = (template[..<open], template[template.index(after: close)...])
    guard !behind.contains("{"), text.count > before.count + behind.count, text.hasPrefix(before),
      text.hasSuffix(behind)
    else { return nil }
    return [
      String(template[template.index(after: open)..<close]): String(text.dropFirst(before.count).dropLast(behind.count))
    ]
  }

  /// The values for which a template gives the end of a path, and parameters.
  static func values(
    at path: [String], _ query: [(String, String)], of template: String
  ) -> [String: String]? {
    let halves = template.split(separator: "?", maxSplits: 1).map(String.init)
    let segments = (halves.first ?? "").split(separator: "/").map(String.init)
    guard path.count >= segments.count else { return nil }
    var found: [String: String] = [:]
    for (segment, part) in zip(segments, path.suffix(segments.count)) {
      guard let values = values(in: part, of: segment) else { return nil }
      found.merge(values) { first, _ in first }
    }
    for pair in halves.dropFirst().flatMap({ $0.split(separator: "&") }) {
      let sides = pair.split(separator: "=", maxSplits: 1).map(String.init)
      guard sides.count == 2, let text = query.first(where: { $0.0 == sides[0] })?.1,
        let values = values(in: text, of: sides[1])
      else { return nil }
      found.merge(values) { first, _ in first }
    }
    return found.isEmpty ? nil : found
  }
}
