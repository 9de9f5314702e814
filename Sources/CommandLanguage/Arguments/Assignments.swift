package import BackendKit
import ConsoleOutput
package import ConsoleSystem

/// Reads words that set fields: `title=text`, `done:=true`, `body=@file`, `meta:=@file.json`, `name=\@literal`,
/// `name='@literal'`, `address.city=Bern`, `"a.b"=text`, `done=!` to invert a boolean, `qty:=(qty + 1)` for an
/// expression.
package enum Assignments {
  /// Returns the changes in the order of the words, then the fields to unset.
  ///
  /// The text after `=` is read in the field's type if `fields` includes it, otherwise as text; after `:=` it is JSON,
  /// kept without loss. `readFile` reads the file named after `@`, or standard input for `-`: whole, including line
  /// ends; `takeFile` returns the stand-in for the file of a file field, whose content is sent. Quotes around a value
  /// do not affect its type.
  package static func edits(
    from words: [Word], unset: [String] = [], fields: [FieldDescription], readFile: (String) throws -> [UInt8],
    takeFile: (String, FieldDescription) throws -> Value = { _, field in throw UsageError("\(field.name) is a file") }
  ) throws -> FieldEdits {
    var edits = FieldEdits()
    var seen: [FieldName] = []
    let now = Moment.now()
    let given = try words.indices.map { place throws(UsageError) in
      try parts(of: words[place], after: words[..<place].last, fields: fields)
    }
    for (word, (text, isJSON, value)) in zip(words, given) {
      let name = FieldName(text, isQuoted: word.quotedHead == text.utf8.count, fields: fields)
      if seen.contains(where: name.overlaps) { throw UsageError("\(text) is set twice", column: word.column) }
      seen.append(name)
      if value.text == "!", !value.isQuoted, !isJSON, name.description(in: fields)?.kind == .boolean {
        name.addOpposite(to: &edits)
        continue
      }
      do {
        if isJSON, Self.isExpression(value) {
          try add(value, text, name, fields, now, to: &edits)
          continue
        }
        if let field = name.description(in: fields), field.file != nil, !value.isUnknown {
          name.add(try file(value, isJSON: isJSON, field, takeFile), to: &edits)
          continue
        }
        let field = name.description(in: fields)
        name.add(
          try self.value(of: value, isJSON: isJSON, text, field, readFile), isWord: !isJSON && field == nil, to: &edits)
      } catch let error as UsageError {
        throw error.at(word.column)
      }
    }
    for text in unset {
      let name = FieldName(text, isQuoted: false, fields: fields)
      if seen.contains(where: name.overlaps) { throw UsageError("\(text) is set or unset twice") }
      seen.append(name)
      name.add(nil, to: &edits)
    }
    return edits
  }

  /// The field and file in a word that may also be a text: `name=@ana`. A name with a folder or extension is a file's,
  /// and file fields accept nothing else. Nil for every other word.
  package static func bareFile(in word: Word, fields: [FieldDescription]) -> (field: String, file: String)? {
    // A word that is no assignment is refused with all of them.
    guard let (text, isJSON, value) = try? parts(of: word, fields: fields), !isJSON, namesFile(value),
      !value.hasQuotedValue, value.text != "@-",
      !value.text.utf8.contains(where: { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "/") }),
      FieldName(text, isQuoted: false, fields: fields).description(in: fields)?.file == nil
    else { return nil }
    return (text, String(value.text.dropFirst()))
  }

  /// Returns whether the value of an assignment names a file to read.
  private static func namesFile(_ value: Word) -> Bool {
    value.text.utf8.first == UInt8(ascii: "@") && !value.hasInsertion(before: 1)
  }

  /// Returns whether the text after `:=` is an expression: it begins with a parenthesis, which JSON never does.
  private static func isExpression(_ word: Word) -> Bool {
    word.text.utf8.first == UInt8(ascii: "(") && !word.hasInsertion(before: 1)
  }

  /// Adds a change by an expression, computed immediately if it needs no record.
  private static func add(
    _ word: Word, _ text: String, _ name: FieldName, _ fields: [FieldDescription], _ now: Moment,
    to edits: inout FieldEdits
  ) throws(UsageError) {
    let field = name.description(in: fields)
    let expression = try ExpressionParser.assigned(word, to: text)
    // An unknown value fits any field.
    if word.isUnknown { return name.add(.string(""), to: &edits) }
    let formula = Formula(expression, now: now, optional: Set(fields.map(\.name))) { value in
      fitting(value, text, field)
    }
    guard expression.isConstant else { return name.add(formula, to: &edits) }
    do throws(BackendError) { name.add(try formula.value(of: Object()) ?? .null, to: &edits) } catch {
      throw UsageError("\(text): \(error.message)", hint: error.hint)
    }
  }

  /// Returns a computed value, converted to the field's kind.
  private static func fitting(
    _ value: Value, _ name: String, _ field: FieldDescription?
  ) -> Result<Value, BackendError> {
    do throws(UsageError) { return .success(try inserted(value, name, field)) } catch {
      return .failure(.invalid(error.message))
    }
  }

  /// Returns the stand-in for the file of a field.
  private static func file(
    _ word: Word, isJSON: Bool, _ field: FieldDescription, _ takeFile: (String, FieldDescription) throws -> Value
  ) throws -> Value {
    if isJSON, word.text == "null" {
      throw UsageError("\(field.name) is a file, and null is none", hint: "update --unset \(field.name) clears it")
    }
    guard !isJSON, word.text.utf8.first == UInt8(ascii: "@"), !word.hasInsertion(before: 1), word.text != "@" else {
      throw UsageError("\(field.name) is a file", hint: "\(field.name)=@FILE sends one")
    }
    return try takeFile(String(word.text.dropFirst()), field)
  }

  private static func value(
    of word: Word, isJSON: Bool, _ name: String, _ field: FieldDescription?,
    _ readFile: (String) throws -> [UInt8]
  ) throws -> Value {
    // An unknown value fits any field.
    if word.isUnknown { return .string("") }
    if !isJSON, let insertion = word.wholeInsertion, let value = insertion.value {
      if insertion.isNow, field?.kind == .day, let text = value.text { return .string(String(text.prefix(10))) }
      return try inserted(value, name, field)
    }
    let text = word.text
    if namesFile(word), isJSON || !word.hasQuotedValue {
      let file = String(text.dropFirst())
      let bytes = try contents(ofFileNamed: file, for: name, readFile)
      return isJSON ? try json(bytes, name, file: file) : try typed(fileText(bytes, name, field), name, field)
    }
    let plain = word.hasInsertion(before: 1) ? text : unescaped(text)
    return isJSON ? try json(Array(plain.utf8), name) : try typed(plain, name, field)
  }

  /// A value from a variable keeps its type, except for texts, which may be meant as another, and values for text
  /// fields.
  private static func inserted(_ value: Value, _ name: String, _ field: FieldDescription?) throws(UsageError) -> Value {
    switch (value, field?.kind) {
    case (.string(let text), _): try typed(text, name, field)
    case (.number, .text?), (.number, .html?), (.number, .date?), (.number, .day?), (.bool, .text?), (.bool, .html?):
      .string(JSONWriter.compact(value))
    default: value
    }
  }

  /// The question whether a text that begins with a parenthesis, and ends before it is closed, was to be an expression.
  private static func asExpression(_ word: Word, _ fields: [FieldDescription]) -> String? {
    guard !word.hasQuotedValue, let equals = nameEnd(of: word, fields), word.text[equals...].hasPrefix("=("),
      !word.text.contains(")")
    else { return nil }
    return "did you mean \(word.text[..<equals]):=(…)?"
  }

  private static func parts(
    of word: Word, after before: Word? = nil, fields: [FieldDescription]
  ) throws(UsageError) -> (name: String, isJSON: Bool, value: Word) {
    let shown = word.text
    guard let equals = nameEnd(of: word, fields) else {
      throw UsageError(
        "\"\(shown)\" is not an assignment",
        hint: before.flatMap { asExpression($0, fields) } ?? "set a field with FIELD=VALUE, without spaces",
        column: word.column)
    }
    let length = word.text.utf8.distance(from: word.text.startIndex, to: equals)
    if word.hasInsertion(before: length + 1) {
      throw UsageError("a field name cannot come from a variable; write it out", column: word.column)
    }
    var name = word.text[..<equals]
    let isJSON = name.utf8.last == UInt8(ascii: ":")
    if isJSON { name = name.dropLast() }
    guard !name.isEmpty else {
      throw UsageError(
        "\"\(shown)\" does not name a field", hint: "set a field with FIELD=VALUE, without spaces", column: word.column
      )
    }
    if let last = name.last, OperatorSigns.all.contains(last), word.quotedName == nil,
      !fields.contains(where: { $0.name == name })
    {
      throw UsageError(
        "\"\(shown)\" is a condition, not an assignment", hint: "set a field with FIELD=VALUE", column: word.column)
    }
    return (String(name), isJSON, word.dropFirst(length + 1))
  }

  /// The `=` behind the name that a word sets: the last one behind the name of a field, otherwise the first.
  private static func nameEnd(of word: Word, _ fields: [FieldDescription]) -> String.Index? {
    let bytes = word.text.utf8
    if let length = word.quotedName {
      return bytes.dropFirst(length).firstIndex(of: UInt8(ascii: "="))
    }
    let places = bytes.indices.lazy.filter { bytes[$0] == UInt8(ascii: "=") }.prefix(8)
    guard let first = places.first else { return nil }
    return places.dropFirst().last { place in
      let name = word.text[..<place]
      return fields.contains { $0.name == name || $0.name + ":" == name }
    } ?? first
  }

  /// Returns whether a word may set an undescribed field whose name contains an operator: only the record shows if it
  /// has one.
  package static func mayNameOther(_ word: Word, _ fields: [FieldDescription]) -> Bool {
    guard let end = nameEnd(of: word, fields), word.insertions.isEmpty, word.quotedName == nil else { return false }
    let name = word.text[..<end]
    let isKnown = FieldPath(String(name.last == ":" ? name.dropLast() : name)).holders.contains { holder in
      fields.contains { $0.name == holder }
    }
    if isKnown { return false }
    return name.last.map { OperatorSigns.all.contains($0) } ?? false
      || word.text[end...].dropFirst().utf8.contains(UInt8(ascii: "="))
  }

  /// Removes one backslash from a text that begins with backslashes followed by `@`.
  static func unescaped(_ text: String) -> String {
    guard text.utf8.first == UInt8(ascii: "\\"),
      text.utf8.first(where: { $0 != UInt8(ascii: "\\") }) == UInt8(ascii: "@")
    else { return text }
    return String(text.dropFirst())
  }

  // MARK: Values

  private static func contents(
    ofFileNamed path: String, for name: String, _ readFile: (String) throws -> [UInt8]
  ) throws -> [UInt8] {
    guard !path.isEmpty else {
      throw UsageError(
        "missing file name after @ in the value of \(name)",
        hint: #"write \@ for a value that begins with @"#)
    }
    return try readFile(path)
  }

  private static func fileText(
    _ bytes: [UInt8], _ name: String, _ field: FieldDescription?
  ) throws(UsageError) -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      let place = (TextBytes.invalidPlace(in: bytes) ?? 0) + 1
      throw UsageError("the file for \(name) is not valid UTF-8 at byte \(place)")
    }
    switch field?.kind {
    case .integer, .number, .boolean: return text.trimmingLineEnd
    default: return text
    }
  }

  private static func json(
    _ bytes: [UInt8], _ name: String, file: String? = nil, isWord: Bool = true
  ) throws(UsageError) -> Value {
    do {
      return try JSONReader.read(input: bytes, takesMark: file != nil)
    } catch {
      let shown = name
      throw UsageError(
        "the \(file == nil ? "value of" : "file for") \(shown) is not valid JSON: \(error.words(in: bytes))",
        hint: file == nil && isWord ? "\(shown)=TEXT sets text without JSON quotes" : nil)
    }
  }

  private static func typed(
    _ text: String, _ name: String, _ field: FieldDescription?, isWord: Bool = true
  ) throws(UsageError) -> Value {
    guard let field, field.likely.contains(.type) else { return try certain(text, name, field, isWord) }
    do throws(UsageError) { return try certain(text, name, field, isWord) } catch {
      // The type may be another one.
      return Number(text).map { .number($0) } ?? .string(text)
    }
  }

  private static func certain(
    _ text: String, _ name: String, _ field: FieldDescription?, _ isWord: Bool
  ) throws(UsageError) -> Value {
    func misfit(_ kind: String, _ hint: String?) -> UsageError {
      let quoted = DisplayWidth.cut(text, to: 40)
      // Answers and rows of files have no `:=`.
      let word = text == "null" ? "\(name):=null sets null" : hint ?? "write \(name):=JSON for a value of another kind"
      return UsageError("\(name) is \(kind), and \"\(quoted)\" is not", hint: isWord ? word : hint)
    }
    switch field?.kind {
    case .boolean:
      if text == "true" { return .bool(true) }
      if text == "false" { return .bool(false) }
      if field?.holdsNumbers == true, text == "0" || text == "1" { return .int(text == "1" ? 1 : 0) }
      throw misfit("a boolean", "write true or false")
    case .integer where Preview.isPlanned(text), .number where Preview.isPlanned(text): return .string(text)
    case .integer:
      if let number = Number(text), text.utf8.allSatisfy({ $0 != 0x2E && $0 | 0x20 != 0x65 }) {
        return .number(number)
      }
      throw misfit("an integer", nil)
    case .number:
      if let number = Number(text) { return .number(number) }
      throw misfit("a number", nil)
    case .object: throw misfit("an object", "write it as JSON: \(name):={…}")
    case .list: throw misfit("a list", "write it as JSON: \(name):=[…]")
    case .date, .day:
      let isNow = text == "now"
      let text = try TypedDate.iso(text) ?? text
      if !isNow, let mistake = field?.mistake(ofTimeIn: text) { throw mistake }
      return .string(field?.normalized(text) ?? text)
    case .text, .html, .any, nil: return .string(text)
    }
  }

  /// The value of a field as an answer to a prompt: a text in the field's type, an object or list as JSON.
  package static func value(answered text: String, _ field: FieldDescription) throws(UsageError) -> Value {
    guard [.object, .list].contains(field.kind) else { return try typed(text, field.name, field, isWord: false) }
    let value = try json(Array(text.utf8), field.name, isWord: false)
    let fits = field.kind == .object ? value.object != nil : value.array != nil
    guard fits else { throw UsageError("\(field.name) is \(field.kind == .object ? "an object" : "a list")") }
    return value
  }
}

extension Word {
  /// The fields that the word sets, if it is an assignment or a mapping; possibly others if it only looks like one.
  package var assignedFields: [String] {
    text.split(separator: "=", omittingEmptySubsequences: false).dropLast().flatMap { part in
      let begin = part.last == ":" ? part.dropLast() : part
      return [begin, begin.split { $0 == " " || $0 == "," }.last ?? begin].flatMap { name in
        [String(name), FieldPath(String(name)).field]
      }
    }
  }
}

extension String {
  /// The text without one LF or CRLF at its end.
  fileprivate var trimmingLineEnd: String { last == "\n" || last == "\r\n" ? String(dropLast()) : self }
}
