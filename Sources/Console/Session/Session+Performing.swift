import BackendKit
import CommandLanguage
import ConsoleOutput
import ConsoleSetup
import ConsoleSystem

extension Session {
  /// Runs a command of a source to its end, including output and progress. Nil if an interruption came before it.
  func perform(
    _ line: CommandLine, at statement: Statement, from source: any LineSource
  ) async -> Result<CommandOutcome, CommandFailure>? {
    let outer = self.execution.source
    self.execution.source = source
    self.execution.line = statement.line
    execution.file = statement.source ?? source.name
    execution.text = statement.text
    execution.timer = CommandTimer(context.now)
    // A nested command has its own result.
    let outerDestination = execution.destination
    execution.destination = .output
    defer {
      self.execution.source = outer
      execution.destination = outerDestination
    }
    // Safe: this task waits while the command runs, so that only one task uses the session.
    nonisolated(unsafe) let session = self
    let result = await logging(statement.text, line: statement.line) {
      await session.interruption.scope { () async -> Result<CommandOutcome, CommandFailure> in
        session.execution.isResultCut = false
        do {
          let outcome = try await session.execute(try session.script.scope.resolved(line))
          if session.execution.isResultCut {
            let verb = line.words.first.map { "\($0.text): " } ?? ""
            throw CommandFailure(.interrupted, verb + "interrupted while printing the result: it is incomplete")
          }
          return .success(outcome)
        } catch {
          // Messages that quote the statement need its secrets, even if it failed before a backend was opened.
          await session.learnSecretFields(of: statement.text)
          var failure = await session.ports.lastFailure(error)
          failure.written = session.execution.tally.left
          return .failure(failure)
        }
      }
    }
    // If the next command is already known, the output of a read may be printed while its response is awaited.
    if case .success? = result, output.isUnsettled, !source.upcoming(1).isEmpty { return result }
    settle()
    return result
  }

  /// Writes the output left by a command.
  private func settle() {
    if isInteractive, interruption.isRaised {
      progress?.endInterrupted()
    } else {
      progress?.end()
    }
    output.endPage()
    if let complaint = output.takeCopyComplaint() {
      reporter.warn(complaint)
      if !isInteractive { script.worsen(.failure, by: CommandFailure(.failure, complaint)) }
    }
    if let problem = context.journal?.takeProblem() { reporter.warn(problem) }
    if settings.display.timing == .on, let time = execution.timer?.take() { errors.write("\(Footer.time(time))\n") }
    errors.flush()
  }

  func execute(_ line: CommandLine) async throws -> CommandOutcome {
    if interruption.isRaised { throw CommandFailure(.interrupted, "interrupted before this command") }
    let restriction = Restriction.current
    if restriction.isOn { try restriction.check(line, isPlanned: targets.preview != nil || rehearsal != nil) }
    if let preview = targets.preview { try PreviewedCommands(preview: preview).check(line) }
    if let shell = line.shell {
      progress?.end()
      try runShell(shell)
      return .done
    }
    guard let pipeline = line.pipeline else { return try await execute(line.words) }
    return try await piped(into: pipeline) { try await execute(line.words) }
  }

  func execute(_ words: [Word]) async throws -> CommandOutcome {
    guard let verb = words.first else { return .done }
    if words.count > 1 || isInteractive, let last = words.last, !last.isQuoted, last.text == "?" {
      guard words.count > 1 else { return try await execute([Word(text: "help", isQuoted: false, column: 1)]) }
      // The user can continue with the same line.
      if let end = execution.text.lastIndex(of: "?") { execution.source?.begin(with: String(execution.text[..<end])) }
      try await suggest(after: Array(words.dropLast()))
      return .done
    }
    if let stray = words.dropFirst().first(where: { !$0.isQuoted && ["|", ">", ">>"].contains($0.text) }) {
      throw UsageError(
        "a lone \"\(stray.text)\" is not part of a command",
        hint: stray.text == "|" ? "quote it" : "--to FILE writes a result to a file, --append FILE appends it",
        column: stray.column)
    }
    guard verb.insertions.isEmpty else {
      throw UsageError("a command name cannot come from a variable; write it out", column: verb.column)
    }
    let command = try CommandTable.command(named: verb)
    if !command.overlaps {
      output.endPage()
      if output.isBroken { return .quit }
    }
    // A command that takes another one repeats what ran before it.
    if let last = self.execution.words.first, CommandTable.command(spelled: last.text)?.takesLine == false {
      state.lastWords = self.execution.words
    }
    self.execution.words = words
    progress?.begin(activity(words))
    let reading = CommandReading(words.dropFirst(), of: command)
    let invocation = try Invocation(reading)
    // Checked now, as the command may be done when there is something to print.
    if let format = invocation.value(of: "output"), !command.ownFormats.contains(format) {
      _ = try Settings.format(format, besides: command.ownFormats)
    }
    if let file = invocation.resultFile { try ResultFile.checkName(of: file, for: command, invocation) }
    self.execution.command = command
    targets.command = command.shape
    let outer = (execution.result, execution.writes)
    let result = CommandResult()
    let writes = Writes(
      plan: execution.plan, line: execution.text, newFields: invocation.has("new-fields") ? nil : [],
      readsPrevious: execution.source?.canAnswer == true && command.options.contains(SharedOptions.noRead)
        && !invocation.has("no-read"),
      isRetried: script.isRetried || invocation.has("retry"), waitsForJobs: !invocation.has("no-wait"))
    (execution.result, execution.writes) = (result, writes)
    defer {
      fold(result, writes)
      (execution.result, execution.writes) = outer
    }
    if invocation.resultFile == nil || command.writesItsFile(invocation) || command.writesDatabase(invocation) {
      return try await run(command, invocation)
    }
    return try await writingToFile(invocation) { try await run(command, invocation) }
  }

  private func activity(_ words: [Word]) -> EscapedText {
    let shown = words.prefix(3).map { word in
      word.isVerbatim
        ? String(word.text.split(whereSeparator: \.isWhitespace).joined(separator: " ").prefix(40)) : word.text
    }
    let text = shown.joined(separator: " ")
    return words.count > 3 ? "\(text) …" : "\(text)"
  }
}

extension Scope {
  func resolved(_ line: CommandLine) throws(UsageError) -> CommandLine {
    guard line.words.contains(where: { !$0.references.isEmpty }) else { return line }
    var line = line
    line.words = try resolved(line.words)
    return line
  }
}
