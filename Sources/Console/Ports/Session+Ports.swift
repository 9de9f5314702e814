import BackendClient
import BackendKit

extension Session: CommandPorts {
  var row: Command? { execution.command }
  var words: [Word] { execution.words }

  var results: Results {
    Results(
      output: output, destination: execution.destination, rows: execution.rows, format: settings.output,
      display: settings.display, isInteractive: isInteractive, console: context, interruption: interruption,
      knowledge: knowledge, reporter: reporter, result: execution.result)
  }

  var reporter: Reporter {
    Reporter(
      errors: errors, form: settings.errors, file: execution.file, line: execution.line, words: execution.words,
      blanking: context.blanking, progress: progress, log: log, timer: execution.timer, complaints: complaints)
  }

  var writes: Writes { Writes(services: self) }

  var run: RunFacts {
    RunFacts(
      settings: settings, console: context, isInteractive: isInteractive, rehearsal: rehearsal,
      interruption: interruption, source: execution.source, input: input, depth: script.depth, scope: script.scope,
      lastList: state.lastList, lastResult: state.lastResult)
  }

  /// What the current command gets.
  var ports: CommandContext {
    CommandContext(
      row: row, words: words, targets: targets, results: results, reporter: reporter, writes: writes, run: run)
  }
}

// What commands use that still receive the session whole.
extension Session {
  var configuration: Configuration { targets.configuration }
  var backendNames: String { targets.backendNames }
  var theme: Theme { results.theme }
  var keptRecords: Int { results.keptRecords }

  func configuration(of name: String) -> BackendConfiguration? { targets.configuration(of: name) }
  func adHocBackend(_ text: String) -> String? { targets.adHocBackend(text) }
  func open(_ name: String) throws -> OpenBackend { try targets.open(name) }
  func isOpen(_ name: String) -> Bool { targets.isOpen(name) }
  func work(on target: Target) { targets.work(on: target) }
  func takeTarget(_ words: inout [Word]) async throws -> Target { try await targets.takeTarget(&words) }
  func takeTarget(_ words: inout [Word], literalStart _: Int?) async throws -> Target { try await takeTarget(&words) }
  func takeBackend(_ words: inout [Word]) async throws -> OpenBackend { try await targets.takeBackend(&words) }
  func target(named text: String) async throws -> Target? { try await targets.target(named: text) }
  func target(backend name: String, path: ResourcePath?) async throws -> Target {
    try await targets.target(backend: name, path: path)
  }
  func nearestTarget(_ text: String) async -> String? { await targets.nearestTarget(text) }
  func report(_ failure: CommandFailure, file: String?, line: Int) { reporter.report(failure, file: file, line: line) }
  func log(row: String, _ failure: CommandFailure) { reporter.log(row: row, failure) }

  /// Has standard error look as the settings want it.
  func formErrors() {
    guard settings.errors == .json else { return errors.setForm(nil) }
    let blanking = context.blanking
    errors.setForm { ErrorReport(.note, $0).text(blanking.text).text }
  }
}
