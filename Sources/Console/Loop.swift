import BackendKit

/// Runs the commands of a source as they come: lines of a terminal or of a stream, or the words of a shell.
struct Loop {
  let session: Session
  let source: any LineSource

  /// Runs to the end. Returns whether the run is to end, too.
  func run() async -> CommandOutcome {
    let interpreter = Interpreter(session: session, source: source)
    var parser = ScriptParser()
    while true {
      if session.isInteractive, !parser.isOpen {
        session.interruption.forget()
        await session.refreshPrompt()
        session.teach()
      }
      let prompt = parser.isOpen ? "... " : session.prompt
      let ending: Interpreter.Ending
      switch await source.next(prompt: session.isInteractive ? prompt : "") {
      case .end where !session.isStopped: return await end(&parser, interpreter)
      case .end, .interrupted:
        parser.drop()
        if session.isInteractive { continue }
        session.status = .interrupted
        return .quit
      case .unreadable(let reason, let line):
        ending = interpreter.report(
          CommandFailure(.usage, reason), Statement(text: "", line: line, source: source.name))
      case .command(let text, let line):
        var statement = Statement(text: text, line: line, source: source.name)
        do {
          statement.text = try session.resolved(text)
          guard let node = try parser.add(statement) else { continue }
          ending = await interpreter.run([node])
        } catch {
          ending = interpreter.report(CommandFailure(any: error), statement)
        }
      case .words(let texts):
        let words = texts.enumerated().map { place, text in
          // An empty word is nothing but its quotes.
          Word(text: text, isQuoted: text.isEmpty, column: place + 1)
        }
        let statement = Statement(text: SecretLine.line(words), line: 0, source: source.name)
        ending = await interpreter.run([.command(ScriptCommand(line: CommandLine(words), statement: statement))])
      }
      if case .quit = ending { return .quit }
      if case .stopped = ending {
        guard session.isInteractive, session.depth == 0 else { return .quit }
        parser.drop()
        dropRest()
      }
      if session.output.isBroken { return .quit }
    }
  }

  private func end(_ parser: inout ScriptParser, _ interpreter: Interpreter) async -> CommandOutcome {
    guard let (statement, error, _) = parser.finish() else { return .done }
    if case .done = interpreter.report(CommandFailure(error), statement) { return .done }
    return .quit
  }

  /// Of commands that were entered together, those after a failed one are not run, as in a script.
  private func dropRest() {
    let count = source.dropRest()
    guard count > 0 else { return }
    session.note("\(count) more \(count == 1 ? "command was" : "commands were") not run")
    session.errors.flush()
  }
}
