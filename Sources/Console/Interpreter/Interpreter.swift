import BackendClient
import BackendKit
import CommandLanguage
import ConsoleOutput
import ConsoleSystem

struct Interpreter {
  let session: Session
  let source: any LineSource
  /// True if reads are sent ahead. Not within a retry, which repeats the statements before a failure.
  var readsAhead = true

  /// Runs statements in order. Within a `try` a failure is passed on to it instead of being reported.
  func run(_ nodes: [ScriptNode], isTried: Bool = false) async -> ScriptEnding {
    for (index, node) in nodes.enumerated() {
      let rest = nodes[(index + 1)...]
      let next = rest.first
      let ending = await run(node, before: rest, isTried: isTried)
      guard case .failed(var failure) = ending else {
        if case .done = ending {
          if session.output.isBroken { return .quit }
          continue
        }
        if case .stopped = ending { session.script.tally.skipped += nodes.count - index - 1 }
        return ending
      }
      if failure.statement == nil { failure.statement = node.statement }
      let isExpectation = if case .expectation = node { true } else { false }
      // A failed expectation keeps `$error` of the command before it for the next expectation.
      if !isExpectation || isTried { session.script.setError(failure) }
      if !isFinal(failure) {
        // The expectation that follows decides whether the failure is intended.
        if !isExpectation, next?.expectsFailure == true {
          session.script.tally.handled += 1
          continue
        }
        if isTried {
          if isExpectation { session.script.tally.takeBack() }
          return .failed(failure)
        }
      }
      // A failure within a try keeps its own place.
      let statement =
        switch node {
        case .attempt, .retry: failure.statement ?? node.statement
        default: node.statement
        }
      // Expectations are recorded when they are evaluated.
      if !isExpectation { session.script.tally.add(failure.sentence, statement) }
      switch report(failure, statement) {
      case .done: continue
      case let ending:
        session.script.tally.skipped += nodes.count - index - 1
        return ending
      }
    }
    return .done
  }

  /// Reports a failure, and returns whether later statements run.
  func report(_ failure: CommandFailure, _ statement: Statement) -> ScriptEnding {
    session.script.tally.failed += 1
    say(failure, statement)
    // The status of wrong usage promises that nothing was sent.
    let isLate = failure.status == .usage && session.traffic.requests > 0
    session.script.worsen(isLate ? .failure : failure.status, by: failure)
    if failure.status == .interrupted { return session.isInteractive ? .stopped : .quit }
    if isFinal(failure) { return .stopped }
    if session.isInteractive, session.script.depth == 0, !session.settings.continuesOnError { return .stopped }
    return session.settings.continuesOnError ? .done : .stopped
  }

  /// Returns whether a failure ends everything, whatever the script does about failures.
  private func isFinal(_ failure: CommandFailure) -> Bool {
    failure.status == .interrupted || session.targets.isOver
  }

  private func say(_ failure: CommandFailure, _ statement: Statement) {
    var failure = failure
    failure.message = session.context.blanking.text(failure.message, quoting: statement.text)
    failure.hint = failure.hint.map { session.context.blanking.text($0, quoting: statement.text) }
    if let row = statement.row { failure.message = "row \(row): \(failure.message)" }
    session.reporter.report(failure, file: statement.source, line: statement.line)
    session.errors.flush()
  }

