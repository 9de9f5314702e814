import BackendClient
import BackendKit
import CommandLanguage
import ConsoleOutput
import ConsoleSystem

extension Command {
  static let wait = Command(
    "wait", .script, "Wait until a condition holds for a record, or for a number of records",
    arguments: [.optional(.target), .one(.identifier), .some(.predicate)],
    alternatives: [
      [.option("count", .number), .optional(.target), .any(.predicate)],
      [.option("job", .free("ADDRESS")), .optional(.target)],
      [.optional(.target), .one(.identifier), .any(.predicate), .option("where", .expression)],
    ],
    effects: .readsRecords,
    options: [
      OptionSyntax("count", value: .count(from: 0), help: "wait until this many records match"),
      OptionSyntax(
        "job", value: .free("ADDRESS"),
        help: "wait for an asynchronous write to finish, by the address of its job"),
      OptionSyntax(
        "timeout", value: .free("TIME"), help: "give up after this time: 30s, 5m, 2h (default 5m)"),
      OptionSyntax("every", value: .free("TIME"), help: "time between two reads (default 2s)"),
    ] + SharedOptions.decided + SharedOptions.output,
    details: [
      "wait reads immediately, then repeatedly. After the timeout it ends with status 1 and reports the last state. If the service is",
      "busy or cannot be reached, it tries again. Errors that waiting cannot fix, such as a missing record or a refused login, end it.",
      "--job waits for a job as the resource describes it, and completes the write's entry in the journal.",
    ],
    examples: [
      Example(line: "wait todolist 3 completed=false --timeout 10s", says: "wait until the record matches"),
      Example(line: "wait --count 0 todolist title=Nonsense --timeout 10s", says: "wait until no record matches"),
    ]
  ) { invocation, context in
    let patience = try WaitPatience(invocation)
    let output = try RecordOutput(invocation, context, default: .table)
    if let job = invocation.value(of: "job") {
      return try await Jobs(context).wait(forJob: job, invocation, .milliseconds(patience.timeout.milliseconds), output)
    }
    if let count = try invocation.count(of: "count") {
      try await Waiting(context).wait(for: count, invocation, patience, output)
    } else {
      try await Waiting(context).waitForRecord(invocation, patience, output)
    }
  }
}

private struct WaitPatience {
  let timeout: TimeSpan
  let pause: TimeSpan

  init(_ invocation: Invocation) throws(UsageError) {
    timeout = try invocation.span(of: "timeout") ?? TimeSpan(milliseconds: 300_000)
    pause = try invocation.span(of: "every") ?? TimeSpan(milliseconds: 2_000)
  }
}

private struct Waiting: CommandPart {
  let context: CommandContext

  func waitForRecord(
    _ invocation: Invocation, _ patience: WaitPatience, _ output: RecordOutput
  ) async throws {
    let (target, words) = try await Subject(context).targetOfRecord(invocation)
    let resource = try await target.client.resource(target.path)
    let id = try await Subject(context).identifiers(words, of: target, resource)[0].id
    let filters = try resource.dated(try words.filters())
    let paths = filters.flatMap(\.paths)
    try Conditions(context).check(paths, of: target, resource)
    let meant = ListQuery(target.path, filters: filters).widened(for: resource).filters
    let condition = (meant, invocation.has("ignore-case"))
    var seen: Record?
    let (client, path) = (target.client, target.path)
    let waited = try await poll(patience) { end in
      let record = try await Self.read(until: end) { () throws(BackendError) in
        do throws(BackendError) { return try await client.current(id, path) } catch {
          var error = error
          (error.operation, error.backend) = ("wait", client.name)
          (error.resource, error.id) = (path.description, id.text)
          throw error
        }
      }
      seen = record
      return condition.0.allSatisfy { QueryRules.matches($0, record.fields, ignoringCase: condition.1) }
    } lastSeen: {
      guard let seen else { return nil }
      return paths.map { "\($0) is \($0.value(in: seen.fields).map { JSONWriter.compact($0) } ?? "absent")" }
        .joined(separator: ", ")
    }
    guard let record = seen else { return }
    count(records: 1)
    results.saw([record], of: target)
    if output.isForPeople, results.rows == nil {
      results.output.write("\(target.description(of: id)): the condition holds after \(waited)\n")
    } else {
      output.print(record, resource, context)
    }
  }

