import BackendKit
import ConsoleOutput
import ConsoleSystem

/// The door for assistants: the Model Context Protocol, one message a line. Its calls are commands of a session that
/// only reads, one at a time.
struct AssistantServer {
  private let session: Session
  private let limits: CallLimits
  private let reader: AssistantReader

  init(_ session: Session, _ limits: CallLimits, reading input: Int32) {
    self.session = session
    self.limits = limits
    reader = AssistantReader(
      input, answeringTo: session.output,
      AssistantHandshake(
        version: session.context.version, tools: AssistantTool.all(plans: Restriction.current.permitsPlans)))
  }

  /// Answers until the input ends, or a signal ends the run.
  func run() async {
    guard reader.start() else {
      session.reporter.report(CommandFailure(.failure, "cannot create a thread"), file: nil, line: 0)
      return session.script.worsen(.failure, by: CommandFailure(.failure, "cannot create a thread"))
    }
    // Safe: this task waits while a call runs, so that only one task uses the session.
    nonisolated(unsafe) let calls = AssistantCall(session, limits)
    let (reader, limits, executor, interruption) = (reader, limits, session.context.executor, session.interruption)
    _ = await interruption.scope {
      for await call in reader.calls {
        guard reader.isWanted(call) else {
          _ = reader.end(call)
          continue
        }
        let arguments = call.request.parameters["arguments"]
        let task = Task(executorPreference: executor) { await calls.result(of: call, arguments) }
        let timer = Task {
          try? await Task.sleep(for: limits.time)
          if Task.isCancelled { return }
          limits.expire()
          task.cancel()
        }
        if !reader.begin(call, cancel: { task.cancel() }) { task.cancel() }
        let result = await withTaskCancellationHandler {
          await task.value
        } onCancel: {
          task.cancel()
        }
        timer.cancel()
        if reader.end(call) { reader.send(call.request.answer(result)) }
        if interruption.isRaised || reader.isBroken { return }
      }
    }
    if interruption.isRaised { session.script.status = .interrupted }
  }
}
