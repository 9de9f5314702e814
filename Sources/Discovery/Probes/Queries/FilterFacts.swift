import BackendClient
import BackendKit
import ServiceDescription

struct FilterFacts {
  private let survey: ResourceSurvey
  private let claims: Claims

  init(_ survey: ResourceSurvey, _ claims: Claims) { (self.survey, self.claims) = (survey, claims) }

  var section: Object {
    var conditions = Object()
    var language: Object?
    var fields: [Value] = []
    for (name, claim) in claims.members(of: "filter") where claim.grade == .proved {
      guard let comparison = Dialect.comparisons.first(where: { $0.key == name })?.value,
        let facts = claim.value.object, let parameter = facts["parameter"]?.text, let value = facts["value"]?.text
      else { continue }
      let others = comparison == "=" ? (claims[.filterOthers] ?? []).map { Value.string($0) } : []
      let known = (facts["fields"]?.array ?? []) + others
      let exact = facts["accuracy"] == "exact" ? facts["fields"]?.array ?? [] : facts["exact"]?.array ?? []
      for field in known where !fields.contains(field) { fields.append(field) }
      var condition = Object([("accuracy", "superset")])
      if parameter.contains(text: "{field}") || !value.contains(text: "{field}") {
        condition["template"] = .string(parameter)
        if value != "{value}" { condition["value"] = .string(value) }
      } else {
        let document = try? JSONReader.read(value.replacing(text: "{value}", with: "\"{value}\""))
        language = self.language(facts["member"]?.text ?? parameter, document)
        if let document {
          condition["document"] = document.array?.first ?? document
        } else {
          condition["template"] = .string(value)
        }
      }
      // A condition is exact only for fields whose counterexamples all failed.
      var forms: [Value] = []
      for (word, names) in [("exact", exact), ("superset", known.filter { !exact.contains($0) })] where !names.isEmpty {
        condition["accuracy"] = .string(word)
        condition["fields"] = .array(names)
        forms.append(.object(condition))
      }
      conditions[comparison] = forms.count == 1 ? forms[0] : Value.array(forms)
    }
    guard !conditions.isEmpty else { return Object() }
    var section = Object([("fields", .array(fields)), ("conditions", .object(conditions))])
    if let language { section["language"] = .object(language) }
    let unknown = ["ignored": "ignores", "refused": "refuses", "none": "none", "all": "all"]
    if let word = survey.unknown.flatMap({ unknown[$0] }) { section["unknownField"] = .string(word) }
    return section
  }

  /// Possible operators, wildcards, separators and quotes: all ASCII punctuation except `- _ . @`.
  static let signs = ",;|\"'\\^$!~*?+()[]{}<>=:%&#/`"

  /// The quoting of texts in the dialect. Without quotes, special characters may have any meaning, so that texts with
  /// one are left to the console.
  var quoting: Object {
    let filters = ["equal", "contains"].compactMap { claims[.filter($0)] }
    guard !filters.isEmpty else { return Object() }
    let isPlain = survey.dialect.quoting.isEmpty && filters.contains { $0["json"] != true }
    return isPlain ? Object([("escaped", .string(Self.signs))]) : survey.dialect.quoting
  }

  /// The language of a parameter for all conditions: JSON with the conditions as members or elements, or else words.
  private func language(_ parameter: String, _ document: Value?) -> Object {
    var language = Object([("parameter", .string(parameter))])
    switch document {
    case .array?: language["and"] = .object(Object([("layout", "list")]))
    case .object?: language["and"] = .object(Object([("layout", "members")]))
    default:
      language["and"] = .string(survey.dialect.joining["and"]?.text ?? " and ")
      // Unless OR is proved to work, the console evaluates alternatives.
      if claims.isProved(.filterOr) { language["or"] = claims.taken(Key.filterOr) }
    }
    return language
  }
}
