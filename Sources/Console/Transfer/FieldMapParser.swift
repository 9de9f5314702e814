import BackendKit

/// Reads a mapping.
struct FieldMapParser {
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
