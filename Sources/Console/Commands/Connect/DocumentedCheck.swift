import BackendClient
import BackendKit
import CommandLanguage
import ConsoleOutput
import ConsoleSetup
import ConsoleSystem

/// The survey of a resource that only the document of its service describes.
struct DocumentedCheck: CommandPart {
  let context: CommandContext

  /// Says what was proved, what stays likely and what the service refuted. With `--update` the resource is added to the
  /// description after confirmation, unless nothing was proved: there it takes the place of what the document says.
  func report(
    _ survey: ServiceSurvey, of target: Target, _ known: DescriptionSource, below base: String,
    _ invocation: Invocation
  ) async throws {
    let configuration = target.backend.configuration
    let file = known.file?.name ?? configuration.file
    let claims = survey.claims.filter { $0.resource != nil && $0.grade != .untested }
    let proved = claims.count { $0.grade == .proved }
    let count = "\(counted(survey.requests, "request")), \(counted(proved, "fact")) proved"
    let update =
      try invocation.has("update") && proved > 0 ? updated(known, with: survey, below: base, evidence: count) : nil
    let diff = update.map { UnifiedDiff(known.file?.bytes ?? [], $0.bytes, file: file) }
    let fields = claims.count { $0.isLikelyField }
    let lines =
      claims.filter { !$0.isLikelyField }.map(\.text)
      + (fields > 0 ? ["\(target.path): \(counted(fields, "field")) likely"] : []) + survey.differences
    try FactOutput(context).present(
      claims.map { $0.record(of: configuration.name) }, isSingle: false, invocation,
      text: lines.map { "\($0)\n" as EscapedText }.joined()
        + (diff?.lines ?? []).map { EscapedText(lines: $0) }.joined())
    survey.notes.forEach(note)
    guard proved > 0 else {
      throw CommandFailure(
        .failure, "nothing was proved of \(target.description), which stays as its document describes it: \(count)")
    }
    if let update {
      try await DescriptionChanges(context).make(update, of: configuration, known, invocation)
      let verb = invocation.has("dry-run") ? "would be" : "is"
      return tell("\(target.description) \(verb) described in \(file): \(count)")
    }
    let hint = "--update adds it to \(file)"
    guard survey.differences.isEmpty else {
      throw CommandFailure(
        .failure,
        "\(target.description) does not match its document: \(counted(survey.differences.count, "difference")); \(count)",
        hint: hint)
    }
    tell("\(target.description): \(count); \(hint)")
  }

  private func updated(
    _ known: DescriptionSource, with survey: ServiceSurvey, below base: String, evidence: String
  ) throws -> UpdatedDescription {
    let base = base.hasSuffix("/") ? String(base.dropLast()) : base
    let (text, added) = try run.console.surveyor().extended(known, below: base, with: survey)
    guard let name = added.first else {
      throw CommandFailure(
        .failure, "\(known.file?.name ?? known.backend) already has a resource at its path: nothing was changed")
    }
    let sections = survey.description["resources"]?.object?[name]
    return UpdatedDescription(
      bytes: Array(text.utf8),
      done: [DescriptionChange(resource: name, path: [], before: nil, after: sections, evidence: evidence)], left: [])
  }
}

extension SurveyClaim {
  /// True of what samples and the document say of a field.
  fileprivate var isLikelyField: Bool { grade == .likely && fact.hasPrefix("fields.") }

  fileprivate var text: String {
    let said = value == .null ? "is not there" : "is \(SurveyText.cut(value.plainText))"
    return "\(resource ?? ""): \(fact) \(said), \(grade.rawValue)" + (evidence.isEmpty ? "" : " (\(evidence))")
  }

  fileprivate func record(of backend: String) -> Record {
    Record(
      id: nil,
      fields: Object(facts: [
        ("backend", backend), ("change", text), ("path", "resources.\(resource ?? "").\(fact)"), ("after", value),
        ("evidence", evidence), ("proved", grade == .proved), ("grade", grade.rawValue),
      ]))
  }
}
