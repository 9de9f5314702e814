/// A condition of WHERE.
indirect enum BaasicCondition {
  enum Comparison: String {
    case equal = "="
    case different = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case like = "LIKE"
  }

  enum Literal {
    case text(String)
    case number(String)
    case bool(Bool)
  }

  case comparison(field: String, Comparison, Literal)
  case all([BaasicCondition])
  case any([BaasicCondition])

  var fields: [String] {
    switch self {
    case .comparison(let field, _, _): [field]
    case .all(let parts), .any(let parts): parts.flatMap(\.fields)
    }
  }
}
