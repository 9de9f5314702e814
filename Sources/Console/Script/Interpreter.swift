import BackendKit

/// Runs the statements of a script.
struct Interpreter {
  /// How statements ended.
  enum Ending {
    /// All were run.
    case done
    /// One failed, and those after it were not run.
    case stopped
    /// The run is to end.
    case quit
    /// One failed that a `try` is around.
    case failed(CommandFailure)
  }

  let session: Session
  let source: any LineSource

  /// Runs statements in their order. Where a `try` is around them a failure is handed to it instead of being said.
  func run(_ nodes: [ScriptNode], isTried: Bool = false) async -> Ending {
    for (place, node) in nodes.enumerated() {
      let next = place + 1 < nodes.count ? nodes[place + 1] : nil
      let ending = await run(node, before: next, isTried: isTried)
      guard case .failed(let failure) = ending else {
        if case .done = ending {
          if session.output.isBroken { return .quit }
          continue
        }
        if case .stopped = ending { session.runTally.skipped += nodes.count - place - 1 }
        return ending
      }
      let isExpectation = if case .expectation = node { true } else { false }
      // An expectation that does not hold leaves the failure of the command before it to the next one.
      if !isExpectation || isTried { session.setError(failure) }
      if failure.status != .interrupted {
        // The expectation that follows says whether that is what should happen.
        if !isExpectation, next?.expectsFailure == true {
          session.runTally.handled += 1
          continue
        }
        if isTried {
          // What a try takes is told to nobody.
          if isExpectation { session.runTally.points.removeLast() }
          return ending
        }
      }
      // An expectation tells of itself.
      if !isExpectation { session.runTally.add(failure.message, node.statement) }
      switch report(failure, node.statement) {
      case .done: continue
      case let ending:
        session.runTally.skipped += nodes.count - place - 1
        return ending
      }
    }
    return .done
  }

  /// Says a failure; tells whether the statements after it are run.
  func report(_ failure: CommandFailure, _ statement: Statement) -> Ending {
    session.runTally.failed += 1
    session.say(failure, statement)
    // That nothing was sent is what the status of wrong usage says.
    let isLate = failure.status == .usage && session.traffic.requests > 0
    session.status = session.status.worse(isLate ? .failure : failure.status)
    if failure.status == .interrupted { return session.isInteractive ? .stopped : .quit }
    if session.isInteractive, session.depth == 0, !session.settings.continuesOnError { return .stopped }
    return session.settings.continuesOnError ? .done : .stopped
  }

  private func run(_ node: ScriptNode, before next: ScriptNode?, isTried: Bool) async -> Ending {
    do {
      switch node {
      case .command(let command):
        if next?.expectsFailure == true { session.setError(nil) }
        return try await run(command, before: next)
      case .assign(let name, let word, _):
        session.scope.set(name, to: .known(try session.assigned(word)))
      case .capture(let name, let command):
        session.scope.set(name, to: .known(try await result(of: command)))
      case .loop(let name, let command, let body):
        return try await loop(name, command, body, isTried: isTried)
      case .choice(let condition, let then, let otherwise, _):
        let holds = try await judge(condition).holds
        return await run(holds ? then : otherwise, isTried: isTried)
      case .attempt(let body, let otherwise, _):
        let ending = await run(body, isTried: true)
        guard case .failed(let failure) = ending else {
          if case .done = ending { session.setError(nil) }
          return ending
        }
        if failure.status == .interrupted { return ending }
        session.runTally.handled += 1
        return await run(otherwise, isTried: isTried)
      case .expectation(let condition, let statement):
        try await expect(condition, statement)
      case .onError(let continues, _):
        session.settings.continuesOnError = continues
      case .exit(let word, _):
        session.chosenStatus = try word.map { word throws(UsageError) in
          try StatementWords.status(session.scope.resolved(word))
        }
        return .quit
      }
      return .done
    } catch {
      return .failed(session.failure(error))
    }
  }

