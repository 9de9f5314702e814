import BackendKit
import CommandLanguage
import ConsoleOutput
import ConsoleSystem

extension Session {
  /// Runs scripts once they were read completely and no errors were found; with `checksOnly`, does no more than that.
  /// Within a `try` the first failure is passed to it instead of being reported.
  func run(
    _ inputs: [CommandLineOptions.Input], checksOnly: Bool = false, isTried: Bool = false
  ) async -> ScriptEnding {
    var loader = ScriptLoader(interruption: interruption)
    await loader.load(inputs)
    var findings = loader.findings
    // A command that is alone is checked by its run.
    if checksOnly || !findings.isEmpty || !loader.isPlainCommand {
      var check = ScriptCheck(self, findsChanges: checksOnly)
      await check.check(loader.nodes)
      findings += check.findings
      if checksOnly { warn(check.warnings) }
    }
    if loader.isInterrupted || interruption.isRaised {
      script.status = .interrupted
      return .quit
    }
    for finding in findings { await learnSecretFields(of: finding.statement.text) }
    findings = Finding.sorted(findings).map { $0.blanked(context.blanking) }
    if let first = findings.first {
      if isTried { return .failed(first.failure) }
      say(findings)
      script.tally.skipped += loader.nodes.count
      worsen(.usage, by: first.failure)
      return .stopped
    }
    let interpreter = Interpreter(session: self, source: ScriptSource())
    return checksOnly ? .done : await interpreter.run(loader.nodes, isTried: isTried)
  }

  /// Says what means something else than in earlier versions.
  private func warn(_ findings: [Finding]) {
    for finding in Finding.sorted(findings).prefix(100) {
      let place = finding.place
      let source = finding.statement.source.map { "\($0):" } ?? ""
      let hint = finding.error.hint.map { " (\($0))" } ?? ""
      reporter.warn("\(finding.error.message)\(hint)", at: "\(source)\(place.line):\(place.column): ")
    }
  }

  /// Says what is wrong with a script, in the order of its lines.
  private func say(_ findings: [Finding]) {
    output.flush()
    for finding in findings.prefix(100) {
      script.tally.add(finding.error.message, finding.statement)
      if settings.errors == .text {
        errors.write(finding.text)
      } else {
        let failure = finding.failure
        reporter.report(failure, file: failure.statement?.source, line: failure.statement?.line ?? 0)
      }
    }
    if findings.count > 100 { reporter.tell("and \(findings.count - 100) more") }
    errors.flush()
  }

  /// Has the run end with a status, where what it would end with so far tells less.
  func worsen(_ status: ExitStatus, by failure: CommandFailure) {
    let worse = self.script.status.worse(status)
    if worse != self.script.status { script.worstFailure = failure }
    self.script.status = worse
  }

  /// The failure that `$error` stands for.
  var lastError: CommandFailure? { script.failure }

  /// Has `$error` stand for a failure, or for null.
  func setError(_ failure: CommandFailure?) {
    script.failure = failure
    script.scope.set("error", to: .known(.value(failure.map { .object($0.object) } ?? .null)))
  }

  /// Has `$last` stand for what the last command came to.
  func bindLast() {
    if let result = script.result { script.scope.set("last", to: .known(result)) }
  }

  /// Returns the value of an assignment: a value as it is, or a text.
  func assigned(_ word: Word) throws(UsageError) -> ScriptResult {
    if let expression = word.expression {
      let inputs = ExpressionInputs(scope: script.scope, now: .now())
      do throws(UsageError) {
        return .value(try expression.result(inputs) ?? .null)
      } catch {
        throw error.at(word.column)
      }
    }
    if let reference = word.references.first, word.references.count == 1, word.text.isEmpty {
      guard case .known(let result)? = try script.scope.value(of: reference) else {
        throw script.scope.unset(reference)
      }
      return result
    }
    return .value(.string(try script.scope.resolved(word).text))
  }

  /// The values that a word of a `for` stands for: the elements of a list that it refers to, else its one value.
  func values(of word: Word) throws(UsageError) -> [Value] {
    let result = try assigned(word)
    switch result {
    case .records(let records, let count, isSingle: false) where count > records.count:
      throw UsageError(
        "only the first \(records.count) of \(count) records of \(word.shownName) were kept",
        hint: "for NAME in (COMMAND) iterates over all", column: word.column)
    case .records(_, _, isSingle: true): return [result.value]
    case .records, .value(.array): return result.value.array ?? []
    case .value(let value): return [value]
    }
  }

  /// Says a failure, with its place in a script.
  func say(_ failure: CommandFailure, _ statement: Statement) {
    var failure = failure
    failure.message = context.blanking.text(failure.message, quoting: statement.text)
    failure.hint = failure.hint.map { context.blanking.text($0, quoting: statement.text) }
    if let row = statement.row { failure.message = "row \(row): \(failure.message)" }
    reporter.report(failure, file: statement.source, line: statement.line)
    errors.flush()
  }
}

extension CommandFailure {
  /// The failure as scripts see it.
  var object: Object {
    var object = Object([("code", .string(code.rawValue)), ("message", .string(detail ?? sentence))])
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

/// A script that is run whole, as the source of its commands.
final class ScriptSource: LineSource, UpcomingCommands {
  /// The file or stream that the current command stands in.
  var name: String?
  /// The statements after the current command.
  var rest: ArraySlice<ScriptNode> = []

  init() {}

  func upcoming(_ count: Int) -> [[Word]] {
    var commands: [[Word]] = []
    for node in rest.prefix(count) {
      guard case .command(let command) = node, let words = command.line.constantWords else { break }
      commands.append(words)
    }
    return commands
  }

  /// Nothing: its commands are taken from the script.
  func next(prompt: EscapedText) async -> SourceLine { .end }
}
