/// Full-text search and field filters of a list.
struct JSONServerFilter {
  private enum Kind { case equal, different, atLeast, atMost, like }

  private struct Condition {
    let path: String
    let kind: Kind
    let values: [String]
  }

  private static let reserved: Set<String> = [
    "q", "_start", "_end", "_page", "_sort", "_order", "_limit", "_embed", "_expand", "_delay", "callback", "_",
  ]
  private static let suffixes: [(String, Kind)] = [
    ("_lte", .atMost), ("_gte", .atLeast), ("_ne", .different), ("_like", .like),
  ]

  private let search: String?
  private let conditions: [Condition]

  /// Returns whether no parameter can exclude a record.
  static func isEmpty(_ form: JSONServerParameters) -> Bool {
    form.names.allSatisfy(reserved.contains) && form["q"]?.isEmpty ?? true
  }

  /// Parameters without a field in any record are dropped, unless they end in an operator.
  init(_ form: JSONServerParameters, over records: [DemoJSON]) {
    search = form["q"].flatMap { $0.isEmpty ? nil : $0.lowercased() }
    conditions = form.names.compactMap { name in
      guard !Self.reserved.contains(name), !records.isEmpty else { return nil }
      let values = form.all(name)
      for (suffix, kind) in Self.suffixes where name.hasSuffix(suffix) {
        return Condition(path: String(name.dropLast(suffix.count)), kind: kind, values: values)
      }
      guard records.contains(where: { Self.value($0, at: name) != nil }) else { return nil }
      return Condition(path: name, kind: .equal, values: values)
    }
  }

  func filtered(_ records: [DemoJSON]) throws(JSONServerExpression.Invalid) -> [DemoJSON] {
    var result: [DemoJSON] = []
    for record in records {
      if let search, !Self.contains(search, record) { continue }
      var isIn = true
      for condition in conditions where isIn { isIn = try Self.matches(record, condition) }
      if isIn { result.append(record) }
    }
    return result
  }

  /// The value at a path of names joined by dots.
  static func value(_ record: DemoJSON, at path: String) -> DemoJSON? {
    if let direct = record[path] { return direct }
    var current = record
    for part in path.split(separator: ".", omittingEmptySubsequences: false) {
      if let elements = current.elements, let index = Int(part), elements.indices.contains(index) {
        current = elements[index]
      } else if let next = current[String(part)] {
        current = next
      } else {
        return nil
      }
    }
    return current
  }

  private static func matches(_ record: DemoJSON, _ condition: Condition) throws(JSONServerExpression.Invalid) -> Bool {
    guard let value = value(record, at: condition.path), value != .null else { return false }
    let text = JSONServerText.of(value)
    for wanted in condition.values {
      let isMatch: Bool
      switch condition.kind {
      case .equal: isMatch = wanted.utf8.elementsEqual(text.utf8)
      case .different: isMatch = !wanted.utf8.elementsEqual(text.utf8)
      case .atLeast: isMatch = JSONServerText.compare(.string(wanted), value).map { $0 <= 0 } ?? false
      case .atMost: isMatch = JSONServerText.compare(.string(wanted), value).map { $0 >= 0 } ?? false
      case .like: isMatch = wanted.isEmpty ? true : try JSONServerExpression(wanted).matches(text)
      }
      if condition.kind == .different {
        if !isMatch { return false }
      } else if isMatch {
        return true
      }
    }
    return condition.kind == .different
  }

  /// Falsy values are never found.
  private static func contains(_ wanted: String, _ value: DemoJSON) -> Bool {
    switch value {
    case .null, .bool(false): false
    case .bool(true): JSONServerText.contains("true", wanted)
    case .number(let text): Double(text) != 0 && JSONServerText.contains(JSONServerText.of(value).lowercased(), wanted)
    case .string(let text): JSONServerText.contains(text.lowercased(), wanted)
    case .array(let elements): elements.contains { contains(wanted, $0) }
    case .object(let members): members.contains { contains(wanted, $0.value) }
    }
  }
}
