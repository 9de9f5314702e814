import Console
import ConsoleOutput
import ConsoleSetup
import ConsoleSystem
import Glibc
import LineEditor
import Synchronization

/// A session whose commands are typed at a terminal.
struct TypedSession {
  let options: CommandLineOptions
  let surroundings: Surroundings

  /// True if commands are typed: none are given, and both ends are a terminal.
  static func isWanted(_ options: CommandLineOptions) -> Bool {
    options.inputs.isEmpty && options.shellLine == nil && options.assistants == nil && isatty(0) == 1 && isatty(1) == 1
  }

  /// Runs the typed commands to the end.
  func run(_ console: Console, _ blanking: Blanking, _ children: ChildEnvironment) async -> ExitStatus {
    let interruption = surroundings.interruption
    let source = TerminalSource(
      environment: surroundings.environment, children: children, blanking: blanking, output: surroundings.output,
      errors: surroundings.errors, completer: Self.completer(console))
    guard let terminal = source else {
      return await console.run(
        FileLineSource(descriptor: 0, name: "stdin", interruption: interruption), interactive: false)
    }
    interruption.whenEnding(terminal.giveUp)
    defer { terminal.close() }
    if !options.skipsInit { await console.runInit() }
    return await console.run(terminal, interactive: true)
  }

  /// True if a shell gives a single command in words.
  private static func isSingle(_ options: CommandLineOptions) -> Bool {
    guard options.shellLine == nil, options.inputs.count == 1, case .words? = options.inputs.first else { return false }
    return true
  }

  /// Asks the questions of a single command from a shell at a terminal, and shows its screen; nil for other commands.
  static func questionPrompt(
    _ options: CommandLineOptions, _ interruption: Interruption, _ output: Output
  ) -> QuestionPrompt? {
    guard isSingle(options), isatty(0) == 1, isatty(1) == 1 else { return nil }
    let opened = Mutex<LineEditor?>(nil)
    // The first question or screen takes over the terminal.
    let editor: @Sendable (ChildEnvironment) -> LineEditor? = { children in
      opened.withLock { opened in
        if opened == nil {
          opened = try? TerminalQuestions.open(Environment.variables(), children)
          if let editor = opened { interruption.whenEnding { editor.giveUp() } }
        }
        return opened
      }
    }
    return QuestionPrompt { question, children in
      guard let editor = editor(children) else { return nil }
      return await TerminalQuestions(editor: editor).answer(to: question)
    } openScreen: { theme, children in
      guard let editor = editor(children) else { return nil }
      return await TerminalScreen.open(on: editor, theme, after: output)
    }
  }

  /// Prompts for passwords in a typed session, and for a single command from a shell at a terminal.
  static func passwordPrompt(_ options: CommandLineOptions, _ interruption: Interruption) -> PasswordPrompt? {
    let isTyped = isWanted(options)
    guard isTyped || isSingle(options), isatty(0) == 1 else { return nil }
    return PasswordPrompt(isForSession: isTyped) { question in
      switch PasswordReader.read(question.text, wait: { interruption.waitForInput(from: $0) }) {
      case .line(let text)?: .password(text)
      case .notText?: .notText
      case .givenUp?: .none
      case nil: .noTerminal
      }
    }
  }

  /// The console's completion for the editor.
  private static func completer(_ console: Console) -> Completer {
    let complete = console.completer
    return { line, cursor in
      let completion = complete(line, cursor)
      return Completion(
        start: completion.start,
        candidates: completion.candidates.map { .init($0.text, suffix: $0.suffix, note: $0.note) },
        isPartial: completion.isPartial, isPending: completion.isPending)
    }
  }
}
