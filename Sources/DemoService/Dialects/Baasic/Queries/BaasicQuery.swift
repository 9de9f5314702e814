/// A query in BQL: `[SELECT names] [WHERE condition] [ORDER BY names]`, with case-insensitive keywords.
struct BaasicQuery {
  /// The fields of SELECT; nil for all.
  private(set) var fields: [String]?
  private(set) var condition: BaasicCondition?
  private(set) var order: [BaasicOrder] = []

  /// Returns whether a text is a query; any other text is a search phrase.
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
