import BackendClient
import BackendKit
import CommandLanguage
import ConsoleOutput

extension ServiceSurvey {
  /// The findings, one line per resource: supported operations, and unknown facts.
  var overview: EscapedText {
    var rows: [[String]] = []
    guard !resources.isEmpty else { return "" }
    for name in resources.prefix(Self.mostRows) {
      rows.append(["  " + name, verbs(of: name).joined(separator: ", "), unknown(of: name).joined(separator: "; ")])
    }
    let more = resources.count - rows.count
    return Columns.text([["  RESOURCE", "VERBS (? = LIKELY)", "UNKNOWN"]] + rows)
      + (more > 0 ? "  and \(counted(more, "more resource")): --evidence shows all\n" : "")
  }

  /// The number of resources and remarks that together fit on a screen.
  private static let mostRows = 12
  private static let mostRemarks = 6

  private var resources: [String] { description["resources"]?.object?.names ?? [] }

  /// The first resource whose list is not below records of another one; nil if there is none.
  var firstListed: String? { resources.first { section("operationsBelow", of: $0) == nil } }

  func section(_ name: String, of resource: String) -> Value? {
    description["resources"]?.object?[resource]?.object?[name] ?? description[name]
  }

  private func claim(_ fact: String, of resource: String) -> SurveyClaim? {
    claims.first { $0.resource == resource && $0.fact == fact }
  }

  /// Returns the operations of a resource, with a question mark for those that are only likely.
  private func verbs(of resource: String) -> [String] {
    var verbs = ["list"]
    let identifier = claim("identifier.field", of: resource) ?? claim("identifier.link", of: resource)
    if identifier?.value != .null || claim("identifier.link", of: resource) != nil,
      section("paths", of: resource)?.object?["item"] != .null
    {
      verbs.append(identifier?.grade == .proved || claim("identifier.link", of: resource) != nil ? "get" : "get?")
    }
    for verb in ["create", "update", "delete"] where section(verb, of: resource)?.object != nil {
      verbs.append(claim("\(verb).method", of: resource)?.grade == .proved ? verb : verb + "?")
    }
    return verbs
  }

  /// Returns the facts about a resource that remained unknown, in words.
  private func unknown(of resource: String) -> [String] {
    [
      ("identifier.field", "identifier"), ("page.style", "pages"), ("total", "total"), ("filter", "filters"),
      ("sort.parameter", "order"), ("create", "create"), ("update", "update"), ("delete", "delete"),
    ].filter { fact, _ in claim(fact, of: resource)?.grade == .untested }.map(\.1)
  }

  /// The first remarks: all of them would not fit on a screen.
  var fewRemarks: [String] {
    guard most.count > Self.mostRemarks else { return remarks }
    let few = Array(most.prefix(Self.mostRemarks)) + ["and \(most.count - Self.mostRemarks) more: --evidence shows all"]
    return trialSteps + few + untestedNote + [counts]
  }

  var remarks: [String] { trialSteps + most + untestedNote + [counts] }

  /// The facts found of the service, and then where it differs from its document.
  private var most: [String] { notes + differences }

  private var counts: String {
    "\(counted(requests, "request")); \(counted(claims.count, "fact")): "
      + SurveyClaim.Grade.allCases.map { grade in "\(claims.count { $0.grade == grade }) \(grade.rawValue)" }.joined(
        separator: ", ")
  }

  /// The claims, a block per resource, and then the description.
  var text: EscapedText {
    var text: EscapedText = ""
    var resources: [String?] = []
    for claim in claims where !resources.contains(claim.resource) { resources.append(claim.resource) }
    for resource in resources {
      text += "\(resource ?? "service")\n"
      let rows = claims.filter { $0.resource == resource }.map { claim in
        let value = claim.value == .null ? "" : Scope.text(claim.value)
        return ["  " + claim.fact, SurveyText.cut(value), claim.grade.rawValue, claim.evidence]
      }
      text += Columns.text(rows) + "\n"
    }
    let lines = file.split(separator: "\n", omittingEmptySubsequences: false)
    return text
      + EscapedText(lines: lines.map { SurveyText.cut(String($0), to: SurveyText.sentence) }.joined(separator: "\n"))
  }

  var trialSteps: [String] { trial.map { "\($0.resource): \($0.name): \($0.outcome)" } }
}
