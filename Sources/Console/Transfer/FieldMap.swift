import BackendKit

/// How the fields of a record that is written come from one that was read: `title=name, completed=isComplete, user='ana'`.
///
/// A field that it does not name comes from the field of the same name, unless that one is renamed: `title=name` takes `name` away,
/// `title=name + note` reads both and leaves them as they are. `FIELD=` leaves a field out.
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

    /// Whether it takes more than one value.
    var takesSeveral: Bool { self == .first }
  }

  /// The fields that are named, in their order.
  let entries: [(field: String, source: Source)]
  /// The fields that are read for them.
  let sources: Set<String>
  /// Those of the sources that get another name and nothing else.
  private let renamed: Set<String>

  static let none = FieldMap([])

  private init(_ entries: [(field: String, source: Source)]) {
    self.entries = entries
    sources = Set(entries.flatMap { $0.source.fields })
    renamed = Set(entries.compactMap { entry in entry.source.renamedField })
  }

  /// Reads a mapping as it is written.
  init(_ text: String) throws(UsageError) {
    var parser = FieldMapParser(text)
    self.init(try parser.entries())
  }

  /// The fields of the record that is written. Fields of `hidden` can be sources, and are not written under their own names.
  func applied(to object: Object, hiding hidden: Set<String> = []) throws(UsageError) -> Object {
    guard !entries.isEmpty || !hidden.isEmpty else { return object }
    let named = Set(entries.map(\.field))
    var result = Object()
    for (name, value) in object.members
    where !named.contains(name) && !renamed.contains(name) && !hidden.contains(name) {
      result[name] = value
    }
    for (field, source) in entries { result[field] = try source.value(in: object, for: field) }
    return result
  }

  /// Whether a field is read for others and has no entry of its own.
  func isOnlySource(_ name: String) -> Bool {
    sources.contains(name) && !entries.contains { $0.field == name }
  }

  /// The field that another one gets its values from, the first of several; nil if no field makes it, or if it is left out.
  func source(of field: String) -> FieldPath? {
    guard let entry = entries.first(where: { $0.field == field }) else {
      return renamed.contains(field) ? nil : FieldPath(field)
    }
    return entry.source.fields.first.map { FieldPath($0) }
  }

  /// The fields that get their values from one field and no other, under its own name or others.
  func goals(of field: String) -> [String] {
    let named = entries.filter { Set($0.source.fields) == [field] }.map(\.field)
    let keepsName = !renamed.contains(field) && !entries.contains { $0.field == field }
    return (keepsName ? [field] : []) + named
  }

  /// The fields of another record that this one is made from and that are missing in it.
  func missing(in object: Object) -> [String] {
    sources.filter { FieldPath($0).value(in: object) == nil }.sorted()
  }
}

extension FieldMap.Source {
  /// The field of a plain rename.
  fileprivate var renamedField: String? { if case .field(let path) = self { path.text } else { nil } }

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
      for part in parts { text += try part.value(in: object, for: field).map(Scope.text) ?? "" }
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
    case .lower: return .string(value.plainText.lowercased())
    case .upper: return .string(value.plainText.uppercased())
    case .trim: return .string(value.plainText.trimmingBlanks)
    case .text: return .string(value.plainText)
    case .number:
      guard let number = Number(value.plainText.trimmingBlanks) else { throw misfit(value, field, "a number") }
      return .number(number)
    case .not:
      guard let truth = value.truth ?? Bool(value.plainText) else { throw misfit(value, field, "a boolean") }
      return .bool(!truth)
    case .first: return value
    }
  }

  private func misfit(_ value: Value, _ field: String, _ kind: String) -> UsageError {
    UsageError("\(field): \(rawValue)(…) needs \(kind), not \(DisplayWidth.cut(JSONWriter.compact(value), to: 40))")
  }
}

extension String {
  fileprivate var trimmingBlanks: String {
    let scalars = unicodeScalars.drop(while: \.properties.isWhitespace)
    guard let last = scalars.lastIndex(where: { !$0.properties.isWhitespace }) else { return "" }
    return String(scalars[...last])
  }
}
