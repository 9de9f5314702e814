package import BackendKit
package import ConsoleSystem

/// A mapping from the fields of a source record to those of a record to write: `title=name, completed=isComplete,
/// user='ana'`.
///
/// Other fields keep their names, unless renamed: `title=name` moves `name`, while `title=name + note` reads both and
/// keeps them. `FIELD=` leaves a field out.
package struct FieldMap: Sendable {
  /// The named fields, in order, and their sources; nil leaves the field out.
  package let entries: [(field: String, source: Expression?)]
  /// All fields that are read.
  package let sources: Set<String>
  /// The sources that are read without a fallback.
  package let needed: Set<String>
  /// The sources that are only renamed.
  private let renamed: Set<String>
  private let now: Moment

  package static let none = FieldMap([])

  private init(_ entries: [(field: String, source: Expression?)]) {
    self.entries = entries
    sources = Set(entries.flatMap { $0.source?.fields ?? [] }.map(\.text))
    needed = Set(entries.flatMap { $0.source?.neededFields ?? [] }.map(\.text))
    renamed = Set(entries.compactMap { entry in entry.source?.onlyField })
    now = Moment.now()
  }

  package init(_ text: String) throws(UsageError) { self.init(try Self.entries(text)) }

  /// The fields of the record to write. Fields of `hidden` can be sources, but are not written under their own names.
  package func applied(to object: Object, hiding hidden: Set<String> = []) throws(UsageError) -> Object {
    guard !entries.isEmpty || !hidden.isEmpty else { return object }
    let named = Set(entries.map(\.field))
    var result = Object()
    for (name, value) in object.members
    where !named.contains(name) && !renamed.contains(name) && !hidden.contains(name) {
      result[name] = value
    }
    let inputs = ExpressionInputs(fields: object, now: now)
    for (field, source) in entries {
      do throws(UsageError) { result[field] = try source?.result(inputs) } catch {
        throw UsageError("\(field): \(error.message)", hint: error.hint)
      }
    }
    return result
  }

  /// Returns whether a field is only read for other fields and has no entry of its own.
  package func isOnlySource(_ name: String) -> Bool {
    sources.contains(name) && !entries.contains { $0.field == name }
  }

  /// Returns whether the values of a field are computed by an expression beyond a field's name.
  package func isComputed(_ name: String) -> Bool {
    entries.contains { $0.field == name && $0.source != nil && $0.source?.onlyField == nil }
  }

  /// The source field of a field, the first of several; nil if it has none, or is left out.
  package func source(of field: String) -> FieldPath? {
    guard let entry = entries.first(where: { $0.field == field }) else {
      return renamed.contains(field) ? nil : FieldPath(field)
    }
    return entry.source?.fields.first
  }

  /// The fields whose only source is this field, under any name.
  package func goals(of field: String) -> [String] {
    let named = entries.filter { entry in Set((entry.source?.fields ?? []).map(\.text)) == [field] }.map(\.field)
    let keepsName = !renamed.contains(field) && !entries.contains { $0.field == field }
    return (keepsName ? [field] : []) + named
  }
}

extension Expression {
  /// The field of a plain rename.
  fileprivate var onlyField: String? { if case .field(let path) = self { path.text } else { nil } }
}

// The text of a mapping.
extension FieldMap {
  private static let form = "write FIELD=SOURCE, FIELD='text', FIELD=lower(SOURCE), … ; help transfer"

  private static func entries(_ text: String) throws(UsageError) -> [(field: String, source: Expression?)] {
    let word = Word(text: text, isQuoted: true, column: 1)
    var parser = ExpressionParser(try ExpressionLexer.tokens(of: word, .mapping, place: "--map"), place: "--map")
    var entries: [(field: String, source: Expression?)] = []
    while parser.token.kind != .end {
      let begin = parser.token
      guard let field = Self.name(begin) else {
        throw parser.complaint("the target field is missing", hint: form)
      }
      parser.at += 1
      guard parser.token.kind == .comparison(.equal) else {
        throw parser.complaint("\"=\" is missing after \"\(field)\"", hint: form)
      }
      parser.at += 1
      let isOver = parser.token.kind == .end || parser.token.kind == .comma
      entries.append((field, isOver ? nil : try parser.expression()))
      if entries.dropLast().contains(where: { $0.field == field }) {
        throw UsageError("--map sets \(field) twice", hint: "column \(begin.column) of it")
      }
      guard parser.token.kind != .end else { break }
      guard parser.token.kind == .comma else {
        throw parser.complaint("\",\" is missing after the source of \(field)", hint: form)
      }
      parser.at += 1
    }
    guard !entries.isEmpty else { throw UsageError("--map is empty", hint: form) }
    return entries
  }

  /// The name of a field, which may be in double quotes.
  private static func name(_ token: ExpressionToken) -> String? {
    if let text = token.text { return text.isEmpty ? nil : text }
    if case .word(let word) = token.kind { return word }
    return nil
  }
}
