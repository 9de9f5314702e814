import BackendClient
import BackendKit

/// Compares a single record with the list, and asks for one that is not there.
struct RecordProbe: Probe {
  private let survey: ResourceSurvey

  init(_ survey: ResourceSurvey) { self.survey = survey }

  func run() async throws(BackendError) {
    guard let identifier = survey.identifier else { return }
    if let row = survey.rows.first(where: { survey.key($0).isSame(as: identifier.value(of: identifier.record)) }) {
      let listed = survey.fields(of: row)
      let omitted = survey.fields(of: identifier.record).members.filter { name, whole in
        guard let value = listed[name] else { return true }
        return Self.isPart(value, of: whole) && !Self.hasLinks(whole)
      }.map(\.0)
      let links = survey.fields(of: identifier.record).members.filter { name, value in
        Self.hasLinks(value) && survey.fields(of: row)[name].map { !$0.isSame(as: value) } ?? false
      }.map(\.0)
      if !links.isEmpty {
        survey.claims.add(
          "records.notFields", .array(links.map { .string($0) }), .proved,
          "\(identifier.answer.evidence("links")), other ones than in its row")
      }
      if !omitted.isEmpty {
        survey.claims.add(
          "lists.omit", .array(omitted.prefix(50).map { .string($0) }), .proved,
          "\(identifier.answer.evidence()), compared with its row")
      }
    }
    if let tag = identifier.answer.header("ETag") {
      let isWeak = tag.hasPrefix("W/")
      survey.claims.add("revision.from", "etag", .likely, identifier.answer.evidence("with an ETag"))
      if isWeak { survey.claims.add("revision.weak", true, .likely, identifier.answer.evidence("the ETag is weak")) }
    } else if let field = ["_etag", "etag", "@odata.etag"].first(where: { identifier.record[$0]?.text != nil }) {
      survey.claims.add("revision.from", "field", .likely, identifier.answer.evidence())
      survey.claims.add("revision.field", .string(field), .likely, identifier.answer.evidence())
    }
    if survey.dialect.requiresRevision, survey.claims["revision.from"] != nil {
      let evidence = "usual for \(survey.dialect.preset)"
      survey.claims.add("revision.required", true, .likely, evidence)
      survey.claims.add("revision.deletes", true, .likely, evidence)
    }
    try await missing(identifier)
  }

  /// Whether an object lacks members that another has.
  private static func isPart(_ value: Value, of whole: Value) -> Bool {
    guard let part = value.object, let whole = whole.object else { return false }
    return whole.members.contains { name, _ in part[name] == nil }
  }

  /// Whether a value is an object with addresses to other places in it.
  private static func hasLinks(_ value: Value) -> Bool {
    guard let object = value.object else { return false }
    return object.members.contains { name, member in name == "href" && member.text != nil || hasLinks(member) }
  }

  private func missing(_ identifier: IdentifierProbe.Found) async throws(BackendError) {
    let absent = survey.claims["identifier.type"] == "integer" ? "2147483601" : "zz-no-such-record"
    let path = identifier.template.replacing(text: "{id}", with: absent)
    guard let answer = try await survey.prober.get(Target(path, shownAs: identifier.template)) else { return }
    let meaning: String
    switch answer.status {
    case 200..<300:
      let isEmpty =
        answer.document == nil || answer.document?.array?.isEmpty == true || answer.document?.object?.isEmpty == true
      meaning = isEmpty ? "empty" : "other"
    default: meaning = String(answer.status)
    }
    survey.claims.add("missing", .string(meaning), .proved, answer.evidence("of a record that is not there"))
    if let place = ErrorShape.message(in: answer.document) {
      survey.claims.add("errors.message", .string(place), .likely, answer.evidence("a text stands there"))
    }
  }
}

/// Where an error response says what is wrong.
enum ErrorShape {
  private static let names = [
    "detail", "message", "error_description", "title", "description", "error", "_error", "reason",
  ]

  /// The members that lead to a text, by the names that services use; nil where there is none.
  static func message(in document: Value?) -> String? {
    guard let object = document?.object else { return nil }
    for name in names { if object[name]?.text != nil { return name } }
    for outer in ["error", "_error", "errors", "_issues"] {
      if let inner = object[outer]?.object, let name = names.first(where: { inner[$0]?.text != nil }) {
        return "\(outer).\(name)"
      }
      if let first = object[outer]?.array?.first {
        if first.text != nil { return "\(outer).*" }
        if let name = names.first(where: { first.object?[$0]?.text != nil }) { return "\(outer).*.\(name)" }
      }
    }
    return nil
  }
}
