/// A query in BQL: `[SELECT names] [WHERE condition] [ORDER BY names]`, words in any case.
struct BaasicQuery {
  /// What SELECT names; nil for everything.
  private(set) var fields: [String]?
  private(set) var condition: BaasicCondition?
  private(set) var order: [BaasicOrder] = []

  /// Whether a text is a query at all; any other is a phrase to look for.
  static func isQuery(_ text: String) -> Bool {
    let words = text.split(whereSeparator: \.isWhitespace).prefix(2).map { $0.uppercased() }
    switch words.first {
    case "WHERE", "SELECT": return true
    case "ORDER", "GROUP": return words.last == "BY"
    default: return false
    }
  }

  init(_ text: String) throws(BaasicProblem) {
    var reader = try BaasicQueryReader(text)
    if reader.take(word: "SELECT") {
      if !reader.take(symbol: "*") {
        var names = [try reader.name()]
        while reader.take(symbol: ",") { names.append(try reader.name()) }
        fields = names
      }
    }
    if reader.take(word: "WHERE") { condition = try reader.condition() }
    if reader.take(word: "ORDER") {
      guard reader.take(word: "BY") else { throw reader.problem("BY expected after ORDER") }
      repeat {
        let name = try reader.name()
        let isDescending = reader.take(word: "DESC")
        if !isDescending { _ = reader.take(word: "ASC") }
        order.append(BaasicOrder(field: name, isDescending: isDescending))
      } while reader.take(symbol: ",")
    }
    try reader.finish()
  }
}
