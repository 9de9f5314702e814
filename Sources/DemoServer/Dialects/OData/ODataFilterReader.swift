/// Reads `$filter`: comparisons, `contains`, `in`, `and`, `or`, `not` and parentheses.
struct ODataFilterReader {
  private enum Token: Equatable {
    case word(String)
    case text(String)
    case symbol(Character)
  }

  private let tokens: [Token]
  private let table: DemoTable
  private var at = 0
  private var depth = 0
  private var comparisons = 0

  /// The condition that a text says.
  static func condition(_ text: String, _ table: DemoTable) throws -> TableCondition {
    var reader = ODataFilterReader(tokens: try tokens(in: text), table: table)
    let condition = try reader.disjunction()
    guard reader.at == reader.tokens.count else { throw reader.problem("nothing more was expected") }
    return condition
  }

  private init(tokens: [Token], table: DemoTable) { (self.tokens, self.table) = (tokens, table) }

  private static func tokens(in text: String) throws(ODataProblem) -> [Token] {
    var tokens: [Token] = []
    var rest = text[...]
    while let first = rest.first {
      if first == " " || first == "\t" {
        rest.removeFirst()
      } else if "(),".contains(first) {
        tokens.append(.symbol(rest.removeFirst()))
      } else if first == "'" {
        tokens.append(.text(try quoted(&rest)))
      } else {
        let word = rest.prefix { !" \t(),'".contains($0) }
        tokens.append(.word(String(word)))
        rest = rest.dropFirst(word.count)
      }
    }
    return tokens
  }

  private static func quoted(_ rest: inout Substring) throws(ODataProblem) -> String {
    var text = String.UnicodeScalarView()
    var scalars = rest.unicodeScalars.dropFirst()
    while let scalar = scalars.popFirst() {
      if scalar == "'" {
        guard scalars.first == "'" else {
          rest = Substring(scalars)
          return String(text)
        }
        scalars.removeFirst()
      }
      text.append(scalar)
    }
    throw .syntax("$filter", "a text has no end")
  }

  private func problem(_ what: String) -> ODataProblem { .syntax("$filter", "\(what) at token \(at + 1)") }

  private mutating func take(_ token: Token) -> Bool {
    guard at < tokens.count, tokens[at] == token else { return false }
    at += 1
    return true
  }

  private mutating func disjunction() throws -> TableCondition {
    var parts = [try conjunction()]
    while take(.word("or")) { parts.append(try conjunction()) }
    return parts.count == 1 ? parts[0] : .any(parts)
  }

  private mutating func conjunction() throws -> TableCondition {
    var parts = [try part()]
    while take(.word("and")) { parts.append(try part()) }
    return parts.count == 1 ? parts[0] : .all(parts)
  }

  private mutating func part() throws -> TableCondition {
    depth += 1
    defer { depth -= 1 }
    // The database underneath has limits of its own.
    guard depth <= 50 else { throw problem("nested too deeply") }
    if take(.word("not")) { return .not(try part()) }
    guard take(.symbol("(")) else { return try comparison() }
    let inner = try disjunction()
    guard take(.symbol(")")) else { throw problem("a closing parenthesis was expected") }
    return inner
  }

  private mutating func comparison() throws -> TableCondition {
    comparisons += 1
    guard comparisons <= 200 else { throw problem("too many comparisons") }
    if take(.word("contains")) {
      guard take(.symbol("(")) else { throw problem("an opening parenthesis was expected") }
      let column = try column()
      guard column.kind == .text, take(.symbol(",")), at < tokens.count, case .text(let text) = tokens[at] else {
        throw problem("contains takes a text property and a text")
      }
      at += 1
      guard take(.symbol(")")) else { throw problem("a closing parenthesis was expected") }
      return .contains(column, text)
    }
    let column = try column()
    guard at < tokens.count, case .word(let sign) = tokens[at] else { throw problem("a comparison was expected") }
    at += 1
    if sign == "in" { return .among(column, try list(column)) }
    guard let sign = Self.signs[sign] else { throw problem("there is no comparison '\(sign)'") }
    guard let value = try literal(column) else {
      switch sign {
      case .equal: return .isNull(column)
      case .different: return .not(.isNull(column))
      default: return .any([])
      }
    }
    return .compare(column, sign, value)
  }

  private static let signs: [String: TableCondition.Sign] = [
    "eq": .equal, "ne": .different, "lt": .less, "le": .lessOrEqual, "gt": .greater, "ge": .greaterOrEqual,
  ]

  private mutating func column() throws -> DemoTable.Column {
    guard at < tokens.count, case .word(let name) = tokens[at] else { throw problem("a property was expected") }
    guard let column = table.column(name) else { throw TableProblem.unknownColumn(name) }
    at += 1
    return column
  }

  private mutating func list(_ column: DemoTable.Column) throws -> [DemoJSON] {
    guard take(.symbol("(")) else { throw problem("an opening parenthesis was expected") }
    var values: [DemoJSON] = []
    repeat {
      guard let value = try literal(column) else { throw problem("null is not a value of a list here") }
      values.append(value)
    } while take(.symbol(","))
    guard take(.symbol(")")), values.count <= 200 else { throw problem("a closing parenthesis was expected") }
    return values
  }

  /// A literal of the column's kind; nil for null.
  private mutating func literal(_ column: DemoTable.Column) throws -> DemoJSON? {
    guard at < tokens.count else { throw problem("a value was expected") }
    defer { at += 1 }
    switch (column.kind, tokens[at]) {
    case (_, .word("null")): return nil
    case (.text, .text(let text)): return .string(text)
    case (.integer, .word(let text)), (.boolean, .word(let text)): return try column.value(text)
    case (_, .word(let text)), (_, .text(let text)): throw TableProblem.wrongKind(column, text)
    case (_, .symbol): throw problem("a value was expected")
    }
  }
}
