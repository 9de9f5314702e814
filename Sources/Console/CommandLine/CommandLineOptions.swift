import CommandLanguage
public import ConsoleOutput
public import ConsoleSystem

/// The options and inputs that the console is started with.
///
/// The parser of the command language reads them: with a general library, which builds its description of the options
/// by reflection, parsing took a quarter of the time from start to end.
public struct CommandLineOptions: Sendable, Hashable {
  /// The result of parsing.
  public enum Outcome: Sendable, Hashable {
    /// Run with these options.
    case run(CommandLineOptions)
    /// Print a text and exit.
    case help(EscapedText)
    /// Print the version and the build stamp, and exit.
    case version
    /// An error, as a sentence.
    case wrong(String)
  }

  /// Commands to run.
  public enum Input: Sendable, Hashable {
    /// A command, or several lines of them.
    case command(String)
    /// One command, split into words by the shell.
    case words([String])
    /// A file; `-` is standard input.
    case file(String)
  }

  /// The inputs in the order given; empty for the terminal or standard input.
  public var inputs: [Input] = []
  /// The path of the configuration.
  public var config: String?
  /// Files or folders of plugins.
  public var pluginPaths: [String] = []
  /// True if a script continues after a failure; nil defers to the configuration.
  public var continuesOnError: Bool?
  /// The number of reads of a script that are sent ahead; nil defers to the configuration.
  public var readAhead: Int?
  /// True if incomplete writes and unknown fields are failures (`strict`); nil defers to the configuration.
  public var isStrict: Bool?

  /// The format of standard error; nil defers to the configuration.
  public var errors: ErrorForm?
  /// The arguments of scripts: `$1`, `$2`…
  public var arguments: [String] = []
  /// The report of expectations; nil for none.
  public var report: ScriptReport?
  /// The format of the final summary; nil for none.
  public var summary: ErrorForm?
  /// True if scripts are only checked.
  public var checksOnly = false
  /// True if the writes of scripts are planned instead of sent, and shown at the end.
  public var isPreview = false
  /// True if commands run as they arrive, before the rest of the script is read.
  public var streams = false
  /// True if scripts may run shell commands.
  public var allowsShell = false
  /// True if commands may only read, and only from backends of the configuration.
  public var isRestricted = false
  /// The environment variables that a restricted script may read.
  public var allowedVariables: [String] = []
  /// The permissions of an assistant, which speaks to standard input and output; nil if commands are run.
  public var assistants: AssistantOptions?
  /// True if the user's startup commands are skipped.
  public var skipsInit = false

  /// The file that every exchange is recorded to.
  public var record: String?
  /// The recording that replaces the servers.
  public var replay: String?

  /// The file that gets a line per command.
  public var log: String?

  /// The form in which each attempt of a request is shown.
  public var trace = TraceForm.off

  /// A shell's line to complete instead of running anything.
  public var shellLine: String?
  /// True if a shell reads the output: completions, or the script that requests them. Warnings have no reader then.
  public var isForShell: Bool {
    if shellLine != nil { return true }
    guard inputs.count == 1, case .words(let words)? = inputs.first else { return false }
    return words.first == Command.completion.name
  }

