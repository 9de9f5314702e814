import BackendClient
import BackendKit

// What commands run within themselves.
extension Session {
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
