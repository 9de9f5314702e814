import ConsoleOutput
import ConsoleSystem

extension Session {
  /// Runs a body with its result in a file, for `--to` or `--append`.
  func writingToFile(
    _ invocation: Invocation, _ body: () async throws -> CommandOutcome
  ) async throws -> CommandOutcome {
    let target = invocation.value(of: "to")
    let addition = invocation.value(of: "append")
    if execution.writes.plan != nil {
      throw UsageError(
        "a planned command has no result to write", hint: "use plan --to FILE COMMAND to name the plan file")
    }
    if target != nil, addition != nil { throw UsageError("--to and --append cannot be combined") }
    if try ResultFile.isRehearsed(invocation.word(of: target == nil ? "append" : "to"), rehearsal) {
      return try await body()
    }
    let file =
      try targets.preview != nil
      ? ResultFile.appending(to: "/dev/null")
      : target.map { path throws(UsageError) in try ResultFile.replacing(path) }
        ?? ResultFile.appending(to: addition ?? "")
    output.flush()
    // A draft that cannot be moved into place reports that itself.
    var isOver = false
    do {
      let outcome = try await redirected(
        to: Output(descriptor: file.descriptor), as: target == nil ? .addition : .file
      ) { output in
        let outcome = try await body()
        output.flush()
        if let complaint = output.complaint {
          throw CommandFailure(.partial, "\(complaint): \(target ?? addition ?? "")")
        }
        return outcome
      }
      isOver = true
      try file.finish()
      return outcome
    } catch {
      if !isOver, let note = file.abandon() { reporter.warn(note) }
      throw error
    }
  }
}
