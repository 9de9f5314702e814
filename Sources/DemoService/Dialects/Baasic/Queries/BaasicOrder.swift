/// One property of an order.
struct BaasicOrder {
  let field: String
  let isDescending: Bool

  /// A part of an ORDER BY clause.
  var sql: DemoSQL {
    DemoSQL(text: "json_extract(json, ?) \(isDescending ? "DESC" : "ASC"), ", arguments: [DemoSQL.path(field)])
  }
}

extension BaasicOrder {
  /// Reads `title|desc`, `title|asc` or `title`.
  init(_ text: String) throws(BaasicProblem) {
    let parts = text.split(separator: "|", omittingEmptySubsequences: false)
    let direction = parts.count > 1 ? parts[1].lowercased() : "asc"
    guard parts.count <= 2, let field = parts.first, !field.isEmpty, direction == "asc" || direction == "desc" else {
      throw BaasicProblem(400, "The parameter 'sort' must be of the form 'property|asc' or 'property|desc'.")
    }
    self.init(field: String(field), isDescending: direction == "desc")
  }
}
