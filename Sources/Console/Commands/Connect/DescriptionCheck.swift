import BackendClient
import BackendKit
import ConsoleOutput
import ConsoleSetup
import ConsoleSystem

struct DescriptionCheck: CommandPart {
  let context: CommandContext

  /// Surveys a described backend again, and reports differences between service and description. With `--update` the
  /// description is changed after confirmation.
  func check(of name: String, _ invocation: Invocation) async throws {
    let backend = try targets.open(name)
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
    order.only = try await backend.client.describe(.known).resources.map(\.name)
    guard
      let survey = try await SurveyRun(context).survey(
        order, at: address.origin, invocation, refused: "nothing was checked")
    else {
      return
    }
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
      throw CommandFailure(
        .failure, "\(name) does not match \(file): \(counted(left, "difference")); \(count)")
    }
    tell("\(name) \(isProposed ? "would match" : "matches") \(file): \(count)")
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
