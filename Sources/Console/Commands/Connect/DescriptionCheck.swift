import BackendClient
import BackendKit
import ConsoleOutput
import ConsoleSetup
import ConsoleSystem

extension CommandContext {
  /// Looks at a described backend again, and says what its service shows otherwise than the description. With --update the description
  /// is changed, if that is agreed to.
  func checkDescription(of name: String, _ invocation: Invocation) async throws -> CommandEnding {
    let backend = try targets.open(name)
    let configuration = backend.configuration
    guard configuration.description != nil || configuration.override != nil else {
      throw UsageError("\(name) has no description", hint: "backends check works on backends of the plugin rest")
    }
    guard let address = try? WebAddress(configuration.url) else {
      throw UsageError("\(name) is at \(configuration.url)", hint: "backends check works with http(s) backends only")
    }
    if invocation.has("try-writes") { try checkTrial(on: configuration) }
    if invocation.has("update") {
      try checkUpdate(of: configuration)
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
    guard let survey = try await survey(order, at: address.origin, invocation, refused: "nothing was checked") else {
      return .done
    }
    let update =
      try invocation.has("update")
      ? run.console.surveyor().updated(known, with: survey.changes, on: ClockTime.today) : nil
    let diff = update.map { UnifiedDiff(known.file?.bytes ?? [], $0.bytes, file: known.file?.name ?? name) }
    try present(
      survey.found(in: name, update), isSingle: false, invocation,
      text: (survey.changes.map(\.text) + survey.differences).map { "\($0)\n" as EscapedText }.joined()
        + (diff?.lines ?? []).map { EscapedText(lines: $0) }.joined())
    (survey.trialSteps + survey.notes + (update?.left.map { "\($0.change.place) is left: \($0.reason)" } ?? []))
      .forEach(
        note)
    try survey.checkLeftovers()
    var ending = CommandEnding.done
    if let update, !update.done.isEmpty {
      ending.changes = try await make(update, of: configuration, known, invocation)
    }
    let left = (update?.left.count ?? survey.changes.count) + survey.differences.count
    let proved = survey.claims.count { $0.grade == .proved }
    let count = "\(counted(survey.requests, "request")), \(counted(proved, "fact")) proved"
    let file = known.file?.name ?? configuration.file
    let isProposed = invocation.has("dry-run") && update?.done.isEmpty == false
    guard left == 0 else {
      ending.failure = CommandFailure(
        .failure, "\(name) does not match \(file): \(counted(left, "difference")); \(count)")
      return ending
    }
    tell("\(name) \(isProposed ? "would match" : "matches") \(file): \(count)")
    return ending
  }

  /// Removes a backend from the user's own configuration.
  func removeBackend(_ name: String) throws -> CommandEnding {
    try run.endRehearsal()
    try Restriction.current.check(changing: "the configuration")
    let files = try OwnConfiguration(targets.configuration, environment: run.console.environment).remove(name)
    tell("removed \(name): \(files.joined(separator: ", "))")
    return .changing(.remove(name))
  }
}

extension ServiceSurvey {
  /// The differences as records.
  fileprivate func found(in backend: String, _ update: UpdatedDescription?) -> [Record] {
    let known = changes.map { change in
      Object(present: [
        ("backend", .string(backend)), ("change", .string(change.text)), ("path", .string(change.place)),
        ("before", change.before), ("after", change.after), ("evidence", .string(change.evidence)),
        ("proved", .bool(change.isProved)), ("since", change.date.map { .string($0) }),
        ("left", update?.left.first { $0.change == change }.map { .string($0.reason) }),
      ])
    }
    let others = differences.map { Object([("backend", .string(backend)), ("change", .string($0))]) }
    return (known + others).map { Record(id: nil, fields: $0) }
  }
}

extension CommandContext {
  /// Throws where writes cannot be tried at a backend: where it is read only, and where it is a production system.
  fileprivate func checkTrial(on backend: BackendConfiguration) throws(UsageError) {
    try Restriction.current.checkWriting()
    let reason = backend.isReadOnly ? "is read only" : backend.isProduction ? "is labeled production" : nil
    guard let reason else { return }
    throw UsageError(
      "\(backend.name) \(reason): writes are not tried there", hint: "leave out --try-writes")
  }

  /// The same of a service that is not a backend yet, where one of the backends is at the same origin.
  func checkTrial(at origin: Origin) throws(UsageError) {
    try Restriction.current.checkWriting()
    for backend in targets.configuration.backends where (try? WebAddress(backend.url))?.origin == origin {
      try checkTrial(on: backend)
    }
  }
}
