import BackendKit
import CommandLanguage
import ConsoleSetup
import ConsoleSystem

/// The failure of a command: a sentence, the next step, and the exit status.
struct CommandFailure: Error, Sendable {
  var status: ExitStatus
  /// The operation, its target and the problem, on one line.
  var message: String
  /// The next step for the user, as a clause.
  var hint: String?
  /// The kind of failure, for scripts and programs.
  var code: FailureCode
  /// The column in its line, from 1, in characters.
  var column: Int?
  /// The number of seconds that the server asked to wait.
  var retryAfter: Int?
  var error: BackendError?
  var statement: Statement?
  /// The lines below the message: the errors of a description.
  var lines: [String] = []
  /// The outcomes of the rows of a bulk command.
  var counts: BulkTally?
  /// The effect of writes that were made before something else failed: the output, a file, a shell command.
  var written: BackendError.Effect?
  /// The message for scripts, if the one for people relies on a failure reported earlier.
  var detail: String?

  init(_ status: ExitStatus, _ message: String, hint: String? = nil, code: FailureCode? = nil) {
    self.status = status
    self.message = message
    self.hint = hint
    self.code = code ?? FailureCode(status)
  }

  init(_ status: ExitStatus, _ message: String, _ counts: BulkTally) {
    self.init(status, message)
    self.counts = counts
  }

  init(_ error: UsageError) {
    self.init(.usage, error.message, hint: error.hint)
    column = error.column
  }

  init(_ error: ConfigurationError) { self.init(.configuration, error.withoutHint, hint: error.hint) }

  init(_ error: PluginError) { self.init(.configuration, error.message, hint: error.hint, code: .plugin) }

  /// The failure of a backend's error: operation, target, problem with status, and the certain effect on the data.
  /// Texts of the server are escaped when printed.
  init(_ error: BackendError, address: String? = nil) {
    let target = [error.backend, error.resource].compactMap(\.self).joined(separator: "/")
    let tried = [error.operation, target, error.id].compactMap(\.self).filter { !$0.isEmpty }.joined(separator: " ")
    // A write that the service performs later continues.
    let isStopped = error.code == .cancelled && error.job == nil
    var message = isStopped ? "stopped" : error.message
    if !isStopped, let status = error.httpStatus, status >= 300, !message.contains(text: String(status)) {
      message += " (\(status))"
    }
    // The address adds nothing if no request was sent, or the message has it.
    if !isStopped, error.job == nil, error.effect != .notSent, let address, !message.contains(text: address) {
      let endsWithStatus = error.httpStatus.map { message.hasSuffix("(\($0))") } == true
      message = endsWithStatus ? "\(message.dropLast()), \(address))" : "\(message) (\(address))"
    }
    let isDescription = error.code == .misconfigured
    for field in error.fields.prefix(isDescription ? 0 : Self.shownFields) {
      message += "; \(field.field): \(BackendError.quoted(field.message) ?? "")"
    }
    if error.fields.count > Self.shownFields, !isDescription {
      message += "; \(error.fields.count - Self.shownFields) more"
    }
    if let outcome = error.outcome { message += "; \(outcome)" }
    self.init(
      Self.status(of: error), tried + (tried.isEmpty ? "" : ": ") + message,
      hint: error.job.map { Self.hint(job: $0, target) } ?? (isStopped ? nil : error.hint),
      code: FailureCode(rawValue: error.code.rawValue))
    if hint == nil, error.effect == .unknown, !isStopped { hint = "check the record before retrying" }
    self.error = error
    if isDescription { lines = error.fields.map { "\($0.field): \($0.message)" } }
  }

  func and(_ clause: String) -> CommandFailure {
    var failure = self
    failure.message += "; \(clause)"
    return failure
  }

  func at(_ place: String) -> CommandFailure {
    var failure = self
    failure.message = "\(place): \(message)"
    return failure
  }

  /// The failure of a command that has printed a part of its result.
  var afterPart: CommandFailure {
    guard status != .interrupted else { return self }
    var failure = and("the result is incomplete")
    failure.status = .partial
    return failure
  }

  /// The failure on one line, with the next step in parentheses.
  var sentence: String { message + (hint.map { " (\($0))" } ?? "") }

  private static func hint(job: String, _ target: String) -> String {
    job.contains(text: Blanking.mark)
      ? "the address of its job contains a secret; check the record before retrying"
      : "wait \(target) --job \(Quoting.word(job)) waits for it"
  }

  /// The number of fields for which the server's messages are shown.
  private static let shownFields = 20

  private static func status(of error: BackendError) -> ExitStatus {
    switch (error.code, error.effect) {
    // Writes as well: the message and the effect show the unknown outcome.
    case (.cancelled, _): .interrupted
    case (_, .unknown): .unknownOutcome
    // Not unreachable, for which a script would retry.
    case (_, .applied): .failure
    case (.unavailable, _), (.timedOut, _), (.rateLimited, _): .unreachable
    case (.misconfigured, _): .configuration
    case (.invalid, .notSent), (.unsupported, .notSent), (.notFound, .notSent): .usage
    default: .failure
    }
  }
}

extension CommandFailure {
  var effect: BackendError.Effect? { error?.effect ?? counts?.effect ?? written }

  /// True if repeating the command would repeat a write.
  var repeatsWrite: Bool {
    if let counts, counts.createsEach, counts.done > 0 { return true }
    return counts == nil && [.applied, .unknown].contains(error?.effect ?? written)
  }
}

extension Result where Failure == CommandFailure {
  init(_ body: () throws -> Success) {
    do { self = .success(try body()) } catch { self = .failure(CommandFailure(any: error)) }
  }
}

extension CommandFailure {
  /// The failure for any error of the console's parts.
  init(any error: any Error) {
    switch error {
    case let failure as CommandFailure: self = failure
    case let error as UsageError: self.init(error)
    case let error as StatementError: self.init(.usage, error.message)
    case let error as ConfigurationError: self.init(error)
    case let error as PluginError: self.init(error)
    case let error as BackendError: self.init(error)
    default: self.init(.failure, "\(error)")
    }
  }
}

extension BackendError {
  /// The effect on the data as a clause; nil if there is nothing to add.
  fileprivate var outcome: String? {
    switch effect {
    case .unknown: "outcome unknown"
    case .applied: code == .cancelled ? message : "the change was made"
    case .notSent: code == .cancelled ? "nothing was changed" : isOfWrite ? "nothing was sent" : nil
    case .rejected: code == .cancelled ? "nothing was changed" : nil
    }
  }

  private var isOfWrite: Bool {
    ["create", "update", "delete", "call", "request", "import", "copy", "sync", "edit", "undo", "apply"].contains(
      operation)
  }
}

extension CommandFailure {
  var outcome: String { code.rawValue == "cancelled" ? "interrupted" : code.rawValue }
}

extension CommandFailure {
  var object: Object {
    var object = Object(facts: [("code", code.rawValue), ("message", detail ?? sentence)])
    object["exit"] = .int(Int(status.rawValue))
    if let effect { object["effect"] = .string(effect.rawValue) }
    for case (let name, let value?) in counts?.members ?? [] { object[name] = value }
    if let error {
      if let status = error.httpStatus { object["httpStatus"] = .int(status) }
      for (name, value) in [("backend", error.backend), ("resource", error.resource), ("id", error.id)] {
        if let value { object[name] = .string(value) }
      }
    }
    return object
  }
}
