import BackendClient
import BackendKit
import CommandLanguage
import ConsoleOutput
import ConsoleSetup
import ConsoleSystem

/// The context of a command: its ports, independent of a session. Its lasting effects are what the ports received.
///
/// A class, since each part of a command holds it: copying all ports for each part took 6 percent of many small
/// commands.
final class CommandContext {
  /// The row of the running command; nil before the first.
  let row: Command?
  let words: [Word]
  let targets: Targets
  let results: Results
  /// Prints everything but results, without secrets.
  let reporter: Reporter
  /// Sends and tracks the writes.
  let writes: Writes
  /// The settings and the circumstances of this run.
  let run: RunFacts

  init(
    row: Command?, words: [Word], targets: Targets, results: Results, reporter: Reporter, writes: Writes, run: RunFacts
  ) {
    (self.row, self.words, self.targets, self.results) = (row, words, targets, results)
    (self.reporter, self.writes, self.run) = (reporter, writes, run)
  }
}

/// The ports by name, and the operations that nearly every part of a command uses.
protocol CommandWords {
  var context: CommandContext { get }
}

extension CommandContext: CommandWords {
  var context: CommandContext { self }
}

/// A part of commands: a type over their ports, used as in `Gate(context).admits(plan, invocation)`.
protocol CommandPart: CommandWords {
  init(context: CommandContext)
}

extension CommandPart {
  init(_ context: CommandContext) { self.init(context: context) }
}

extension CommandWords {
  var row: Command? { context.row }
  var words: [Word] { context.words }
  var targets: Targets { context.targets }
  var results: Results { context.results }
  var reporter: Reporter { context.reporter }
  var writes: Writes { context.writes }
  var run: RunFacts { context.run }

  /// The folder of the console's state; nil if the environment names none.
  var stateFolder: String? { UserFolders(environment: run.console.environment).state }

  /// Prints the outcome of the command, without a label.
  func tell(_ text: String) { reporter.tell(text) }

  /// Prints a note that qualifies a result.
  func note(_ text: String) { reporter.note(text) }

  /// Prints a warning about the effect of the command.
  func warn(_ text: String) { reporter.warn(text) }

  func warn(_ text: String, _ members: [(String, Value?)]) { reporter.warn(text, members) }

  /// Prints a failure of one part of the command.
  func report(part failure: CommandFailure) { reporter.report(part: failure) }

  /// Starts a pager if the output is higher than the window.
  func page() { results.page() }

  /// Keeps the shown records for `again`, up to the limit.
  func keep(_ records: [Record], isWhole: Bool = true, count: Int? = nil, _ presentation: Presentation) {
    results.keep(records, isWhole: isWhole, count: count, presentation)
  }

  /// Returns the time the command has taken, once per command; nil if it is not shown below a list.
  func takeTime() -> Double? {
    let timing = run.settings.display.timing
    return timing == .on || timing == .auto && run.isInteractive ? reporter.timer?.take() : nil
  }

  /// Requests a change of the session, applied at the end of the command even if it fails.
  func change(_ change: SessionChange) { results.result.changes.append(change) }

  /// Sets the number of records for the log.
  func count(records: Int?) { results.result.count = records }

  /// True if an interruption has stopped everything that was to run; at a terminal, all that was entered with the
  /// interrupted command.
  var isStopped: Bool { run.interruption.isRaised }

