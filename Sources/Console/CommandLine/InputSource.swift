import CommandLanguage
public import ConsoleOutput
public import ConsoleSystem

/// The inputs of the command line as one source: `quit`, a failure and `onError` have the same effect across inputs as
/// within one.
public final class InputSource: LineSource, UpcomingCommands {
  private var inputs: ArraySlice<CommandLineOptions.Input>
  private let interruption: Interruption
  private var words = 0
  private var current: (any LineSource)?

  /// Creates a source that reads the inputs in order.
  public init(_ inputs: [CommandLineOptions.Input], interruption: Interruption) {
    self.inputs = inputs[...]
    self.interruption = interruption
  }

  /// The name of the input of the last line; nil if it could not be opened.
  public var name: String? { current?.name }

  func upcoming(_ count: Int) -> [[Word]] { current?.upcoming(count) ?? [] }

  /// The next line of the first input that has one.
  public func next(prompt: EscapedText) async -> SourceLine {
    while true {
      if let current {
        let line = await current.next(prompt: prompt)
        if line != .end { return line }
      }
      current = nil
      guard let input = inputs.popFirst() else { return .end }
      do { current = try source(input) } catch { return .unreadable(error.message, line: 0) }
    }
  }

  private func source(_ input: CommandLineOptions.Input) throws(UsageError) -> any LineSource {
    switch input {
    case .command(let text):
      words += 1
      return WordSource(text, number: words)
    case .words(let words): return CommandSource(words)
    case .file("-"): return FileLineSource(descriptor: 0, name: "stdin", interruption: interruption)
    case .file(let path): return try FileLineSource(path: path, interruption: interruption, isNamedOutside: true)
    }
  }
}
