import CommandLanguage
import ConsoleSystem
import Files

extension Command {
  static let source = Command(
    "source", .script, "Run the commands of a file", arguments: [.one(.file(.read))], effects: .runsScripts,
    examples: [Example(line: "source nightly.sb", says: "its commands, as if they were typed here")]
  ) { invocation, context in
    let word = try invocation.one(.file(.read))
    guard context.run.depth < 16 else {
      throw UsageError("files that run files are nested too deeply", hint: "does \(word.text) run itself?")
    }
    try context.run.endRehearsal()
    let path = Path.real(word.text)
    guard !context.run.running.contains(path) else {
      throw UsageError("\(word.text) is running already", hint: "a file that runs itself would never end")
    }
    try Restriction.current.check(file: word.text)
    // Opening a pipe for a check would close it for its writer.
    if !FileContents.isStream(word.text) {
      _ = try FileLineSource(path: word.text, interruption: context.run.interruption)
    }
    if let plan = context.writes.plan { return try await context.run.nested.preview(word.text, at: path, into: plan) }
    let (ending, status, failure) = await context.run.nested.runNested(word.text, at: path)
    if case .failed(let failure) = ending { throw failure.ofFile() }
    if case .quit = ending, status != .interrupted { return context.change(.quit) }
    if status != .success {
      throw CommandFailure(status, of: failure, reported: "\(word.text) failed")
    }
  }

  static let quit = Command("quit", .console, "End the console", effects: []) { _, context in context.change(.quit) }
}

extension CommandFailure {
  /// The failure of a file because of this one, which was not reported.
  fileprivate func ofFile() -> CommandFailure {
    var failure = self
    failure.message = placed
    failure.hint = nil
    failure.detail = nil
    failure.statement = nil
    return failure
  }

  /// The failure of a file because of an inner one, which was reported where it occurred.
  fileprivate init(_ status: ExitStatus, of inner: CommandFailure?, reported message: String) {
    self.init(status, message, code: inner?.code)
    error = inner?.error
    retryAfter = inner?.retryAfter
    detail = inner?.placed
  }

  private var placed: String {
    let message = detail ?? sentence
    guard let source = statement?.source else { return message }
    return source + (statement.map { $0.line > 0 ? ":\($0.line)" : "" } ?? "") + ": " + message
  }
}
