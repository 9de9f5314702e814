import BackendKit

/// How the fields of a record that is written come from one that was read: `title=name, completed=isComplete, user='ana'`.
///
/// A field that it does not name comes from the field of the same name, unless it names that one as a source. `FIELD=` leaves a
/// field out.
struct FieldMap: Sendable {
  /// What a field is made of.
  indirect enum Source: Sendable {
    case field(FieldPath)
    case value(Value)
    /// Texts one after the other.
    case joined([Source])
    case function(Function, [Source])
    /// Nothing: the field is left out.
    case nothing
  }

  /// What can be made of a value.
  enum Function: String, CaseIterable, Sendable {
    case lower, upper, trim, not, text, number
    /// The first of its values that is there and not null.
    case first

    fileprivate var takesSeveral: Bool { self == .first }
  }

  /// The fields that are named, in their order.
  let entries: [(field: String, source: Source)]
  /// The fields that are read for them.
  let sources: Set<String>

  static let none = FieldMap([])

  private init(_ entries: [(field: String, source: Source)]) {
    self.entries = entries
    sources = Set(entries.flatMap { $0.source.fields })
  }

  /// Reads a mapping as it is written.
  init(_ text: String) throws(UsageError) {
    var parser = FieldMapParser(text)
    self.init(try parser.entries())
  }

  /// The fields of the record that is written.
  func applied(to object: Object) throws(UsageError) -> Object {
    guard !entries.isEmpty else { return object }
    let named = Set(entries.map(\.field))
    var result = Object()
    for (name, value) in object.members where !named.contains(name) && !sources.contains(name) {
      result[name] = value
    }
    for (field, source) in entries { result[field] = try source.value(in: object, for: field) }
    return result
  }

  /// The fields of another record that this one is made from and that are missing in it.
  func missing(in object: Object) -> [String] {
    sources.filter { FieldPath($0).value(in: object) == nil }.sorted()
  }
}

extension FieldMap.Source {
  /// The fields that it is made of.
  fileprivate var fields: [String] {
    switch self {
    case .field(let path): [path.text]
    case .value, .nothing: []
    case .joined(let parts), .function(_, let parts): parts.flatMap(\.fields)
    }
  }

  /// Its value for a record; nil where there is none.
  fileprivate func value(in object: Object, for field: String) throws(UsageError) -> Value? {
    switch self {
    case .field(let path): return path.value(in: object)
    case .value(let value): return value
    case .nothing: return nil
    case .joined(let parts):
      var text = ""
      for part in parts { text += try part.value(in: object, for: field)?.plain ?? "" }
      return .string(text)
    case .function(let function, let parts):
      if function == .first {
        for part in parts {
          if let value = try part.value(in: object, for: field), value != .null { return value }
        }
        return nil
      }
      guard let value = try parts.first?.value(in: object, for: field) else { return nil }
      return try function.applied(to: value, for: field)
    }
  }
}

extension FieldMap.Function {
  fileprivate func applied(to value: Value, for field: String) throws(UsageError) -> Value {
    if value == .null { return .null }
    switch self {
    case .lower: return .string(value.plain.lowercased())
    case .upper: return .string(value.plain.uppercased())
    case .trim: return .string(value.plain.trimmingBlanks)
    case .text: return .string(value.plain)
    case .number:
      guard let number = Number(value.plain.trimmingBlanks) else { throw misfit(value, field, "a number") }
      return .number(number)
    case .not:
      guard let truth = value.truth ?? Bool(value.plain) else { throw misfit(value, field, "a boolean") }
      return .bool(!truth)
    case .first: return value
    }
  }

  private func misfit(_ value: Value, _ field: String, _ kind: String) -> UsageError {
    UsageError("\(field): \(rawValue)(…) needs \(kind), not \(DisplayWidth.cut(JSONWriter.compact(value), to: 40))")
  }
}

extension Value {
  /// The value as text: a text itself, nothing for null, JSON for all else.
  fileprivate var plain: String { self == .null ? "" : text ?? JSONWriter.compact(self) }
}

