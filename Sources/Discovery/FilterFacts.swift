import BackendClient
import BackendKit

/// The section of a description that says which conditions the service checks.
struct FilterFacts {
  /// The comparisons that a survey tries: as claims name them, and as a description does.
  static let comparisons: KeyValuePairs = [
    "equal": "=", "greaterOrEqual": ">=", "lessOrEqual": "<=", "greater": ">", "less": "<", "contains": "~",
  ]
  private let survey: ResourceSurvey

  init(_ survey: ResourceSurvey) { self.survey = survey }

  var section: Object {
    var conditions = Object()
    var language: Object?
    var fields: [Value] = []
    for claim in survey.claims.list where claim.fact.hasPrefix("filter.") && claim.grade == .proved {
      guard let comparison = Self.comparisons.first(where: { $0.key == claim.fact.dropFirst("filter.".count) })?.value,
        let facts = claim.value.object, let parameter = facts["parameter"]?.text, let value = facts["value"]?.text
      else { continue }
      var condition = Object([("is", facts["is"] ?? "superset"), ("fields", facts["fields"] ?? .array([]))])
      for field in facts["fields"]?.array ?? [] where !fields.contains(field) { fields.append(field) }
      if parameter.contains(text: "{field}") {
        condition["template"] = .string(parameter)
        if value != "{value}" { condition["value"] = .string(value) }
      } else {
        let document = try? JSONReader.read(value.replacing(text: "{value}", with: "\"{value}\""))
        language = self.language(parameter, document)
        if let document {
          condition["document"] = document.array?.first ?? document
        } else {
          condition["template"] = .string(value)
        }
      }
      conditions[comparison] = .object(condition)
      guard comparison == "=", let others = survey.claims["filter.others"]?.array else { continue }
      // That no other records meet it was not looked at for these.
      fields += others
      var other = condition
      (other["is"], other["fields"]) = ("superset", .array(others))
      conditions[comparison] = .array([.object(condition), .object(other)])
    }
    guard !conditions.isEmpty else { return Object() }
    var section = Object([("fields", .array(fields)), ("conditions", .object(conditions))])
    if let language { section["language"] = .object(language) }
    let unknown = ["ignored": "ignores", "refused": "refuses", "none": "none", "all": "all"]
    if let word = survey.unknown.flatMap({ unknown[$0] }) { section["unknown"] = .string(word) }
    return section
  }

  /// The language of a parameter that holds all conditions: JSON as members of one object or as a list, else words.
  private func language(_ parameter: String, _ document: Value?) -> Object {
    var language = Object([("parameter", .string(parameter))])
    switch document {
    case .array?: language["and"] = .object(Object([("as", "list")]))
    case .object?: language["and"] = .object(Object([("as", "members")]))
    default:
      language["and"] = .string(survey.dialect.joining["and"]?.text ?? " and ")
      // Where it is not shown that the service takes it, the console looks for what meets one of several conditions.
      if survey.claims.isProved("filter.or") { language["or"] = survey.claims["filter.or"] }
    }
    return language
  }
}
