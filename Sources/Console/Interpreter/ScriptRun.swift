import BackendKit
import CommandLanguage
import ConsoleOutput
import ConsoleScreen
import ConsoleSystem

/// Runs scripts, each read and checked as a whole before.
struct ScriptRun {
  let session: Session

  /// Runs scripts if reading and checking them found no errors; with `checksOnly`, it ends there. Within a `try` the
  /// first failure is passed on to it instead of being reported.
  func run(
    _ inputs: [CommandLineOptions.Input], checksOnly: Bool = false, isTried: Bool = false
  ) async -> ScriptEnding {
    var loader = ScriptLoader(interruption: session.interruption)
    await loader.load(inputs)
    var findings = loader.findings
    // A single command is checked when it runs.
    if checksOnly || !findings.isEmpty || !loader.isPlainCommand {
      // Safe: this task waits for the check. A preview is only of the run.
      nonisolated(unsafe) var check = ScriptCheck(session, findsChanges: checksOnly)
      let nodes = loader.nodes
      await Preview.$current.withValue(nil) { await check.check(nodes) }
      findings += check.findings
      if checksOnly { warn(check.warnings) }
    }
    if loader.isInterrupted || session.interruption.isRaised {
      session.script.status = .interrupted
      return .quit
    }
    for finding in findings { await session.learnSecretFields(of: finding.statement.text) }
    findings = Finding.sorted(findings).map { $0.blanked(session.context.blanking) }
    if let first = findings.first {
      if isTried { return .failed(first.failure) }
      say(findings)
      session.script.tally.skipped += loader.nodes.count
      session.script.worsen(.usage, by: first.failure)
      return .stopped
    }
    let interpreter = Interpreter(session: session, source: source(of: inputs))
    return checksOnly ? .done : await interpreter.run(loader.nodes, isTried: isTried)
  }

  /// The source of the commands. Only a single command in words of a shell may ask.
  private func source(of inputs: [CommandLineOptions.Input]) -> ScriptSource {
    let context = session.context
    guard inputs.count == 1, case .words? = inputs.first else { return ScriptSource(nil, context.children) }
    return ScriptSource(context.questionPrompt, context.children)
  }

  /// Warns of statements whose meaning differs from earlier versions.
  private func warn(_ findings: [Finding]) {
    for finding in Finding.sorted(findings).prefix(100) {
      let place = finding.place
      let source = finding.statement.source.map { "\($0):" } ?? ""
      session.reporter.warn(finding.error.sentence, at: "\(source)\(place.line):\(place.column): ")
    }
  }

  private func say(_ findings: [Finding]) {
    session.output.flush()
    for finding in findings.prefix(100) {
      session.script.tally.add(finding.error.message, finding.statement)
      if session.settings.errors == .text {
        session.errors.write(finding.text)
      } else {
        let failure = finding.failure
        session.reporter.report(failure, file: failure.statement?.source, line: failure.statement?.line ?? 0)
      }
    }
    if findings.count > 100 { session.reporter.tell("and \(findings.count - 100) more") }
    session.errors.flush()
  }
}

/// The source of commands of a script that is run as a whole.
final class ScriptSource: ScreenSource, UpcomingCommands {
  var name: String?
  var rest: ArraySlice<ScriptNode> = []
  private let prompt: QuestionPrompt?
  private let children: ChildEnvironment

  /// Creates a source; `prompt` asks the questions of its commands and shows their screens.
  init(_ prompt: QuestionPrompt?, _ children: ChildEnvironment) { (self.prompt, self.children) = (prompt, children) }

  var canAnswer: Bool { prompt != nil }

  func answer(to question: Question) async -> String? { await prompt?.ask(question, children) }

  func openScreen(_ theme: Theme) async -> (any Screen)? { await prompt?.openScreen(theme, children) }

  func upcoming(_ count: Int) -> [[Word]] {
    var commands: [[Word]] = []
    for node in rest.prefix(count) {
      guard case .command(let command) = node, let words = command.line.constantWords else { break }
      commands.append(words)
    }
    return commands
  }

  /// Always the end: commands come from the script.
  func next(prompt: EscapedText) async -> SourceLine { .end }
}