  /// Parses the arguments, without the program's name.
  public static func parse(_ arguments: [String]) -> Outcome {
    do {
      let words = arguments.map { Word(text: $0, isQuoted: false, column: 1) }
      let invocation = try Invocation(
        CommandReading(words[...], [.optional(.line)], syntax, help: "switchboard --help"))
      if invocation.has("help") { return .help(help) }
      if invocation.has("version") { return .version }
      for name in ["file", "config", "plugin-path", "record", "replay", "log"]
      where invocation.values(of: name).contains("") {
        throw UsageError("--\(name): empty path")
      }
      var options = CommandLineOptions()
      options.inputs = invocation.reading.options.compactMap { option -> Input? in
        switch (option.syntax.name, option.value?.text) {
        case ("command", let text?): .command(text)
        case ("file", let path?): .file(path)
        default: nil
        }
      }
      if !options.inputs.isEmpty, invocation.reading.isLiteral {
        options.arguments = invocation.words.map(\.text)
      } else if !invocation.words.isEmpty {
        guard options.inputs.isEmpty else {
          throw UsageError(
            "\"\(invocation.words[0].text)\" cannot be combined with -c or -f",
            hint:
              "give the command once: as words after the options, with -c, or in a file; -- begins a script's arguments"
          )
        }
        options.inputs = [.words(invocation.words.map(\.text))]
      }
      if case .words(let words)? = options.inputs.first, words.first == AssistantOptions.word {
        options.assistants = try AssistantOptions(invocation.words.dropFirst(), beside: invocation)
        options.inputs = []
      }
      options.checksOnly = invocation.has("check")
      options.isPreview = invocation.has("dry-run")
      options.streams = invocation.has("stream")
      options.report = try invocation.value(of: "report").map { text throws(UsageError) in try ScriptReport(text) }
      options.summary = invocation.value(of: "summary").flatMap(ErrorForm.init(rawValue:))
      if options.streams, options.report != nil || options.summary != nil {
        throw UsageError("--report and --summary cannot be used with --stream")
      }
      if options.checksOnly, options.streams { throw UsageError("--check and --stream cannot be combined") }
      if options.isPreview, options.checksOnly || options.streams {
        throw UsageError("--dry-run and --\(options.checksOnly ? "check" : "stream") cannot be combined")
      }
      if invocation.has("strict") { options.isStrict = true }
      options.allowsShell = invocation.has("allow-shell")
      options.isRestricted = options.assistants != nil || invocation.has("restricted")
      if options.isRestricted, options.allowsShell {
        throw UsageError("--restricted and --allow-shell cannot be combined")
      }
      options.allowedVariables = invocation.values(of: "allow-env").flatMap { names in
        names.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      }
      if options.allowedVariables.contains("") {
        throw UsageError(
          "--allow-env takes names of variables, separated by commas", hint: "for example --allow-env LANG")
      }
      if !options.isRestricted, !options.allowedVariables.isEmpty {
        throw UsageError("--allow-env requires --restricted: other scripts may read every variable")
      }
      options.skipsInit = invocation.has("no-init")
      options.shellLine = invocation.value(of: "complete")
      options.config = invocation.value(of: "config") ?? options.shellLine.flatMap(configuration)
      options.log = invocation.value(of: "log")
      options.record = invocation.value(of: "record")
      options.replay = invocation.value(of: "replay")
      if options.record != nil, options.replay != nil { throw UsageError("--record and --replay cannot be combined") }
      if invocation.has("trace") {
        let form = invocation.value(of: "trace").map { $0 == TraceForm.curl.rawValue ? TraceForm.curl : nil } ?? .on
        guard let form else { throw UsageError("--trace takes no value but curl", hint: "--trace or --trace=curl") }
        options.trace = form
      }
      if options.trace != .off, options.replay != nil {
        throw UsageError("--trace shows what is sent, and with --replay nothing is sent")
      }
      options.pluginPaths = invocation.values(of: "plugin-path")
      options.continuesOnError = invocation.value(of: "on-error").map { $0 == "continue" }
      options.readAhead = try invocation.count(of: "read-ahead")
      options.errors = invocation.value(of: "errors").flatMap(ErrorForm.init(rawValue:))
      return .run(options)
    } catch {
      return .wrong(CommandFailure(any: error).sentence)
    }
  }

  /// The format of standard error that arguments request, even if other arguments are wrong: errors about them use it.
  public static func errorForm(_ arguments: [String]) -> ErrorForm {
    for (index, word) in arguments.enumerated() {
      if word == "--errors=json" || word == "--errors" && arguments.dropFirst(index + 1).first == "json" {
        return .json
      }
    }
    return .text
  }

  /// The configuration that a shell's line names.
  private static func configuration(in line: String) -> String? {
    let words = PartialLine(line).words.dropFirst()
    let options = CommandReading(words, [.optional(.line)], syntax).options
    return options.last { $0.syntax.name == "config" }?.value?.text
  }
}