  private func run(_ command: ScriptCommand, before next: ScriptNode?) async throws(CommandFailure) -> Ending {
    if let script = source as? ScriptSource {
      script.name = command.statement.source
      script.upcoming = next?.upcoming
    }
    switch await session.perform(command.line, at: command.statement, from: source) {
    case .success(.done)?:
      session.runTally.done += 1
      session.bindLast()
      return .done
    case .success(.quit)?: return .quit
    case .failure(let failure)?: throw failure
    case nil: return .done
    }
  }

  /// What a command comes to, shown nowhere.
  private func result(of command: ScriptCommand) async throws(CommandFailure) -> ScriptResult {
    let (spool, text) = try await collect(command)
    if spool.count > 0 || text == nil { return try spool.result() }
    return text ?? .value(.null)
  }

  /// The records that a command comes to, and what it comes to where that is something else.
  private func collect(_ command: ScriptCommand) async throws(CommandFailure) -> (RowSpool, ScriptResult?) {
    let spool = RowSpool()
    let own = session.output
    let captured = Output(capturedFor: own)
    own.flush()
    session.rows = spool
    session.output = captured
    session.scriptResult = nil
    defer {
      session.rows = nil
      session.output = own
    }
    switch await session.perform(command.line, at: command.statement, from: source) {
    case .failure(let failure)?: throw failure
    case .success?: break
    case nil: throw CommandFailure(.interrupted, "interrupted before this command")
    }
    session.runTally.done += 1
    if case .value? = session.scriptResult { return (spool, session.scriptResult) }
    var text = captured.takeText()
    if text.last == "\n" { text.removeLast() }
    return (spool, text.isEmpty ? nil : .value(.string(text)))
  }

  private func loop(
    _ name: String, _ command: ScriptCommand, _ body: [ScriptNode], isTried: Bool
  ) async throws(CommandFailure) -> Ending {
    let (spool, result) = try await collect(command)
    if spool.count == 0, result != nil {
      let verb = command.line.words.first?.text ?? ""
      throw CommandFailure(UsageError("\(verb) comes to no records", hint: "for goes over those of list or get"))
    }
    var reader = try RowSpool.Reader(spool)
    while let record = try reader.next() {
      if session.isStopped { throw CommandFailure(.interrupted, "interrupted in a for") }
      session.scope.set(name, to: .known(.value(ScriptResult.object(record))))
      let ending = await run(body, isTried: isTried)
      guard case .done = ending else { return ending }
    }
    return .done
  }
}

// MARK: - Conditions

extension Interpreter {
  private func expect(_ condition: Condition, _ statement: Statement) async throws {
    let began = session.context.now()
    var expectation = RunTally.Point(
      name: statement.text, source: statement.source, line: statement.line)
    do {
      let verdict = try await judge(condition)
      expectation.verdict = verdict
      expectation.milliseconds = session.context.now() - began
      session.runTally.points.append(expectation)
      guard !verdict.holds else { return }
      throw CommandFailure(
        .failure, "expected \(verdict.expected), found \(verdict.actual)", code: .expectation)
    } catch {
      guard expectation.verdict == nil else { throw error }
      expectation.complaint = session.failure(error).message
      session.runTally.points.append(expectation)
      throw error
    }
  }

