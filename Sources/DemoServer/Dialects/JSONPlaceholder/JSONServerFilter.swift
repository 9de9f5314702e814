import Foundation

/// Full-text search and field filters of a list.
struct JSONServerFilter {
  /// An expression in `_like` that is none.
  struct BadExpression: Error, CustomStringConvertible {
    let expression: String
    var description: String { "SyntaxError: Invalid regular expression: /\(expression)/i: bad expression" }
  }

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

  /// Parameters that no record has a field for are dropped, unless they end in an operator.
  init(_ form: Form, over records: [DemoJSON]) {
    search = form["q"].flatMap { $0.isEmpty ? nil : $0.lowercased() }
    var names: [String] = []
    var values: [String: [String]] = [:]
    for pair in form.pairs {
      let name = pair.name.hasSuffix("[]") ? String(pair.name.dropLast(2)) : pair.name
      if values[name] == nil { names.append(name) }
      values[name, default: []].append(pair.value)
    }
    conditions = names.compactMap { name in
      guard !Self.reserved.contains(name), let values = values[name], !records.isEmpty else { return nil }
      for (suffix, kind) in Self.suffixes where name.hasSuffix(suffix) {
        return Condition(path: String(name.dropLast(suffix.count)), kind: kind, values: values)
      }
      guard records.contains(where: { Self.value($0, at: name) != nil }) else { return nil }
      return Condition(path: name, kind: .equal, values: values)
    }
  }

  func filtered(_ records: [DemoJSON]) throws(BadExpression) -> [DemoJSON] {
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

  private static func matches(_ record: DemoJSON, _ condition: Condition) throws(BadExpression) -> Bool {
    guard let value = value(record, at: condition.path), value != .null else { return false }
    let text = JSONServerText.of(value)
    for wanted in condition.values {
      let isMatch: Bool
      switch condition.kind {
      case .equal: isMatch = wanted == text
      case .different: isMatch = wanted != text
      case .atLeast: isMatch = JSONServerText.compare(wanted, value).map { $0 <= 0 } ?? false
      case .atMost: isMatch = JSONServerText.compare(wanted, value).map { $0 >= 0 } ?? false
      case .like: isMatch = try like(wanted, text)
      }
      if condition.kind == .different {
        if !isMatch { return false }
      } else if isMatch {
        return true
      }
    }
    return condition.kind == .different
  }

  private static func like(_ expression: String, _ text: String) throws(BadExpression) -> Bool {
    if expression.isEmpty { return true }
    guard let regex = try? NSRegularExpression(pattern: expression, options: [.caseInsensitive]) else {
      throw BadExpression(expression: expression)
    }
    return regex.firstMatch(in: text, range: NSRange(text.startIndex..., in: text)) != nil
  }

  /// Values that count as false are never found.
  private static func contains(_ wanted: String, _ value: DemoJSON) -> Bool {
    switch value {
    case .null, .bool(false): false
    case .bool(true): "true".contains(wanted)
    case .number(let text): Double(text) != 0 && JSONServerText.of(.number(text)).lowercased().contains(wanted)
    case .string(let text): text.lowercased().contains(wanted)
    case .array(let elements): elements.contains { contains(wanted, $0) }
    case .object(let members): members.contains { contains(wanted, $0.value) }
    }
  }
}

/// Values as JavaScript turns them into texts and compares them.
enum JSONServerText {
  static func of(_ value: DemoJSON) -> String {
    switch value {
    case .null: "null"
    case .bool(let value): value ? "true" : "false"
    case .number(let text): number(text)
    case .string(let text): text
    case .array(let elements): elements.map { $0 == .null ? "" : of($0) }.joined(separator: ",")
    case .object: "[object Object]"
    }
  }

  /// How a text stands to a value: by number where the value is one, by UTF-16 code units otherwise.
  static func compare(_ text: String, _ value: DemoJSON) -> Int? {
    switch value {
    case .number(let number): Double(text).flatMap { left in Double(number).map { order(left, $0) } }
    case .bool(let bool): Double(text).map { order($0, bool ? 1 : 0) }
    default: order(Array(text.utf16), Array(of(value).utf16))
    }
  }

  static func order(_ left: [UInt16], _ right: [UInt16]) -> Int {
    left == right ? 0 : left.lexicographicallyPrecedes(right) ? -1 : 1
  }

  static func order(_ left: Double, _ right: Double) -> Int { left < right ? -1 : left > right ? 1 : 0 }

  private static func number(_ text: String) -> String {
    guard let value = Double(text) else { return text }
    if let whole = Int(exactly: value), abs(whole) < 1 << 53 { return String(whole) }
    return "\(value)"
  }
}
