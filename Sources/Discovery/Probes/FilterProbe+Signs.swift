import BackendKit

/// Conditions with an operator in the value: `count=>=5`, `name=~part`.
extension FilterProbe {
  private static let signs: KeyValuePairs = [
    "greaterOrEqual": ">={value}", "lessOrEqual": "<={value}", "contains": "~{value}", "contains": "*{value}*",
  ]

  /// Tries operators in the value of a parameter for equality, on a number and a text that it is known to work for.
  func bySigns(_ fields: [(name: String, value: Value)], _ proved: [Proved]) async throws(BackendError) -> [Proved] {
    let simple = proved.filter {
      $0.filter.comparison == "equal" && $0.filter.value == "{value}" && $0.filter.parameter.contains(text: "{field}")
    }
    guard let parameter = simple.first?.filter.parameter else { return [] }
    let usable = fields.filter { field in simple.contains { $0.field == field.name } }
    let number = usable.first { $0.value.isNumber }
    let text = usable.first { $0.value.text != nil }
    var found: [Proved] = []
    for (comparison, value) in Self.signs
    where !(proved + found).contains(where: { $0.filter.comparison == comparison }) {
      let filter = Dialect.Filter(comparison: comparison, parameter: parameter, value: value)
      let isPart = comparison == "contains"
      guard let field = isPart ? text : number,
        let answer = isPart
          ? try await holdsPart(filter, field.name, field.value.text ?? "") : try await holds(filter, field)
      else { continue }
      found.append((filter, field.name, answer))
    }
    return found
  }
}
