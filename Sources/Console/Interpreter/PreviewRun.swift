import BackendClient
import BackendKit
import CommandLanguage
import ConsoleOutput
import ConsoleSetup
import ConsoleSystem

/// Runs scripts as a preview, in a session of its own: writes are planned, and reads see them.
struct PreviewRun {
  private let outer: Session
  private let session: Session
  private let preview: ScriptPreview

  /// Creates a preview that begins in the state of a session.
  init(_ outer: Session) {
    self.outer = outer
    preview = ScriptPreview(most: outer.context.limits == nil ? .max : CallLimits.writes)
    var settings = outer.settings
    // A read sent ahead of a planned write would not show it.
    settings.readAhead = 0
    session = Session(from: outer, settings: settings, preview: preview)
  }

  /// Runs the scripts of a command line, and shows what was planned.
  func show(_ inputs: [CommandLineOptions.Input]) async {
    do {
      let draft = PlanDraft()
      try await run(inputs, into: draft)
      session.output.flush()
      let lines = try draft.summary.lines()
      let addresses = Set(draft.summary.parts.map { $0.place.target.backend.connection.address }).sorted()
      if !lines.isEmpty {
        session.errors.write(EscapedText(lines: lines.joined(separator: "\n")).fitted(to: session.errors.width))
      }
      let place = addresses.isEmpty ? "" : " to \(addresses.joined(separator: ", "))"
      session.reporter.tell("preview: \(draft.summary.counts.words); nothing was sent\(place)")
    } catch {
      let failure = session.ports.failure(error)
      session.reporter.report(failure, file: nil, line: 0)
      session.script.worsen(failure.status, by: failure)
    }
    outer.script.tally = session.script.tally
    outer.script.chosenStatus = session.script.chosenStatus
    if let failure = session.script.worstFailure { outer.script.worsen(session.script.status, by: failure) }
  }

  /// Runs one script, and puts its writes into a plan. Throws if it did not succeed.
  func plan(_ file: String, at path: String, into plan: any PlanSink) async throws {
    session.script.running.append(path)
    try await self.plan(.file(file), named: file, into: plan)
  }

  /// Runs commands, and puts their writes into a plan. Throws if one did not succeed.
  func plan(_ input: CommandLineOptions.Input, named name: String, into plan: any PlanSink) async throws {
    try await run([input], into: plan)
    guard session.script.status == .success, session.script.chosenStatus ?? 0 == 0 else {
      let status = session.script.status == .success ? ExitStatus.failure : session.script.status
      throw CommandFailure(status, "\(name) failed in the preview; no plan was written")
    }
  }

  private func run(_ inputs: [CommandLineOptions.Input], into plan: any PlanSink) async throws {
    // Safe: this task waits while the script runs, so that only one task uses the session.
    nonisolated(unsafe) let (session, plan) = (session, plan)
    let failure: (any Error)? = await Preview.$current.withValue(preview) {
      _ = await ScriptRun(session: session).run(inputs)
      do {
        if let end = preview.end, session.script.worstFailure == nil { throw end }
        for planned in preview.writes { try await add(planned, to: plan) }
        return nil
      } catch { return error }
    }
    if let failure { throw failure }
  }

  private func add(_ planned: ScriptPreview.PlannedWrite, to plan: any PlanSink) async throws {
    let target = Target(backend: try session.targets.open(planned.backend), path: planned.write.resource)
    let place = Ledgers(session.ports).place(target, try await target.client.resource(target.path))
    let origin = WriteOrigin(planned.write.id ?? RecordID(planned.new ?? ""), place: planned.place)
    try plan.add(planned.write, before: planned.before, new: planned.new, from: origin, at: place, session.ports)
  }
}
