import BackendKit
import CommandLanguage
import ConsoleOutput
import ConsoleSystem

/// Runs commands as they arrive: lines of a terminal or a stream, or a command given as words.
struct Loop {
  let session: Session
  let source: any LineSource

  /// Runs to the end of the source. Returns `quit` if that ends the run.
  func run() async -> CommandOutcome {
    let interpreter = Interpreter(session: session, source: source)
    var parser = ScriptParser()
    while true {
      if session.isInteractive {
        // An interruption drops everything entered together, even if the interrupted command succeeded.
        if session.interruption.take() {
          parser.drop()
          dropRest()
        }
        if Interruption.endingSignal != nil { return .quit }
      }
      if session.isInteractive, !parser.isOpen {
        FinishedTransfers.forget()
        ProposedPlans(session.ports).announce(&session.state.inbox)
        await session.refreshPrompt()
        session.teach()
      }
      let prompt: EscapedText = !session.isInteractive ? "" : parser.isOpen ? "... " : session.prompt
      let waits = !source.hasRest
      let line = await source.next(prompt: prompt)
      // An interruption at the prompt has nothing to stop.
      if session.isInteractive, waits { _ = session.interruption.take() }
      let ending: ScriptEnding
      switch line {
      case .end where !session.interruption.isRaised: return await end(&parser, interpreter)
      case .end, .interrupted:
        parser.drop()
        if session.isInteractive { continue }
        session.script.status = .interrupted
        return .quit
      case .unreadable(let reason, let line):
        ending = interpreter.report(
          CommandFailure(.usage, reason), Statement(text: "", line: line, source: source.name))
      case .command(let text, let line):
        ending = await run(text, line: line, &parser, interpreter)
      case .words(let texts):
        ending = await interpreter.run([.command(ScriptCommand(shellWords: texts, source: source.name))])
      }
      if case .quit = ending { return .quit }
      if case .stopped = ending {
        guard session.isInteractive, session.script.depth == 0 else { return .quit }
        parser.drop()
        dropRest()
      }
      if session.output.isBroken { return .quit }
    }
  }

  /// Runs a command, or a block entered at once. An unfinished block continues with the next line.
  private func run(
    _ text: String, line: Int, _ parser: inout ScriptParser, _ interpreter: Interpreter
  ) async -> ScriptEnding {
    var statement = Statement(text: text, line: line, source: source.name)
    do {
      let isTyped = session.isInteractive
      if isTyped { statement.text = try session.resolved(text) }
      let rows =
        text.contains(text: "\n")
        ? WordSource.statements(of: text, number: line, isTyped: isTyped) : [.success(statement)]
      // Line numbers of a typed block are relative to its first line.
      var counter = StatementReader(text, isTyped: isTyped)
      for row in rows {
        statement = try row.get()
        statement.source = source.name
        let begin = isTyped ? try counter.next()?.line : nil
        if rows.count > 1 { statement.row = begin }
        guard let node = try parser.add(statement) else { continue }
        let ending = await interpreter.run([node])
        guard case .done = ending else { return ending }
      }
      return .done
    } catch {
      return interpreter.report(CommandFailure(any: error), statement)
    }
  }

  private func end(_ parser: inout ScriptParser, _ interpreter: Interpreter) async -> CommandOutcome {
    guard let (statement, error, _) = parser.finish() else { return .done }
    if case .done = interpreter.report(CommandFailure(error), statement) { return .done }
    return .quit
  }

  /// Drops commands that were entered together with a failed one, as in a script.
  private func dropRest() {
    let count = source.dropRest()
    guard count > 0 else { return }
    session.reporter.tell("\(counted(count, "more command was", "more commands were")) not run")
    session.errors.flush()
  }
}