  func wait(
    for wanted: Int, _ invocation: Invocation, _ patience: WaitPatience, _ output: RecordOutput
  ) async throws {
    var options = try await ListOptions(invocation, context)
    let resource = try await options.target.client.resource(options.target.path)
    try options.checkFields(resource, context)
    var seen: Int?
    let client = options.target.client
    let waited = try await poll(patience) { end in
      let request = options.request()
      let summary = try await Self.read(until: end) { () throws(BackendError) in
        try await client.count(request.query, maximumScan: request.maximumScan, trustsEnd: request.trustsEnd)
      }
      // An incomplete count proves nothing.
      if summary.isCutShort { try Completeness(context).report(summary) }
      seen = summary.total
      return summary.total == wanted
    } lastSeen: {
      seen.map { counted($0, "record") }
    }
    count(records: wanted)
    if output.isForPeople, results.rows == nil {
      results.output.write("\(options.target.description): \(counted(wanted, "record")) after \(waited)\n")
    } else {
      try FactOutput(context).present(wanted, named: "count", invocation)
    }
  }

  /// Reads with a deadline: `end`, or five seconds from now if that is later. Throws `timedOut` if there is no response
  /// by then.
  private static func read<Value: Sendable>(
    until end: ContinuousClock.Instant, _ read: @escaping @Sendable () async throws(BackendError) -> Value
  ) async throws -> Value {
    try await withThrowingTaskGroup(of: Value.self) { group in
      defer { group.cancelAll() }
      group.addTask { try await read() }
      // The last read may begin at the deadline.
      let last = max(end, .now + .seconds(5))
      group.addTask {
        try await Task.sleep(until: last, clock: .continuous)
        throw BackendError(.timedOut, "no response", effect: .rejected)
      }
      guard let value = try await group.next() else { throw CancellationError() }
      return value
    }
  }

  /// Polls until the condition holds, and returns the time that took. Throws at the time limit, or immediately for an
  /// error that waiting cannot resolve.
  private func poll(
    _ patience: WaitPatience, _ isSo: (ContinuousClock.Instant) async throws -> Bool, lastSeen: () -> String?
  ) async throws -> String {
    try run.endRehearsal()
    let (clock, begin) = (ContinuousClock(), ContinuousClock.now)
    let end = begin + .milliseconds(patience.timeout.milliseconds)
    var failure: CommandFailure?
    while true {
      var pause = Duration.milliseconds(patience.pause.milliseconds)
      do {
        if try await isSo(end) {
          return TimeSpan(milliseconds: Int(begin.duration(to: .now) / .milliseconds(1))).text
        }
        failure = nil
      } catch let error as BackendError where error.mayPass {
        failure = self.failure(error)
        if let seconds = failure?.retryAfter { pause = max(pause, .seconds(seconds)) }
      }
      guard !isStopped else { throw CommandFailure(.interrupted, "wait: stopped") }
      guard clock.now < end else {
        var message = "the condition is still not met after \(patience.timeout.text)"
        if let seen = lastSeen() { message += "; last seen: \(seen)" }
        if let failure { message += "; the last read failed: \(failure.sentence)" }
        throw CommandFailure(.failure, message)
      }
      do { try await Task.sleep(until: min(clock.now + pause, end), clock: .continuous) } catch {
        throw CommandFailure(.interrupted, "wait: stopped")
      }
    }
  }
}

extension BackendError {
  fileprivate var mayPass: Bool {
    switch code {
    case .unavailable, .timedOut, .rateLimited: true
    case .badResponse: effect != .notSent
    default: false
    }
  }
}
