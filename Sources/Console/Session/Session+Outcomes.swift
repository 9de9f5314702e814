import BackendClient
import BackendKit

// What commands change of a session. They read its state, and change it only by these and by what reports, prints and sends: a stranger
// finds here whatever one command may leave for the next.
extension Session {
  /// Chooses what commands work on that name no target.
  func choose(_ backend: String, _ path: ResourcePath? = nil) {
    state.current = SessionState.Current(backend: backend, path: path)
    state.lastList = nil
  }

  /// Keeps the list that `next`, `prev`, `first` and `page` go on with; nil where there is none. The pages of a list that a script uses
  /// are turned by nobody.
  func keep(list: ListState?) {
    if execution.rows == nil { state.lastList = list }
  }

  /// Keeps settings for the rest of the session.
  func keep(_ settings: Settings) { self.settings = settings }

  /// Keeps a page that was made for the browser, until the session ends.
  func keep(_ page: PrivatePage) { state.pages.append(page) }

  /// What the command works on: what its failures and the log name.
  func work(on target: Target) {
    execution.target = target
    execution.tally.backend = target.client.name
    execution.tally.resource = target.path.description
  }

  /// Counts the records that the command came to, for the log.
  func count(records: Int?) { execution.tally.records = records }

  /// Says that an interruption has cut the result of the command short.
  func cutResult() { execution.isResultCut = true }

  /// Runs a command whose writes go into a plan in place of the server.
  func planning(_ draft: PlanDraft, _ command: [Word]) async throws {
    execution.plan = draft
    defer { execution.plan = nil }
    _ = try await execute(command)
  }

  /// Runs a file as a script of its own: with a status of its own, and by nobody who types.
  func runNested(_ file: String, at path: String) async -> (
    ending: Interpreter.Ending, status: ExitStatus, failure: CommandFailure?
  ) {
    let before = (script.status, script.worstFailure, isInteractive)
    script.depth += 1
    script.running.append(path)
    script.status = .success
    isInteractive = false
    let ending = await run([.file(file)], isTried: script.isTried)
    script.running.removeLast()
    script.depth -= 1
    let result = (ending, script.status, script.worstFailure)
    (script.status, script.worstFailure, isInteractive) = before
    return result
  }
}
