import BackendClient
import ConsoleOutput

extension Session {
  /// Runs a command's body and adds a line to the log, if there is one.
  func logging<Success>(
    _ command: @autoclosure () -> String, line: Int, _ body: () async -> Result<Success, CommandFailure>?
  ) async -> Result<Success, CommandFailure>? {
    guard let log else { return await body() }
    let outer = execution.tally
    defer { execution.tally = outer }
    execution.tally = CommandTally()
    // A command may run others, from other files.
    let file = execution.file
    let (began, start, requests) = (ClockTime.now(), context.now(), log.requests)
    let result = await body()
    let text = String(command().drop(while: \.isWhitespace))
    guard !text.isEmpty else { return result }
    var outcome = "interrupted"
    switch result {
    case .success?: outcome = "ok"
    case .failure(let failure)?:
      outcome = failure.outcome
      if let effect = failure.effect { execution.tally.add(effect) }
    case nil: break
    }
    log.add(
      RunLog.Entry(
        file: file, line: line, command: context.blanking.line(text), tally: execution.tally,
        requests: log.requests - requests, outcome: outcome, duration: context.now() - start),
      began: began)
    return result
  }
}

extension Session {
  /// Discards the reads ahead, and logs those that were not used.
  func endReadAhead() {
    for (name, backend) in targets.opened.sorted(by: { $0.key < $1.key }) {
      let count = backend.client.endReadAhead()
      if count > 0 { log?.add(unused: count, of: name) }
    }
  }
}
