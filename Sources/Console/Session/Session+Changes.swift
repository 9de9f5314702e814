import BackendClient
import BackendKit
import ConsoleOutput
import ConsoleSetup

extension Session {
  /// Applies a change of a command; no other code does.
  func apply(_ change: SessionChange) {
    switch change {
    case .choose(let backend, let path):
      targets.choose(Targets.Current(backend: backend, path: path))
      state.lastList = nil
      rehearsal?.knowsCurrent = true
    case .set(let settings): self.settings = settings
    case .reopen(let backend): targets.reopen(backend)
    // A lookup that failed may succeed for another user.
    case .login: knowledge?.refresh()
    case .add(let backend): targets.add(backend)
    case .replace(let backend): targets.replace(backend)
    case .remove(let name): targets.remove(name)
    // A list used by a script has no pages to turn.
    case .keepList(let list): if execution.rows == nil { state.lastList = list }
    case .keepPage(let page): state.pages.append(page)
    case .tee(let copy): output.copy(to: copy)
    // The outcome of the command ends the loop.
    case .quit: break
    }
  }

  /// Runs a command and applies its changes, even if it fails.
  func run(_ command: Command, _ invocation: Invocation) async throws -> CommandOutcome {
    let result = execution.result
    defer { result.changes.forEach(apply) }
    try await command.run(invocation, ports)
    return result.changes.contains { if case .quit = $0 { true } else { false } } ? .quit : .done
  }

  /// Takes over what the ports of a command kept, even if it failed.
  func fold(_ result: CommandResult, _ writes: Writes) {
    if let records = result.records { state.lastResult = records }
    if result.list != nil || result.coversList {
      state.shownList = result.list
      knowledge?.learn { $0.shownList = result.list }
    }
    if let value = result.value { script.result = value }
    if let count = result.count { execution.tally.records = count }
    if result.isCut { execution.isResultCut = true }
    script.tally.rows.add(writes.rows)
    if let counts = writes.tally.counts { execution.tally.counts = counts }
    execution.tally.add(effectsOf: writes.tally)
    guard let place = targets.takePlace() else { return }
    execution.tally.backend = place.backend.configuration.name
    if let path = place.path {
      execution.target = Target(backend: place.backend, path: path)
      execution.tally.resource = path.description
    }
  }

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

  /// Discards the reads ahead, and logs those that were not used.
  func endReadAhead() {
    for (name, backend) in targets.opened.sorted(by: { $0.key < $1.key }) {
      let count = backend.client.endReadAhead()
      if count > 0 { log?.add(unused: count, of: name) }
    }
  }
}
