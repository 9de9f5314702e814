package import BackendKit
package import ConsoleSystem

/// A mapping from the fields of a record that was read to those of a record to write: `title=name,
/// completed=isComplete, user='ana'`.
///
/// A field that it does not name comes from the field of the same name, unless that one is renamed: `title=name` takes
/// `name` away, `title=name + note` reads both and leaves them unchanged. `FIELD=` leaves a field out.
package struct FieldMap: Sendable {
  /// The fields that are named, in their order, and what each is made of; nil leaves the field out.
  package let entries: [(field: String, source: Expression?)]
  /// The fields that are read for them.
  package let sources: Set<String>
  /// Those of them that are read without a fallback.
  package let needed: Set<String>
  /// Those of the sources that get another name and nothing else.
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

  /// Reads a mapping as it is written.
  package init(_ text: String) throws(UsageError) { self.init(try Self.entries(text)) }

  /// The fields of the record that is written. Fields of `hidden` can be sources, and are not written under their own names.
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

  /// Returns whether the values of a field are made by an expression that is more than the name of another field.
  package func isComputed(_ name: String) -> Bool {
    entries.contains { $0.field == name && $0.source != nil && $0.source?.onlyField == nil }
  }

  /// The field that another one gets its values from, the first of several; nil if no field makes it, or if it is left out.
  package func source(of field: String) -> FieldPath? {
    guard let entry = entries.first(where: { $0.field == field }) else {
      return renamed.contains(field) ? nil : FieldPath(field)
    }
    return entry.source?.fields.first
  }

  /// The fields that get their values from one field and no other, under its own name or others.
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
