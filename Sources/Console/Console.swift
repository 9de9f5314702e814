import BackendKit
public import ConsoleOutput
public import ConsoleSetup
public import ConsoleSystem
import Files

/// The console: one loop over a line source, the same for a terminal, a pipe, a file and words.
public final class Console {
  private let session: Session

  /// A console. Throws the sentence to print where the settings in the configuration are wrong.
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
      settings.traces = context.trace?.isOn == true
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

  /// Answers the Tab key, on whatever thread: gets the line and the cursor in it, in Unicode scalars. Blocks for 50
  /// milliseconds at most, while something is looked up.
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

  /// Prints what can follow the line of a shell up to the cursor, as the scripts of `completion` read it.
  public func printCompletion(ofShellLine line: String) {
    session.output.write(formatted: ShellAnswer.completions(of: line, session))
    session.output.flush()
  }

  /// Runs what the operator wants at each start at a terminal: the file `init` of their configuration's folder, where there is
  /// one. A failure in it is said and ends nothing but the file.
  public func runInit() async {
    guard let folder = UserFolders(environment: session.context.environment).configuration else { return }
    let path = folder + "/init"
    guard Permissions(path: path) != nil else { return }
    do {
      let source = try FileLineSource(path: path, interruption: session.interruption)
      // The permissions checked are those of the open file.
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

  /// Runs scripts, each read to its end and checked before anything of it is run, and returns how that ended. With
  /// `checksOnly` nothing is run. Expectations are reported and the run is summed up as asked for.
  public func run(
    _ inputs: [CommandLineOptions.Input], checksOnly: Bool = false, report: ScriptReport? = nil,
    summary: ErrorForm? = nil
  ) async -> ExitStatus {
    do {
      // Before anything is done that a report could not tell of.
      let file = try report?.path.map { path throws(UsageError) in try ResultFile.replacing(path, isNamedOutside: true)
      }
      session.script.tally.isReported = report != nil
      _ = await ScriptRun(session: session).run(inputs, checksOnly: checksOnly)
      RunSummary(session: session).conclude(report, in: file, summary: summary)
    } catch {
      session.reporter.report(CommandFailure(error), file: "--report", line: 0)
      session.script.status = .usage
    }
    return end()
  }

  /// The number that a script has chosen to end with; nil where it leaves that to what happened.
  public var chosenStatus: Int32? { session.script.chosenStatus }

  /// Returns whether a command has failed because of this problem with the recording and has reported it.
  public func hasReported(_ complaint: String) -> Bool { session.complaints?.told.contains(complaint) == true }

  private func end() -> ExitStatus {
    session.state.pages.forEach { $0.delete() }
    session.context.journal?.end()
    session.endReadAhead()
    session.output.flush()
    session.errors.flush()
    let status = outcome()
    // Whoever has not seen a run end may give the same command again.
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
    // A banner that does not fit on one line is broken between the sentences, and within them only if needed.
    let lines = DisplayWidth.columns(of: line) <= width ? [line] : banner
    for line in (lines + beginning).flatMap({ Wrapping.lines(of: $0, width: width) }) {
      session.errors.write("\(line)\n")
    }
    JournalEntries(session.ports).noteOpenWrites()
    session.errors.flush()
  }
}
