import BackendClient
import BackendKit

extension CommandContext {
  /// Looks at a described backend again, and says what its service shows otherwise than the description.
  func checkDescription(of name: String, _ invocation: Invocation) async throws {
    let backend = try targets.open(name)
    let configuration = backend.configuration
    guard let description = configuration.description else {
      throw UsageError("\(name) has no description", hint: "backends check works on backends of the plugin rest")
    }
    guard let address = try? WebAddress(configuration.url) else {
      throw UsageError("\(name) is at \(configuration.url)", hint: "backends check works with http(s) backends only")
    }
    if invocation.has("try-writes") { try checkTrial(on: configuration) }
    try run.endRehearsal()
    var order = SurveyOrder(
      exchange: SecretExchange(exchange: backend.connection.exchange, backend: name, blanking: reporter.blanking),
      target: address.path.isEmpty ? "/" : address.path)
    order.known = (
      try configuration.content(of: description.path, configuration.place("description")), description.shown
    )
    order.only = try await backend.client.describe(.known).resources.map(\.name)
    guard let survey = try await survey(order, at: address.origin, invocation, refused: "nothing was checked") else {
      return
    }
    let changes = survey.changes + survey.differences
    try present(
      changes.map { Record(id: nil, fields: Object([("backend", .string(name)), ("change", .string($0))])) },
      isSingle: false, invocation,
      text: changes.map { "\($0)\n" as ShownText }.joined())
    (survey.trialSteps + survey.notes).forEach(note)
    try survey.checkLeftovers()
    let proved = survey.claims.count { $0.grade == .proved }
    let count = "\(counted(survey.requests, "request")), \(counted(proved, "fact")) proved"
    guard changes.isEmpty else {
      throw CommandFailure(
        .failure, "\(name) is not as \(description.shown) says: \(counted(changes.count, "difference")); \(count)")
    }
    note("\(name) is as \(description.shown) says: \(count)")
  }

  /// Removes a backend from the user's own configuration.
  func removeBackend(_ name: String) throws -> CommandEnding {
    try run.endRehearsal()
    try Restriction.current.check(changing: "the configuration")
    let files = try OwnConfiguration(targets.configuration, environment: run.console.environment).remove(name)
    note("removed \(name): \(files.joined(separator: ", "))")
    return .changing(.remove(name))
  }
}

extension CommandContext {
  /// Throws where writes cannot be tried at a backend: where it is read only, and where it is a production system.
  fileprivate func checkTrial(on backend: BackendConfiguration) throws(UsageError) {
    try Restriction.current.checkWriting()
    let reason = backend.isReadOnly ? "is read only" : backend.isProduction ? "is labeled production" : nil
    guard let reason else { return }
    throw UsageError(
      "\(backend.name) \(reason): writes are not tried there", hint: "leave out --try-writes; nothing was sent")
  }

  /// The same of a service that is not a backend yet, where one of the backends is at the same origin.
  func checkTrial(at origin: Origin) throws(UsageError) {
    try Restriction.current.checkWriting()
    for backend in targets.configuration.backends where (try? WebAddress(backend.url))?.origin == origin {
      try checkTrial(on: backend)
    }
  }
}
