import BackendClient
import BackendKit
import CommandLanguage
import ConsoleOutput
import ConsoleSetup
import ConsoleSystem

struct DescriptionCheck: CommandPart {
  let context: CommandContext

  /// Surveys a described backend again, or one of its resources, and reports differences between service and
  /// description. With `--update` the description is changed after confirmation.
  func check(of word: Word, _ invocation: Invocation) async throws {
    let target = try await targets.configuration(of: word.text) == nil ? Subject(context).target(of: word) : nil
    let backend = try target?.backend ?? targets.open(word.text)
    let name = backend.configuration.name
    let configuration = backend.configuration
    guard configuration.description != nil || configuration.override != nil else {
      throw UsageError("\(name) has no description", hint: "backends check works on backends of the plugin rest")
    }
    guard let address = try? WebAddress(configuration.url) else {
      throw UsageError("\(name) is at \(configuration.url)", hint: "backends check works with http(s) backends only")
    }
    if invocation.has("try-writes") { try SurveyRun(context).checkTrial(on: configuration) }
    if invocation.has("update") {
      try DescriptionChanges(context).check(of: configuration)
    } else if invocation.has("dry-run") {
      throw UsageError("--dry-run needs --update", hint: "backends check alone changes nothing")
    }
    try run.endRehearsal()
    var order = SurveyOrder(
      exchange: SecretExchange(exchange: backend.connection, backend: name, blanking: reporter.blanking),
      target: address.path.isEmpty ? "/" : address.path)
    var known = backend.described
    if let file = configuration.description {
      known.file?.bytes = try configuration.content(of: file.path, configuration.place("description"))
    }
    order.known = known
    let description = try await backend.client.describe(.known)
    order.only = description.resources.map(\.name)
    let documented = description.outlined?.outlines.map(\.name) ?? []
    var isDocumented = false
    if let target {
      let resource = try await target.client.resource(target.path)
      isDocumented = documented.contains(resource.name)
      order.only = [resource.name]
      if isDocumented || target.path.owner != nil {
        order.list = try await list(of: target, resource, in: description, below: address.path)
      }
    }
    if isDocumented, invocation.has("try-writes") {
      throw UsageError(
        "--try-writes tries resources of the description, and only the document describes \(order.only[0])",
        hint: "backends check \(word.text) --update adds it")
    }
    guard
      let survey = try await SurveyRun(context).survey(
        order, at: address.origin, invocation, refused: "nothing was checked")
    else {
      return
    }
    if let target, isDocumented {
      return try await DocumentedCheck(context).report(survey, of: target, known, below: address.path, invocation)
    }
    let others =
      target != nil || documented.isEmpty
      ? nil
      : "\(counted(documented.count, "resource")) only described by the document: backends check \(name)/RESOURCE examines one"
    let update =
      try invocation.has("update")
      ? run.console.surveyor().updated(known, with: survey.changes, on: ClockTime.today) : nil
    let diff = update.map { UnifiedDiff(known.file?.bytes ?? [], $0.bytes, file: known.file?.name ?? name) }
    try FactOutput(context).present(
      survey.found(in: name, update), isSingle: false, invocation,
      text: (survey.changes.map(\.text) + survey.differences).map { "\($0)\n" as EscapedText }.joined()
        + (diff?.lines ?? []).map { EscapedText(lines: $0) }.joined())
    (survey.trialSteps + survey.notes + (update?.left.map { "\($0.change.place) is left: \($0.reason)" } ?? []))
      .forEach(note)
    try survey.checkLeftovers()
    if let update, !update.done.isEmpty {
      try await DescriptionChanges(context).make(update, of: configuration, known, invocation)
    }
    let left = (update?.left.count ?? survey.changes.count) + survey.differences.count
    let proved = survey.claims.count { $0.grade == .proved }
    let count = "\(counted(survey.requests, "request")), \(counted(proved, "fact")) proved"
    let file = known.file?.name ?? configuration.file
    let isProposed = invocation.has("dry-run") && update?.done.isEmpty == false
    guard left == 0 else {
      if let others { note(others) }
      throw CommandFailure(
        .failure, "\(name) does not match \(file): \(counted(left, "difference")); \(count)")
    }
    tell("\(name) \(isProposed ? "would match" : "matches") \(file): \(count)")
    if let others { note(others) }
  }

  /// The place of a target's list, with a shape that has none of the identifiers in its path.
  private func list(
    of target: Target, _ resource: ResourceDescription, in description: BackendDescription, below base: String
  ) async throws -> SurveyedList {
    let request = try await target.client.request(of: ListQuery(target.path))
    let path = "\(base.hasSuffix("/") ? String(base.dropLast()) : base)/\(request.path)"
    var ids: Set<String> = []
    for (place, owner) in description.resources(along: target.path).dropLast().enumerated() {
      let id = RecordID(target.path.parts[place * 2 + 1])
      ids.formUnion(owner.identifier.values(of: id)?.map(\.text) ?? [id.text])
    }
    let segments = path.split(separator: "/", omittingEmptySubsequences: false).map { segment in
      ids.contains(PercentEncoding.decoded(segment) ?? "") ? "{id}" : String(segment)
    }
    return SurveyedList(name: resource.name, path: path, shape: segments.joined(separator: "/"))
  }
}

extension ServiceSurvey {
  fileprivate func found(in backend: String, _ update: UpdatedDescription?) -> [Record] {
    let known = changes.map { change in
      Object(facts: [
        ("backend", backend), ("change", change.text), ("path", change.place), ("before", change.before),
        ("after", change.after), ("evidence", change.evidence), ("proved", change.isProved), ("since", change.date),
        ("left", update?.left.first { $0.change == change }.map { $0.reason }),
      ])
    }
    let others = differences.map { Object(facts: [("backend", backend), ("change", $0)]) }
    return (known + others).map { Record(id: nil, fields: $0) }
  }
}
