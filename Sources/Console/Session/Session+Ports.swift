import BackendKit
import ConsoleOutput
import ConsoleSetup
import ConsoleSystem

extension Session {
  var ports: CommandContext {
    let reporter = reporter
    return CommandContext(
      row: execution.command, words: execution.words, targets: targets,
      results: Results(
        output: output, destination: execution.destination, rows: execution.rows, format: settings.output,
        display: settings.display, isInteractive: isInteractive, console: context, interruption: interruption,
        knowledge: knowledge, reporter: reporter, result: execution.result),
      reporter: reporter, writes: execution.writes,
      run: RunFacts(
        settings: settings, console: context, isInteractive: isInteractive, rehearsal: rehearsal,
        interruption: interruption, source: execution.source, input: input, depth: script.depth, scope: script.scope,
        running: script.running, lastList: state.lastList, lastResult: state.lastResult,
        shownList: state.shownList, lastWords: state.lastWords,
        nested: self))
  }

  var reporter: Reporter {
    Reporter(
      errors: errors, form: settings.errors, theme: errorTheme, file: execution.file, line: execution.line,
      words: execution.words,
      blanking: context.blanking, progress: progress, log: log, timer: execution.timer, complaints: complaints)
  }

  /// The colors of standard error, which may be a terminal while standard output is not.
  private var errorTheme: Theme {
    guard errors.isTerminal else { return .plain }
    return Theme.chosen(
      settings.display.theme, use: settings.display.color, environment: context.environment, isTerminal: true)
  }

  /// Applies the format of the settings to standard error.
  func formErrors() {
    guard settings.errors == .json else { return errors.setForm(nil) }
    let blanking = context.blanking
    errors.setForm { ErrorReport(.note, $0).text(blanking.text).text }
  }
}
