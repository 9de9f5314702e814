/// Reads conditions: `eq.value` of a parameter, where the value is all that follows, and `(a.eq.1,or(b.is.null,c.lt."x"))` of `and` and
/// `or`, where a value that has a comma, a parenthesis or a quote stands in quotes.
struct PostgRESTLogic {
  private let table: DemoTable
  private let whole: String
  private var rest: Substring
  private var depth = 0
  private var count = 0

  /// The condition of a column's own parameter.
  static func condition(_ column: DemoTable.Column, _ text: String) throws -> TableCondition {
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else { throw PostgRESTProblem.filter(text) }
    if parts[0] == "not" { return .not(try condition(column, String(parts[1]))) }
    let value = String(parts[1])
    guard parts[0] == "in" else { return try compared(column, String(parts[0]), value, in: text) }
    guard value.hasPrefix("("), value.hasSuffix(")") else { throw PostgRESTProblem.filter(text) }
    var reader = PostgRESTLogic(DemoTable(name: "", columns: []), value)
    return .among(column, try reader.list().map { try column.value($0) })
  }

  /// The condition of a parameter `and` or `or`.
  static func condition(_ name: String, _ text: String, _ table: DemoTable) throws -> TableCondition {
    var reader = PostgRESTLogic(table, name + text)
    let condition = try reader.tree()
    guard reader.rest.isEmpty else { throw PostgRESTProblem.filter(text) }
    return condition
  }

  private init(_ table: DemoTable, _ text: String) {
    self.table = table
    whole = text
    rest = text[...]
  }

  private var problem: PostgRESTProblem { .filter(whole) }

  private static func compared(
    _ column: DemoTable.Column, _ sign: String, _ value: String, in text: String
  ) throws -> TableCondition {
    switch (sign, value) {
    case ("is", "null"): return .isNull(column)
    case ("is", "true"), ("is", "false"): return .compare(column, .equal, try column.value(value))
    default: break
    }
    let signs: [String: TableCondition.Sign] = [
      "eq": .equal, "neq": .different, "lt": .less, "lte": .lessOrEqual, "gt": .greater, "gte": .greaterOrEqual,
    ]
    guard let sign = signs[sign] else { throw PostgRESTProblem.filter(text) }
    return .compare(column, sign, try column.value(value))
  }

  private mutating func take(_ text: String) -> Bool {
    guard rest.hasPrefix(text) else { return false }
    rest = rest.dropFirst(text.count)
    return true
  }

  private mutating func tree() throws -> TableCondition {
    depth += 1
    count += 1
    defer { depth -= 1 }
    guard depth <= 20, count <= 200 else { throw problem }
    if take("not.") { return .not(try tree()) }
    for (word, isAll) in [("and(", true), ("or(", false)] where take(word) {
      var parts: [TableCondition] = []
      repeat { parts.append(try tree()) } while take(",")
      guard take(")") else { throw problem }
      return isAll ? .all(parts) : .any(parts)
    }
    let name = String(rest.prefix { $0 != "." })
    guard let column = table.column(name) else { throw TableProblem.unknownColumn(name) }
    rest = rest.dropFirst(name.count)
    guard take(".") else { throw problem }
    let isNot = take("not.")
    let sign = String(rest.prefix { $0 != "." })
    rest = rest.dropFirst(sign.count)
    guard take(".") else { throw problem }
    let condition: TableCondition =
      sign == "in"
      ? .among(column, try list().map { try column.value($0) })
      : try Self.compared(column, sign, try value(), in: whole)
    return isNot ? .not(condition) : condition
  }

  /// The values of `("a","b",c)`.
  private mutating func list() throws -> [String] {
    guard take("(") else { throw problem }
    var values: [String] = []
    repeat { values.append(try value()) } while take(",")
    guard take(")"), values.count <= 200 else { throw problem }
    return values
  }

  private mutating func value() throws -> String {
    guard take("\"") else {
      let text = rest.prefix { !",()".contains($0) }
      rest = rest.dropFirst(text.count)
      return String(text)
    }
    var text = String.UnicodeScalarView()
    var scalars = rest.unicodeScalars
    while let scalar = scalars.popFirst() {
      if scalar == "\"" {
        rest = Substring(scalars)
        return String(text)
      }
      guard scalar == "\\" else {
        text.append(scalar)
        continue
      }
      guard let next = scalars.popFirst() else { break }
      text.append(next)
    }
    throw problem
  }
}