  private func run(_ node: ScriptNode, before rest: ArraySlice<ScriptNode>, isTried: Bool) async -> ScriptEnding {
    let isExpected = rest.first?.expectsFailure == true
    session.script.isTried = isTried || isExpected
    do {
      if let preview = session.targets.preview {
        // A condition before this statement may have ended it.
        if let end = preview.end { throw end }
        if let value = preview.takeAssumption() { return try assume(value, of: node) }
      }
      switch node {
      case .command(let command):
        if isExpected { session.script.setError(nil) }
        return try await run(command, before: rest)
      case .assign(let name, let word, _):
        try session.script.scope.assign(name, try session.script.assigned(word))
      case .capture(let name, let command):
        do { try session.script.scope.assign(name, try await result(of: command, isLast: true)) } catch {
          // An earlier value could be taken for the result of this command.
          session.script.scope.restore(name, nil)
          throw error
        }
      case .loop(let name, let looped, let body, _):
        // The name is scoped to the loop.
        let before = session.script.scope.binding(of: name)
        defer { session.script.scope.restore(name, before) }
        switch looped {
        case .command(let command): return try await loop(name, command, body, isTried: isTried)
        case .values(let words): return try await loop(name, words, body, isTried: isTried)
        }
      case .choice(let condition, let then, let otherwise, _):
        let holds = try await judge(condition).holds
        return await run(holds ? then : otherwise, isTried: isTried)
      case .attempt(let body, let otherwise, _):
        let ending = await run(body, isTried: true)
        guard case .failed(let failure) = ending else {
          if case .done = ending { session.script.setError(nil) }
          return ending
        }
        if isFinal(failure) { return ending }
        // An unknown outcome is only accepted by a script that handles it with `else`.
        guard otherwise != nil || failure.status != .unknownOutcome else { return ending }
        session.script.tally.handled += 1
        return await run(otherwise ?? [], isTried: isTried)
      case .retry(let count, let every, let body, _):
        return try await retry(count, every, body)
      case .expectation(let condition, let name, let statement):
        try await expect(condition, as: name, statement)
      case .assumption(let word, _):
        if let preview = session.targets.preview { preview.assume(try session.script.assigned(word).value) }
      case .onError(let continues, _):
        session.settings.continuesOnError = continues
      case .leave(let isBreak, _): return .left(isBreak: isBreak)
      case .exit(let word, _):
        session.script.chosenStatus = try word.map { word throws(UsageError) in
          try StatementWords.status(session.script.scope.resolved(word))
        }
        return .quit
      }
      return .done
    } catch {
      return .failed(await session.ports.lastFailure(error))
    }
  }

  /// Takes a value for the result of a statement, which a preview does not run.
  private func assume(_ value: Value, of node: ScriptNode) throws -> ScriptEnding {
    switch node {
    case .command:
      session.script.result = .value(value)
      session.script.bindLast()
      noteAssumed(node.statement)
    case .capture(let name, _):
      try session.script.scope.assign(name, .value(value))
      noteAssumed(node.statement)
    case .assign(let name, _, _): try session.script.scope.assign(name, .value(value))
    default:
      throw UsageError("assume gives the result of a command, of capture or of set", hint: "write it right before one")
    }
    return .done
  }

  private func noteAssumed(_ statement: Statement) {
    let line = statement.text.drop(while: \.isWhitespace).prefix(60)
    session.reporter.note("its result is assumed, and its effects are not in the plan: \(line)")
  }

  private func run(
    _ command: ScriptCommand, before rest: ArraySlice<ScriptNode>
  ) async throws(CommandFailure) -> ScriptEnding {
    if let script = source as? ScriptSource {
      script.name = command.statement.source
      script.rest = readsAhead ? rest : []
    }
    switch await session.perform(command.line, at: command.statement, from: source) {
    case .success(.done)?:
      session.script.tally.done += 1
      session.script.bindLast()
      return .done
    case .success(.quit)?: return .quit
    case .failure(let failure)?: throw failure
    case nil: return .done
    }
  }

  /// Returns a command's result without showing it; with `isLast` it becomes the last result, if there is one.
  func result(of command: ScriptCommand, isLast: Bool = false) async throws(CommandFailure) -> ScriptResult {
    let (spool, other, hasResult) = try await collect(command)
    let result = if spool.count == 0, let other { other } else { try spool.result() }
    if isLast, hasResult {
      session.script.result = result
      session.script.bindLast()
    }
    return result
  }

  /// The records of a command, another result, and whether it has a result at all.
  func collect(_ command: ScriptCommand) async throws(CommandFailure) -> (RowBuffer, ScriptResult?, hasResult: Bool) {
    let spool = RowBuffer(in: session.context.environment["TMPDIR"] ?? "/tmp")
    let own = session.output
    let captured = Output(capturedFor: own)
    own.flush()
    session.execution.rows = spool
    session.output = captured
    let last = session.script.result
    session.script.result = nil
    defer {
      session.script.result = last
      session.execution.rows = nil
      session.output = own
    }
    switch await session.perform(command.line, at: command.statement, from: source) {
    case .failure(let failure)?: throw failure
    case .success?: break
    case nil: throw CommandFailure(.interrupted, "interrupted before this command")
    }
    session.script.tally.done += 1
    if case .value? = session.script.result { return (spool, session.script.result, true) }
    var text = captured.takeText()
    if text.last == "\n" { text.removeLast() }
    return (spool, text.isEmpty ? nil : .value(.string(text)), spool.isUsed)
  }

