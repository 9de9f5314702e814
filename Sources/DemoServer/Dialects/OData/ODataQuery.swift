/// The query options of a request.
struct ODataQuery {
  /// The names after `$select`; nil for all.
  private(set) var fields: [String]?
  /// True if the total is requested.
  private(set) var counts = false
  /// The maximum number of records in the response.
  let size: Int

  private let pairs: [(name: String, value: String)]
  private var query = TableQuery(isTwoValued: true)
  private var top: Int?
  private var skip = 0
  /// The number of records on earlier pages of the server's own size.
  private var came = 0

  init(_ request: DemoRequest, _ table: DemoTable) throws {
    pairs = Form(request.query).pairs
    var size = request.settings.number("odata4.page")
    for wish in (request.header("prefer") ?? "").split(whereSeparator: { ",; ".contains($0) }) {
      let parts = wish.split(separator: "=")
      guard parts.count == 2, ["odata.maxpagesize", "maxpagesize"].contains(parts[0]), let wanted = Int(parts[1])
      else { continue }
      if wanted > 0 { size = min(size, wanted) }
    }
    self.size = size
    var seen: Set<String> = []
    for (name, value) in pairs {
      guard name.hasPrefix("$") else { continue }
      guard seen.insert(name).inserted else { throw ODataProblem.syntax(name, "it is given twice") }
      try take(name, value, table)
    }
  }

  private mutating func take(_ name: String, _ value: String, _ table: DemoTable) throws {
    func number() throws(ODataProblem) -> Int {
      guard let number = Int32(value), number >= 0 else { throw .syntax(name, "'\(value)' is not a number") }
      return Int(number)
    }
    func column(_ text: some StringProtocol) throws(TableProblem) -> DemoTable.Column {
      guard let column = table.column(String(text)) else { throw .unknownColumn(String(text)) }
      return column
    }
    switch name {
    case "$filter": query.condition = try ODataFilterReader.condition(value, table)
    case "$top": top = try number()
    case "$skip": skip = try number()
    case "$skiptoken": came = try number()
    case "$count" where ["true", "false"].contains(value): counts = value == "true"
    case "$select" where value != "*":
      fields = try value.split(separator: ",").map { part in try column(part.drop { $0 == " " }).name }
    case "$select": break
    case "$orderby":
      query.order = try value.split(separator: ",").map { part in
        let words = part.split(separator: " ")
        guard let first = words.first, words.count <= 2, ["asc", "desc"].contains(words.last ?? "") || words.count == 1
        else { throw ODataProblem.syntax(name, "'\(part)'") }
        let isDescending = words.last == "desc"
        return (try column(first), isDescending, nullsFirst: !isDescending)
      }
    default: throw ODataProblem(501, "NotImplemented", "The query option \(name) is not supported.")
    }
  }

  /// The rows of the response, and one more where there is one.
  var page: TableQuery {
    var page = query
    page.offset = skip + came
    page.limit = min(size + 1, max(0, (top ?? Int(Int32.max)) - came))
    return page
  }

  /// All rows that are counted.
  var counted: TableQuery { query }

  /// The options of the next page; `$top` and `$skip` are those of the whole list.
  func next(after shown: Int) -> String? {
    let others = pairs.filter { $0.name != "$skiptoken" }
    return (others + [("$skiptoken", String(came + shown))])
      .map { "\(Self.encoded($0.name))=\(Self.encoded($0.value))" }.joined(separator: "&")
  }

  private static func encoded(_ text: String) -> String {
    text.utf8.map { byte in
      let isPlain = byte.isLetterOrDigit || "-._~$".utf8.contains(byte)
      return isPlain
        ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }.joined()
  }
}

extension UInt8 {
  fileprivate var isLetterOrDigit: Bool {
    UInt8(ascii: "0")...UInt8(ascii: "9") ~= self || UInt8(ascii: "a")...UInt8(ascii: "z") ~= self | 0x20
  }
}
