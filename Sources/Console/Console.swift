import BackendKit
public import ConsoleOutput
public import ConsoleSetup
public import ConsoleSystem
import Files

/// The console: one loop over a source of lines, be it a terminal, a pipe, a file or arguments.
public final class Console {
  private let session: Session

  /// Creates a console. Throws a sentence to print if settings in the configuration are wrong.
  public init(
    _ configuration: Configuration, catalog: PluginCatalog, connector: any Connector, output: Output, errors: Output,
    context: ConsoleContext, interruption: Interruption, continuesOnError: Bool? = nil,
    readAhead: Int? = nil, isStrict: Bool? = nil, errorForm: ErrorForm? = nil, log: RunLog? = nil
  ) throws(ConsoleError) {
    do {
      var settings = try Settings(configuration.settings)
      if let continuesOnError { settings.continuesOnError = continuesOnError }
      if let readAhead { settings.readAhead = readAhead }
      if let isStrict { settings.isStrict = isStrict }
      if let errorForm { settings.errors = errorForm }
      settings.trace = context.trace?.form ?? .off
      session = Session(
        configuration, catalog: catalog, connector: connector, output: output, errors: errors, context: context,
        interruption: interruption, settings: settings, log: log)
      if let progress = session.progress {
        if output.isTerminal { output.beforeShowing { progress.clear() } }
        errors.beforeShowing { progress.clear() }
      }
    } catch {
      throw ConsoleError(message: CommandFailure(any: error).sentence)
    }
  }

  /// Completes a line for the Tab key, on any thread. `cursor` is in Unicode scalars. Lookups block for at most 50 ms.
  public var completer: @Sendable (_ line: String, _ cursor: Int) -> CommandCompletion {
    let knowledge =
      session.knowledge
      ?? CompletionContext(
        catalog: session.catalog, connector: session.connector, blanking: session.context.blanking,
        executor: session.context.executor)
    session.knowledge = knowledge
    session.teach()
    return { line, cursor in Completer.complete(String(line.unicodeScalars.prefix(cursor)), knowledge) }
  }

  /// Prints the continuations of a shell's line up to the cursor, in the form that the scripts of `completion` read.
  public func printCompletion(ofShellLine line: String) {
    session.output.write(formatted: ShellAnswer.completions(of: line, session))
    session.output.flush()
  }

  /// Runs the file `init` in the user's configuration folder, if there is one. A failure is reported, and ends only
  /// that file.
  public func runInit() async {
    guard let folder = UserFolders(environment: session.context.environment).configuration else { return }
    let path = folder + "/init"
    guard Permissions(path: path) != nil else { return }
    do {
      let source = try FileLineSource(path: path, interruption: session.interruption)
      // These are the permissions of the open file, not of its path.
      if let problem = source.permissions?.problem {
        session.reporter.warn("\(path) is not run: \(problem)")
      } else {
        _ = await Loop(session: session, source: source).run()
      }
    } catch {
      session.reporter.warn("\(path) is not run: \(error.message)")
    }
    session.output.flush()
    session.errors.flush()
    session.script.status = .success
  }

  /// Runs a source to its end and returns how the run ended.
  public func run(_ source: any LineSource, interactive: Bool) async -> ExitStatus {
    session.isInteractive = interactive
    if interactive { greet() }
    _ = await Loop(session: session, source: source).run()
    return end()
  }

  /// Runs scripts and returns their status. Each is read to its end and checked before any of it runs; with
  /// `checksOnly`, none runs; as a preview, writes are planned instead of sent. Writes the report and the summary, if
  /// requested.
  public func run(
    _ inputs: [CommandLineOptions.Input], checksOnly: Bool = false, isPreview: Bool = false,
    report: ScriptReport? = nil,
    summary: ErrorForm? = nil
  ) async -> ExitStatus {
    do {
      // Before anything runs: otherwise a report that cannot be written would be noticed too late.
      let file = try report?.path.map { path throws(UsageError) in try ResultFile.replacing(path, isNamedOutside: true)
      }
      session.script.tally.isReported = report != nil
      if isPreview {
        await PreviewRun(session).show(inputs)
      } else {
        _ = await ScriptRun(session: session).run(inputs, checksOnly: checksOnly)
      }
      RunSummary(session: session).conclude(report, in: file, summary: summary)
    } catch {
      session.reporter.report(CommandFailure(error), file: "--report", line: 0)
      session.script.status = .usage
    }
    return end()
  }

  /// Answers an assistant, whose messages come from a descriptor, to its end. Nothing else is written to the output.
  public func serveAssistants(reading input: Int32) async -> ExitStatus {
    if let limits = session.context.limits { await AssistantServer(session, limits, reading: input).run() }
    return end()
  }

  /// The exit status that a script chose; nil if it chose none.
  public var chosenStatus: Int32? { session.script.chosenStatus }

  /// Returns whether a command has already failed with, and reported, this problem of the recording.
  public func hasReported(_ complaint: String) -> Bool { session.complaints?.told.contains(complaint) == true }

  private func end() -> ExitStatus {
    session.state.pages.forEach { $0.delete() }
    session.context.journal?.end()
    session.endReadAhead()
    session.output.flush()
    session.errors.flush()
    let status = outcome()
    // A user who did not see the end of a run may repeat the command.
    if session.output.complaint != nil || status.isCutShort && (chosenStatus == nil || status == .brokenPipe) {
      FinishedTransfers.keep()
    }
    return status
  }

  private func outcome() -> ExitStatus {
    if session.output.lostItsReader { return .brokenPipe }
    if let complaint = session.output.complaint {
      let sentence = "\(complaint); the rest of the output is lost; earlier changes are kept"
      session.errors.write(whole: ErrorReport.line(sentence, .failure, in: session.settings.errors) + "\n")
      session.errors.flush()
      return Interruption.endingStatus ?? session.script.status.worse(.failure)
    }
    return Interruption.endingStatus ?? (session.isInteractive ? .success : session.script.status)
  }

  private func greet() {
    let names = session.targets.configuration.backends.map(\.name)
    let banner = [
      "Switchboard \(session.context.version), \(counted(names.count, "backend"))"
        + (names.isEmpty ? "." : ": " + NameList.text(names) + "."),
      "Type help for help, \(names.isEmpty ? "" : "add ADDRESS to connect a service, ")Ctrl-D to quit.",
    ]
    let line = banner.joined(separator: " ")
    let width = session.errors.width ?? .max
    let beginning =
      names.isEmpty
      ? ["No backend is configured: \(Targets.beginning)."] : []
    // A banner wider than a line is broken between sentences first.
    let lines = DisplayWidth.columns(of: line) <= width ? [line] : banner
    for line in (lines + beginning).flatMap({ Wrapping.lines(of: $0, width: width) }) {
      session.errors.write("\(line)\n")
    }
    JournalEntries(session.ports).noteOpenWrites()
    KeptEdits(session.ports).announce()
    session.errors.flush()
  }
}