extension String {
  fileprivate var trimmingBlanks: String {
    let scalars = unicodeScalars.drop(while: \.properties.isWhitespace)
    guard let last = scalars.lastIndex(where: { !$0.properties.isWhitespace }) else { return "" }
    return String(scalars[...last])
  }
}

/// Reads a mapping.
private struct FieldMapParser {
  private let characters: [Character]
  private var at = 0

  init(_ text: String) { characters = Array(text) }

  mutating func entries() throws(UsageError) -> [(field: String, source: FieldMap.Source)] {
    var entries: [(field: String, source: FieldMap.Source)] = []
    skipBlanks()
    while at < characters.count {
      let begin = at
      let field = try name("the field that is written")
      try expect("=", "after \"\(field)\"")
      skipBlanks()
      let isOver = at == characters.count || characters[at] == ","
      entries.append((field, isOver ? .nothing : try source()))
      if entries.dropLast().contains(where: { $0.field == field }) {
        throw UsageError("--map sets \(field) twice", hint: "character \(begin + 1) of it")
      }
      skipBlanks()
      if at < characters.count { try expect(",", "after the source of \(field)") }
      skipBlanks()
    }
    guard !entries.isEmpty else { throw UsageError("--map is empty", hint: Self.form) }
    return entries
  }

  private static let form = "write FIELD=SOURCE, FIELD='text', FIELD=lower(SOURCE), … ; help transfer"

  private mutating func source() throws(UsageError) -> FieldMap.Source {
    var parts = [try part()]
    while true {
      skipBlanks()
      guard at < characters.count, characters[at] == "+" else { break }
      at += 1
      parts.append(try part())
    }
    return parts.count == 1 ? parts[0] : .joined(parts)
  }

  private mutating func part() throws(UsageError) -> FieldMap.Source {
    skipBlanks()
    guard at < characters.count else { throw mistake("the source is missing") }
    if characters[at] == "'" || characters[at] == "\"" { return .value(.string(try quoted())) }
    let begin = at
    let word = try name("a source")
    skipBlanks()
    if at < characters.count, characters[at] == "(" {
      guard let function = FieldMap.Function(rawValue: word) else {
        at = begin
        throw mistake(
          "\"\(word)\" is not a function", hint: FieldMap.Function.allCases.map(\.rawValue).joined(separator: ", "))
      }
      at += 1
      var arguments = [try source()]
      skipBlanks()
      while function.takesSeveral, at < characters.count, characters[at] == "," {
        at += 1
        arguments.append(try source())
        skipBlanks()
      }
      try expect(")", "after the arguments of \(word)")
      return .function(function, arguments)
    }
    switch word {
    case "true": return .value(.bool(true))
    case "false": return .value(.bool(false))
    case "null": return .value(.null)
    default: return Number(word).map { .value(.number($0)) } ?? .field(FieldPath(word))
    }
  }

  private mutating func quoted() throws(UsageError) -> String {
    let quote = characters[at]
    at += 1
    var text = ""
    while at < characters.count {
      let character = characters[at]
      at += 1
      if character == quote {
        // Two are one.
        guard at < characters.count, characters[at] == quote else { return text }
        at += 1
      }
      text.append(character)
    }
    throw mistake("a quote is not closed")
  }

  private mutating func name(_ what: String) throws(UsageError) -> String {
    if at < characters.count, characters[at] == "\"" { return try quoted() }
    let begin = at
    while at < characters.count, !" \t\n=,()+'\"".contains(characters[at]) { at += 1 }
    guard at > begin else { throw mistake("\(what) is missing") }
    return String(characters[begin..<at])
  }

  private mutating func expect(_ character: Character, _ place: String) throws(UsageError) {
    skipBlanks()
    guard at < characters.count, characters[at] == character else {
      throw mistake("\"\(character)\" is missing \(place)")
    }
    at += 1
  }

  private mutating func skipBlanks() { while at < characters.count, characters[at].isWhitespace { at += 1 } }

  private func mistake(_ reason: String, hint: String? = nil) -> UsageError {
    UsageError("--map: \(reason) (character \(at + 1))", hint: hint ?? Self.form)
  }
}