  /// Whether a condition holds, with what it asked for and what there was.
  private func judge(_ condition: Condition) async throws -> Verdict {
    switch condition {
    case .not(let inner):
      let verdict = try await judge(inner)
      return Verdict(holds: !verdict.holds, expected: "not \(verdict.expected)", actual: verdict.actual)
    case .truth(let word):
      let value = try session.scope.operand(word)
      return Verdict(
        holds: Condition.isTrue(value), expected: "\(word.shownName) to be something", actual: Verdict.shown(value))
    case .compare(let left, let sign, let right):
      let found = try session.scope.operand(left)
      return Verdict(found, sign, try session.scope.operand(right), name: left.shownName)
    case .kind(let word, let isNegated, let kind):
      let value = try session.scope.operand(word)
      return Verdict(
        holds: (Condition.Kind(value) == kind) != isNegated,
        expected: "\(word.shownName) to be \(isNegated ? "not " : "")\(kind.rawValue)", actual: Verdict.shown(value))
    case .count(let sign, let word):
      guard let result = session.scriptResult, let count = try result.value(at: [.member("count")], of: "last") else {
        throw UsageError(
          "there is no result to count", hint: "list, get and count come to one; (count) > 0 asks for one",
          column: word.column)
      }
      return Verdict(count, sign, try session.scope.operand(word), name: "count")
    case .command(let command, let sign, let word):
      let result = try await result(of: command)
      let count = try result.value(at: [.member("count")], of: "result") ?? .int(Condition.isTrue(result.value) ? 1 : 0)
      guard let sign, let word else {
        return Verdict(holds: Condition.isTrue(count), expected: "a record", actual: "none")
      }
      return Verdict(count, sign, try session.scope.operand(word), name: "count")
    case .status(let sign, let word):
      let status = session.traffic.status.map { Value.int($0) }
      var verdict = Verdict(status, sign, try session.scope.operand(word), name: "status")
      if status == nil, let failure = session.lastError { verdict.actual = "no answer: \(failure.message)" }
      return verdict
    case .error(let code):
      let failure = session.lastError
      let found = failure.map { "\($0.code.rawValue): \($0.message)" } ?? "no failure"
      return Verdict(
        holds: failure != nil && (code == nil || failure?.code.rawValue == code),
        expected: code.map { "the error \($0)" } ?? "an error", actual: found)
    case .same(let first, let second): return try await same(first, second)
    }
  }

  private func same(_ first: ScriptCommand, _ second: ScriptCommand) async throws -> Verdict {
    let (left, leftText) = try await collect(first)
    let (right, rightText) = try await collect(second)
    if left.count == 0, right.count == 0, leftText != nil || rightText != nil {
      return Verdict(leftText?.value, .equal, rightText?.value, name: "the first result")
    }
    var others = try RowSpool.Reader(right)
    var readers = try RowSpool.Reader(left)
    var place = 0
    while true {
      let (one, other) = (try readers.next(), try others.next())
      if one == nil, other == nil { break }
      let values = (one.map(ScriptResult.object), other.map(ScriptResult.object))
      guard let left = values.0, let right = values.1, left.isSame(as: right) else {
        return Verdict(
          holds: false, expected: "record \(place + 1) to be \(Verdict.shown(values.0))",
          actual: Verdict.shown(values.1))
      }
      place += 1
    }
    return Verdict(holds: true, expected: "the same records", actual: "the same \(place) records")
  }
}

extension Verdict {
  /// The comparison of something that is named.
  init(_ found: Value?, _ sign: Condition.Operator, _ wanted: Value?, name: String) {
    let read = Condition.read(wanted, beside: found)
    self.init(
      holds: Condition.compared(found, sign, wanted), expected: "\(name) \(sign.rawValue) \(Self.shown(read))",
      actual: Self.shown(found))
  }

  /// A value in a message, cut where it is long.
  static func shown(_ value: Value?) -> String {
    let text = value.map { JSONWriter.compact($0) } ?? "nothing"
    return text.count > 200 ? text.prefix(200) + "…" : text
  }
}

extension Word {
  /// What is compared, in a message.
  var shownName: String { references.first.map(\.shown) ?? "\"\(text)\"" }
}

extension ScriptNode {
  /// Whether it is an expectation that a failure before it belongs to.
  var expectsFailure: Bool {
    if case .expectation(let condition, _) = self { condition.isAboutFailure } else { false }
  }

  /// The command as it will be run, where that is known already.
  var upcoming: String? {
    guard case .command(let command) = self, command.isConstant, command.line.pipeline == nil else { return nil }
    return command.statement.text
  }
}
