import BackendKit
import CommandLanguage
import ConsoleSetup
import SQL

extension Completer {
  mutating func completeSQL(_ word: PartialWord) -> CommandCompletion {
    let place = SQLPlaceAtCursor(word.raw)
    let found = place.path.isEmpty ? words(place) : names(after: place)
    // A column of two tables is offered once.
    var names: Set<String> = []
    let candidates = found.filter { Self.begins($0.text, with: place.typed) && names.insert($0.text).inserted }
      .map { CommandCompletion.Candidate(text: $0.text, suffix: $0.suffix ?? " ", note: $0.note, word: $0.text) }
    return CommandCompletion(start: word.start + place.start, candidates: candidates)
  }

  /// Compares names in any case, and quoted names without their quotes.
  private static func begins(_ text: String, with typed: String) -> Bool {
    if text.hasPrefix(typed) { return true }
    return text.lowercased().hasPrefix(typed.lowercased()) || text.hasPrefix("\"" + typed)
  }

  /// Returns the proposals for a name without a dot: backends where a table is expected, otherwise columns, functions
  /// and keywords.
  private mutating func words(_ place: SQLPlaceAtCursor) -> [Proposal] {
    let backends = known.configurations.map {
      Proposal(SQLWords.quoted($0.name), "\($0.plugin) at \($0.url)", suffix: ".")
    }
    if place.isAtTable { return backends }
    let isLower = place.typed.first?.isLowercase == true
    let keywords = SQLWords.keywords.map { Proposal(isLower ? $0.lowercased() : $0) }
    let functions = SQLWords.functions.map { Proposal($0 + "(", "function", suffix: "") }
    let aliases = place.tables.compactMap { $0.alias.map { Proposal($0, suffix: ".") } }
    let columns = place.tables.flatMap { self.columns(of: $0) }
    return aliases + columns + (place.typed.isEmpty ? [] : functions + keywords)
  }

  /// Returns the proposals after a dot: the tables of a backend, or the columns of a table.
  private mutating func names(after place: SQLPlaceAtCursor) -> [Proposal] {
    if place.path.count == 1, let table = place.tables.first(where: { $0.isCalled(place.path[0]) }) {
      let found = columns(of: table)
      if !found.isEmpty { return found }
    }
    if place.path.count == 2 {
      return columns(of: SQLPlaceAtCursor.Table(backend: place.path[0], resource: place.path[1]))
    }
    guard place.path.count == 1, let description = description(of: place.path[0]) else { return [] }
    let below = description.resources.flatMap { owner in
      owner.children.map { "\(owner.name)/\(owner.shortName(of: $0))" }.filter { !description.hasResource(named: $0) }
    }
    return (description.names + below).map {
      Proposal(SQLWords.quoted($0), description.outlined?.outline(named: $0)?.group)
    }
  }

  private mutating func columns(of table: SQLPlaceAtCursor.Table) -> [Proposal] {
    guard let description = description(of: table.backend) else { return [] }
    guard let resource = SQLResource(named: table.resource, in: description) else { return [] }
    return SQLWords.columns(of: resource, all: true).map { column in
      Proposal(SQLWords.quoted(column), resource.description.field(named: column)?.kind.rawValue)
    }
  }

  private mutating func description(of backend: String) -> BackendDescription? {
    guard known.configurations.contains(where: { $0.name == backend }) else { return nil }
    if known.descriptions[backend] == nil { missing.insert(.description(backend)) }
    return known.descriptions[backend]
  }
}

struct SQLPlaceAtCursor {
  struct Table {
    let backend: String
    let resource: String
    var alias: String?

    func isCalled(_ name: String) -> Bool { name == alias ?? resource }
  }

  /// The part typed of the name, without its quote.
  let typed: String
  /// The start of that part, including its quote, in scalars of the statement.
  let start: Int
  /// The names before it, each with a dot.
  let path: [String]
  let isAtTable: Bool
  let tables: [Table]

  init(_ text: String) {
    let bytes = Array(text.utf8)
    var tokens = SQLScanner.tokens(text).filter { $0.kind != .comment }
    func written(_ token: SQLScanner.Token) -> String { String(decoding: bytes[token.range], as: UTF8.self) }
    var begin = bytes.count
    var last = ""
    if let token = tokens.last, token.range.upperBound == bytes.count, token.kind == .word || !token.isClosed {
      begin = token.range.lowerBound
      last = written(token)
      tokens.removeLast()
    }
    typed = last.first.map { "\"`['".contains($0) } == true ? String(last.dropFirst()) : last
    start = String(decoding: bytes[..<begin], as: UTF8.self).unicodeScalars.count
    var path: [String] = []
    var rest = tokens[...]
    while rest.count > 1, rest.last?.kind == .sign(UInt8(ascii: ".")), let name = rest.dropLast().last,
      name.kind == .word || name.kind == .name, path.count < 2
    {
      path.insert(Self.name(name, bytes), at: 0)
      rest = rest.dropLast(2)
    }
    self.path = path
    isAtTable = rest.last.map { Self.precedesTable(written($0)) } ?? false
    tables = Self.tables(tokens, bytes)
  }

  private static func precedesTable(_ word: String) -> Bool {
    ["FROM", "JOIN", "INTO", "UPDATE"].contains(word.uppercased())
  }

  private static func name(_ token: SQLScanner.Token, _ bytes: [UInt8]) -> String {
    let text = String(decoding: bytes[token.range], as: UTF8.self)
    return token.kind == .name ? String(text.dropFirst().dropLast(token.isClosed ? 1 : 0)) : text
  }

  private static let keywords = Set(SQLWords.keywords.flatMap { $0.split(separator: " ").map(String.init) })

  /// The tables after keywords that a table follows, with their aliases.
  private static func tables(_ tokens: [SQLScanner.Token], _ bytes: [UInt8]) -> [Table] {
    var tables: [Table] = []
    func isName(_ index: Int) -> Bool {
      index < tokens.count && (tokens[index].kind == .word || tokens[index].kind == .name)
    }
    for index in tokens.indices where tokens[index].kind == .word || tokens[index].kind == .sign(UInt8(ascii: ",")) {
      let text = String(decoding: bytes[tokens[index].range], as: UTF8.self)
      guard text == "," || precedesTable(text), isName(index + 1), isName(index + 3),
        tokens[index + 2].kind == .sign(UInt8(ascii: "."))
      else { continue }
      var table = Table(backend: name(tokens[index + 1], bytes), resource: name(tokens[index + 3], bytes))
      var next = index + 4
      if isName(next), name(tokens[next], bytes).uppercased() == "AS" { next += 1 }
      if isName(next), !keywords.contains(name(tokens[next], bytes).uppercased()) {
        table.alias = name(tokens[next], bytes)
      }
      tables.append(table)
    }
    return tables
  }
}
