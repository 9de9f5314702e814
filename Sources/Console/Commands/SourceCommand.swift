import BackendKit

extension Command {
  /// Runs the commands of a file.
  static let source = Command(
    "source", "Run the commands of a file", arguments: "FILE",
    examples: [Example(line: "source nightly.sb", says: "its commands, as if they were typed here")]
  ) { invocation, session in
    guard invocation.words.count == 1, let word = invocation.words.first else {
      throw UsageError("source takes one file", hint: "source FILE")
    }
    guard session.depth < 16 else {
      throw UsageError("files that run files are nested too deeply", hint: "does \(word.text) run itself?")
    }
    let before = session.status
    let path = Path.real(word.text)
    guard !session.running.contains(path) else {
      throw UsageError("\(word.text) is running already", hint: "a file that runs itself would never end")
    }
    _ = try FileLineSource(path: word.text, interruption: session.interruption)
    let wasInteractive = session.isInteractive
    session.depth += 1
    session.running.append(path)
    session.status = .success
    session.isInteractive = false
    let ending = await session.run([.file(word.text)])
    session.running.removeLast()
    session.depth -= 1
    session.isInteractive = wasInteractive
    let inner = session.status
    session.status = before
    if inner != .success {
      throw CommandFailure(inner, "\(word.text) did not run to its end without failure")
    }
    if case .quit = ending { return .quit }
    return .done
  }

  /// Works on the configuration.
  static let config = Command(
    "config", "Trust the configuration of the current folder", arguments: "trust",
    options: SharedOptions.telling,
    details: ["Until its content was trusted, ./config.json may use no credentials, extra headers or relaxed TLS."],
    examples: [Example(line: "config trust", says: "records the file's path and content as trusted")]
  ) { invocation, session in
    guard invocation.words.map(\.text) == ["trust"] else { throw UsageError("config is followed by trust") }
    let path = session.context.directory + "/config.json"
    try TrustStore(environment: session.context.environment).record(path)
    try session.tell(
      Object([("action", "trusted"), ("path", .string(path))]), invocation,
      text: Visible.text("trusted \(path) as it is now") + "\n")
    session.note("it counts from the next start")
    return .done
  }

  /// Ends the run.
  static let quit = Command("quit", "End the console") { invocation, _ in
    try invocation.takesNoWords("quit")
    return .quit
  }
}
