import BackendClient
import BackendKit

/// Runs the commands of one source; `source FILE` runs another one within.
struct Loop {
  let session: Session
  let source: any LineSource

  /// Runs to the end. Returns whether the run is to end, too.
  func run() async -> CommandOutcome {
    while true {
      if session.isInteractive {
        session.interruption.forget()
        await session.refreshPrompt()
        session.teach()
      }
      switch await source.next(prompt: session.isInteractive ? session.prompt : "") {
      case .end where !session.isStopped: return .done
      case .end, .interrupted:
        if session.isInteractive { continue }
        session.status = .interrupted
        return .quit
      case .unreadable(let reason, let line):
        if report(CommandFailure(.usage, reason), line: line) == .quit { return .quit }
      case .command(let text, let line):
        if await run(.text(text), line: line) == .quit { return .quit }
      case .words(let texts):
        let words = texts.enumerated().map { place, text in
          // An empty word is nothing but its quotes.
          Word(text: text, isQuoted: text.isEmpty, column: place + 1)
        }
        if await run(.words(words), line: 0) == .quit { return .quit }
      }
      if session.output.isBroken { return .quit }
    }
  }

  private enum Given {
    case text(String)
    case words([Word])

    /// The command as it stands.
    var text: String {
      switch self {
      case .text(let text): text
      case .words(let words): SecretLine.line(words)
      }
    }
  }

  private func run(_ given: Given, line: Int) async -> CommandOutcome {
    let outer = session.source
    session.source = source
    session.line = line
    session.began = session.context.now()
    defer { session.source = outer }
    // Safe: this task waits while the command runs, so that one of them at a time uses the session.
    nonisolated(unsafe) let session = session
    let result = await session.logging(given.text, line: line) {
      await session.interruption.scope { () async -> Result<CommandOutcome, CommandFailure> in
        do { return .success(try await Self.execute(try Self.line(given, session), session)) } catch {
          return .failure(session.failure(error))
        }
      }
    }
    // The result of a read is printed while the next one's answer is awaited, if the next command is there already.
    if case .success? = result, session.output.isUnsettled, source.upcoming != nil { return .done }
    if session.isInteractive, session.interruption.isRaised {
      session.progress?.endInterrupted()
    } else {
      session.progress?.end()
    }
    session.output.endPage()
    if let complaint = session.output.takeCopyComplaint() { session.warn(complaint) }
    if let time = session.takeTime() { session.errors.write(Footer.time(time) + "\n") }
    session.errors.flush()
    switch result {
    case .success(let outcome)?: return outcome
    case .failure(let failure)?: return report(failure, line: line)
    case nil: return .done
    }
  }

  private static func line(_ given: Given, _ session: Session) throws(UsageError) -> CommandLine {
    switch given {
    case .text(let text): try CommandLine(session.resolved(text))
    case .words(let words): CommandLine(words)
    }
  }

  /// Runs a command and passes its result on.
  static func execute(_ line: CommandLine, _ session: Session) async throws -> CommandOutcome {
    if session.isStopped { throw CommandFailure(.interrupted, "interrupted before this command") }
    try Restriction.current.check(line)
    if let shell = line.shell {
      session.progress?.end()
      try session.runShell(shell)
      return .done
    }
    guard let pipeline = line.pipeline else { return try await execute(line.words, session) }
    return try await session.piped(into: pipeline) { try await execute(line.words, session) }
  }

  /// Takes words for a command and runs it.
  static func execute(_ words: [Word], _ session: Session) async throws -> CommandOutcome {
    guard let verb = words.first else { return .done }
    if words.count > 1, let last = words.last, !last.isQuoted, last.text == "?" {
      try await session.suggest(after: Array(words.dropLast()))
      return .done
    }
    if let stray = words.dropFirst().first(where: { !$0.isQuoted && ["|", ">", ">>"].contains($0.text) }) {
      throw UsageError(
        "a lone \"\(stray.text)\" is no part of a command",
        hint: stray.text == "|" ? "quote it" : "--to FILE writes a result to a file, --append FILE adds it")
    }
    if !verb.isQuoted { try HistoryReference.refuse(verb.text) }
    let command = try CommandTable.command(named: verb.text)
    if !command.overlaps {
      session.output.endPage()
      if session.output.isBroken { return .quit }
    }
    if verb.text != "watch" { session.lastWords = session.words }
    session.words = words
    session.progress?.begin(session.activity(words))
    let invocation = try Invocation(
      parsing: Array(words.dropFirst()), options: command.options + SharedOptions.redirection,
      help: "help \(command.name)", endsAtFirstWord: command.takesLine)
    // Not only once there is something to print: by then it may have been done.
    if let format = invocation.value(of: "output") { _ = try Settings.format(format) }
    session.verb = command.name
    return try await session.writingToFile(invocation) { try await command.run(invocation, session) }
  }

  private func report(_ failure: CommandFailure, line: Int) -> CommandOutcome {
    session.report(failure, file: source.name, line: line)
    session.errors.flush()
    session.status = session.status.worse(failure.status)
    if session.isInteractive && session.depth == 0 {
      dropRest(after: failure)
      return .done
    }
    if failure.status == .interrupted { return .quit }
    return session.settings.continuesOnError ? .done : .quit
  }
}

extension Loop {
  /// Of commands that were entered together, those after a failed one are not run, as in a script.
  private func dropRest(after failure: CommandFailure) {
    guard failure.status == .interrupted || !session.settings.continuesOnError else { return }
    let count = source.dropRest()
    guard count > 0 else { return }
    session.note("\(count) more \(count == 1 ? "command was" : "commands were") not run")
    session.errors.flush()
  }
}

extension Session {
  /// What the progress of a command says is going on.
  fileprivate func activity(_ words: [Word]) -> String {
    let text = words.prefix(3).map(\.text).joined(separator: " ")
    return Visible.text(words.count > 3 ? "\(text) …" : text)
  }

  /// Whether an interruption has stopped the script. At a terminal it reaches no further than the command it met.
  var isStopped: Bool { !isInteractive && interruption.isRaised }

  /// The failure for an error, with the address of the backend it came from.
  func failure(_ error: any Error) -> CommandFailure {
    guard var error = error as? BackendError else { return CommandFailure(any: error) }
    // Nobody asked for a description that a command needed on its way.
    if error.operation == "describe", let verb { error.operation = verb }
    let connection = error.backend.flatMap { isOpen($0) ? try? open($0).connection : nil }
    var failure = CommandFailure(error, address: connection?.address)
    if error.code == .rateLimited || error.code == .unavailable { failure.retryAfter = connection?.retryAfter }
    return failure
  }
}
