/// The parameters of a request.
struct PostgRESTQuery {
  /// The names after `select`; nil for all.
  private(set) var fields: [String]?
  /// The rows that are wanted, or that a write meets.
  private(set) var rows = TableQuery()

  init(_ request: DemoRequest, _ table: DemoTable) throws {
    var conditions: [TableCondition] = []
    for (name, value) in Form(request.query).pairs {
      switch name {
      case "select" where value == "*": break
      case "select":
        fields = try value.split(separator: ",").map { part in
          guard let column = table.column(String(part)) else { throw TableProblem.unknownColumn(String(part)) }
          return column.name
        }
      case "order": rows.order = try value.split(separator: ",").map { try Self.key($0, table) }
      case "limit": rows.limit = try Self.number(name, value)
      case "offset": rows.offset = try Self.number(name, value)
      case "and", "or", "not.and", "not.or":
        conditions.append(try PostgRESTLogic.condition(name, value, table))
      case "columns", "on_conflict": throw PostgRESTProblem.filter("\(name)=\(value)")
      default:
        guard let column = table.column(name) else { throw TableProblem.unknownColumn(name) }
        conditions.append(try PostgRESTLogic.condition(column, value))
      }
      // The database underneath has limits of its own.
      guard conditions.count <= 100 else { throw PostgRESTProblem.filter("too many conditions") }
    }
    rows.condition = .all(conditions)
    let most = request.settings.number("postgrest.maxrows")
    if most > 0, ["GET", "HEAD"].contains(request.method) {
      rows.limit = rows.limit < 0 ? most : min(rows.limit, most)
    }
  }

  private static func number(_ name: String, _ value: String) throws(PostgRESTProblem) -> Int {
    guard let number = Int32(value), number >= 0 else { throw .filter("\(name)=\(value)") }
    return Int(number)
  }

  /// `title`, `title.desc`, `title.asc.nullsfirst`; nulls stand last, in a descending order first.
  private static func key(
    _ text: Substring, _ table: DemoTable
  ) throws -> (column: DemoTable.Column, isDescending: Bool, nullsFirst: Bool) {
    var words = text.split(separator: ".").map(String.init)
    guard let name = words.first, let column = table.column(name) else {
      throw TableProblem.unknownColumn(words.first ?? "")
    }
    words.removeFirst()
    var isDescending = false
    if let word = words.first, ["asc", "desc"].contains(word) {
      isDescending = words.removeFirst() == "desc"
    }
    var nullsFirst = isDescending
    if let word = words.first, ["nullsfirst", "nullslast"].contains(word) {
      nullsFirst = words.removeFirst() == "nullsfirst"
    }
    guard words.isEmpty else { throw PostgRESTProblem.filter("order=\(text)") }
    return (column, isDescending, nullsFirst)
  }
}