  private func loop(
    _ name: String, _ command: ScriptCommand, _ body: [ScriptNode], isTried: Bool
  ) async throws(CommandFailure) -> ScriptEnding {
    session.execution.target = nil
    let (spool, other, hasResult) = try await collect(command)
    let target = session.execution.target
    if spool.count == 0, other != nil || !hasResult {
      let verb = command.line.words.first?.text ?? ""
      throw CommandFailure(UsageError("\(verb) does not return records", hint: "for needs list or get"))
    }
    var reader = try RowBuffer.Reader(spool)
    while let record = try reader.next() {
      // Writes of the record are checked against the revision that the script got, regardless of later reads.
      if let target, record.revision != nil { target.client.see(record, in: target.path) }
      let value = ScriptResult.records([record], count: 1, isSingle: true)
      if let ending = try await turn(name, value, body, isTried: isTried) { return ending }
    }
    return .done
  }

  /// Runs one iteration of a loop; returns how it ended the loop, nil to continue.
  private func turn(
    _ name: String, _ value: ScriptResult, _ body: [ScriptNode], isTried: Bool
  ) async throws(CommandFailure) -> ScriptEnding? {
    if session.interruption.isRaised { throw CommandFailure(.interrupted, "interrupted in a for") }
    do { try session.script.scope.assign(name, value) } catch { throw CommandFailure(error) }
    switch await run(body, isTried: isTried) {
    case .done, .left(isBreak: false): return nil
    case .left(isBreak: true): return .done
    case let ending: return ending
    }
  }

  /// Runs statements for each value; a reference to a list stands for its elements.
  private func loop(
    _ name: String, _ words: [Word], _ body: [ScriptNode], isTried: Bool
  ) async throws -> ScriptEnding {
    for word in words {
      for value in try session.script.values(of: word) {
        if let ending = try await turn(name, .value(value), body, isTried: isTried) { return ending }
      }
    }
    return .done
  }

  /// Repeats statements until none fails, up to a number of attempts. Not after a write that was done or has an unknown
  /// outcome, nor after wrong usage, which would only fail again.
  private func retry(_ count: Word, _ every: Word?, _ body: [ScriptNode]) async throws -> ScriptEnding {
    let most = try StatementWords.attempts(session.script.scope.resolved(count))
    let fixed = try every.map { word throws(UsageError) in
      try StatementWords.seconds(session.script.scope.resolved(word))
    }
    var pause = fixed ?? 1
    let outer = session.script.isRetried
    defer { session.script.isRetried = outer }
    for attempt in 1... {
      session.script.isRetried = attempt < most
      let ending = await Interpreter(session: session, source: source, readsAhead: false).run(body, isTried: true)
      guard case .failed(let failure) = ending else {
        if case .done = ending { session.script.setError(nil) }
        return ending
      }
      guard attempt < most, !isFinal(failure), ![.unknownOutcome, .usage].contains(failure.status),
        !failure.repeatsWrite
      else { return ending }
      session.script.tally.handled += 1
      // A pause that the server requests takes precedence.
      let seconds = max(pause, min(failure.retryAfter ?? 0, Self.longestPause))
      session.reporter.note("attempt \(attempt) of \(most) failed; the next one in \(seconds) s: \(failure.sentence)")
      session.errors.flush()
      await session.interruption.scope { try? await Task.sleep(for: .seconds(seconds)) }
      if session.interruption.isRaised { throw CommandFailure(.interrupted, "interrupted in a retry") }
      if fixed == nil { pause = min(pause * 2, Self.longestGrowth) }
    }
    return .done
  }

  /// The maximum pause that a server can request, in seconds.
  private static let longestPause = 300
  /// The maximum to which the pause grows by itself, in seconds.
  private static let longestGrowth = 60
}