  /// The failure of an error, with the address of its backend.
  func failure(_ error: any Error) -> CommandFailure {
    guard var error = error as? BackendError else { return CommandFailure(any: error) }
    // The user did not request the description that a command needed first.
    let isGivenUp = error.code == .cancelled && [.notSent, .rejected].contains(error.effect)
    // An interrupted command goes by the name that was typed, whatever it was reading.
    if error.operation == "describe" || isGivenUp, let verb = row?.name { error.operation = verb }
    let backend = error.backend.flatMap { targets.isOpen($0) ? try? targets.open($0) : nil }
    let connection = backend?.connection
    let secret = error.code == .unauthorized ? backend?.secretSource : nil
    if let secret, let name = error.backend {
      let login = run.isInteractive ? "; login \(name) gives another" : ""
      error.hint = (error.hint.map { "\($0); " } ?? "") + "the configuration takes \(secret)\(login)"
    }
    if error.hint == nil, error.effect != .notSent || error.code == .unauthorized, let backend {
      let name = backend.configuration.name
      if backend.asksForLogin(error.code, run) {
        let isByPerson = backend.login?.isByPerson == true
        error.hint =
          isByPerson && !run.isInteractive
          ? "type at a terminal: switchboard login \(name)" : "log in: login \(name)\(isByPerson ? "" : " USER")"
      } else if error.code == .unauthorized, targets.isConfigured(name) {
        error.hint = "check the credentials: backends edit \(name)"
      }
    }
    error.hint = targets.completed(error.hint, error.backend)
    var failure = CommandFailure(error, address: connection?.address)
    // A resource that the command names explicitly is not part of an ad hoc address.
    let isNamed = words.contains { $0.text == error.resource }
    if [.notFound, .badResponse, .invalid].contains(error.code), error.effect != .notSent, !isNamed,
      let note = error.backend.flatMap(targets.adHocNote)
    {
      failure.message += "; \(note)"
    }
    if error.code == .rateLimited || error.code == .unavailable { failure.retryAfter = connection?.retryAfter }
    return failure
  }
}

extension CommandWords {
  /// The failure that ends a command. If the record that it names does not exist, the hint is the list of existing
  /// ones.
  func lastFailure(_ error: any Error) async -> CommandFailure {
    var failure = failure(error)
    // The failure of a nested command has its own hint.
    guard let error = error as? BackendError else { return failure }
    if let unknown = await undescribed(error) { return self.failure(unknown) }
    guard failure.hint == nil, error.code == .notFound, error.id != nil,
      ["get", "update", "delete"].contains(error.operation), let name = error.backend, targets.isOpen(name),
      let path = error.resource.flatMap({ ResourcePath($0) }), let client = try? targets.open(name).client,
      let capabilities = try? await client.describe(.known).resource(at: path)?.capabilities
    else { return failure }
    let operations = path.parent == nil ? capabilities.operations : capabilities.operationsBelow
    if (operations ?? capabilities.operations).contains(.list) {
      failure.hint = "list \(name)/\(path) shows the records"
    }
    return failure
  }

  /// The error of a write that the description lacks, though the service may support it; nil for other errors.
  private func undescribed(_ error: BackendError) async -> BackendError? {
    let writes: [(Capabilities.Operation, String)] = [(.create, "created"), (.update, "changed"), (.delete, "deleted")]
    guard error.code == .unsupported, error.hint == nil, let name = error.backend, targets.isOpen(name),
      let backend = try? targets.open(name), backend.configuration.description != nil,
      let (operation, done) = writes.first(where: { $0.0.rawValue == error.operation }),
      let path = error.resource.flatMap({ ResourcePath($0) }),
      let capabilities = try? await backend.client.describe(.known).resource(at: path)?.capabilities,
      !(capabilities.operations.union(capabilities.operationsBelow ?? [])).contains(operation)
    else { return nil }
    var error = error
    error.message = "the description does not say how records of \(path.name) are \(done)"
    error.hint = "add \(backend.configuration.url) --try-writes may show it; the key \(operation.rawValue) says it"
    return error
  }
}

extension OpenBackend {
  /// The secret of the login with its place, in words; nil if the configuration has none.
  fileprivate var secretSource: String? {
    guard let part = login?.typed, let source = configuration.source(of: part) else { return nil }
    return "the \(part.words) from \(source)"
  }

  /// Returns whether a login may be missing: authentication is required, or permission was denied without a login. A
  /// replay does not know the user.
  fileprivate func asksForLogin(_ code: BackendError.Code, _ run: RunFacts) -> Bool {
    guard let login, login.reasonAgainstLogin == nil else { return false }
    return code == .unauthorized || code == .forbidden && !run.console.isRecorded && connection.activeLogin == nil
  }
}
