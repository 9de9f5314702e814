import BackendKit
import ServiceDescription

extension FilterProbe {
  /// Conditions in an object parameter: a list of objects with field, operator and value, according to the document.
  var held: [Dialect.Filter] {
    guard survey.claims.isProved(.listRequestParameter), let schemas = survey.schemas,
      let holder = survey.documented?.collection.operations["GET"]?.holder
    else { return [] }
    for (member, schema) in holder.properties.members {
      guard let list = schemas.folded(schema), let names = schemas.folded(list["items"])?["properties"]?.object?.names,
        let field = Self.member(names, ["col", "column", "field", "name", "property"]),
        let sign = Self.member(names, ["opr", "op", "operator", "comparator"]),
        let value = Self.member(names, ["value", "val"])
      else { continue }
      return Self.operators.map { comparison, word in
        let text = #"[{"\#(field)":"{field}","\#(sign)":"\#(word)","\#(value)":{value}}]"#
        return Dialect.Filter(
          comparison: comparison, parameter: holder.parameter, value: text, isJSON: true, member: member)
      }
    }
    return []
  }

  private static let operators: KeyValuePairs = [
    "equal": "eq", "contains": "ct", "greater": "gt", "less": "lt",
  ]

  private static func member(_ names: [String], _ words: [String]) -> String? { words.first(where: names.contains) }
}
