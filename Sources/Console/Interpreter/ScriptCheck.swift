import CommandLanguage
import ConsoleOutput
import ConsoleSystem
import Files
import Glibc

/// Checks a script without running it: each command runs up to its first request, in a session that cannot send any.
///
/// So a check finds the same errors as a run does before it sends anything, with the same messages. It does not know
/// facts that only a run has, such as values or schemas of the server.
struct ScriptCheck {
  /// Samples for values only known during a run. A command is reported only if it fails with each of them, and with the
  /// same message.
  private static let samples = [
    "1", "true", "text", "2026-01-01T00:00:00Z", "00000000-0000-0000-0000-000000000001", "000000000000000000000001",
  ]

  private(set) var findings: [Finding] = []
  /// Statements whose meaning differs from earlier versions; empty unless these are looked for.
  private(set) var warnings: [Finding] = []
  private let findsChanges: Bool
  private let session: Session
  private let rehearsal = Rehearsal()
  /// The files being checked, innermost last.
  private var sources: [String]
  /// True if refusals by an adapter, which need no request, are left to the run.
  private var leavesRefusals = false

  /// Creates a check that begins in the state of a session. With `findsChanges`, it also looks for statements whose
  /// meaning differs from earlier versions.
  init(_ session: Session, findsChanges: Bool) {
    self.findsChanges = findsChanges
    self.session = Session(
      from: session, connector: CheckConnector(rehearsal: rehearsal), output: Output(capturedFor: session.output),
      rehearsal: rehearsal)
    sources = session.script.running
    self.session.script.scope.set("last", to: .unknown)
    self.session.script.scope.set("error", to: .unknown)
  }

  mutating func check(_ nodes: [ScriptNode]) async {
    for (index, node) in nodes.enumerated() {
      // A refusal that the script expects is not a finding.
      leavesRefusals = index + 1 < nodes.count && nodes[index + 1].expectsFailure
      await check(node)
    }
  }

  private mutating func check(_ node: ScriptNode) async {
    switch node {
    case .command(let command): await check(command)
    case .assign(let name, let value, let statement):
      check([value], statement)
      if findsChanges {
        warnings += ChangedMeaning.warnings(about: value).map { Finding(statement: statement, error: $0) }
      }
      session.script.scope.set(name, to: .unknown)
    case .capture(let name, let command):
      await check(command)
      session.script.scope.set(name, to: .unknown)
    case .loop(let name, let looped, let body, let statement):
      switch looped {
      case .command(let command): await check(command)
      case .values(let words): check(words, statement)
      }
      let before = session.script.scope.binding(of: name)
      session.script.scope.set(name, to: .unknown)
      await branch([body])
      session.script.scope.restore(name, before)
    case .choice(let condition, let then, let otherwise, let statement):
      await check(condition, statement)
      await branch([then, otherwise])
    case .attempt(let body, let otherwise, _): await branch([body, otherwise ?? []])
    case .retry(let count, let every, let body, let statement):
      check([count] + (every.map { [$0] } ?? []), statement)
      await branch([body])
    case .expectation(let condition, let name, let statement):
      await check(condition, statement)
      check(name.map { [$0] } ?? [], statement)
    case .exit(let word, let statement): check(word.map { [$0] } ?? [], statement)
    case .assumption(let word, let statement): check([word], statement)
    case .onError, .leave: break
    }
  }

  /// Checks alternative branches; the run may take any of them.
  private mutating func branch(_ bodies: [[ScriptNode]]) async {
    let before = session.targets.current
    let wasTaken = rehearsal.inputIsTaken
    // Each branch may read standard input; after them it is unknown whether it was read.
    defer { rehearsal.inputIsTaken = wasTaken }
    for body in bodies {
      session.targets.choose(before)
      rehearsal.inputIsTaken = wasTaken
      await check(body)
      if session.targets.current?.backend != before?.backend || session.targets.current?.path != before?.path {
        rehearsal.knowsCurrent = false
      }
    }
  }

  private mutating func check(_ condition: Condition, _ statement: Statement) async {
    switch condition {
    case .all(let conditions), .any(let conditions):
      for condition in conditions { await check(condition, statement) }
    case .not(let inner): await check(inner, statement)
    case .truth(let word), .kind(let word, _, _): check([word], statement)
    case .compare(let left, _, let right): check([left, right], statement)
    case .count(_, let word), .status(_, let word): check([word], statement)
    case .command(let command, _, let word):
      await check(command)
      check(word.map { [$0] } ?? [], statement)
    case .header(_, _, let word): check(word.map { [$0] } ?? [], statement)
    case .same(let first, let second):
      await check(first)
      await check(second)
    case .error: break
    }
  }

  private mutating func check(_ words: [Word], _ statement: Statement) {
    for reference in words.flatMap(\.references) {
      do throws(UsageError) {
        if try session.script.scope.value(of: reference) == nil { throw session.script.scope.unset(reference) }
      } catch {
        findings.append(Finding(statement: statement, error: error))
      }
    }
  }

  // MARK: Commands

  private mutating func check(_ command: ScriptCommand) async {
    let before = findings.count
    check(command.line.words, command.statement)
    let reading = CommandTable.reading(command.line.words[...])
    if findsChanges {
      let changed = reading.map { ChangedMeaning.warnings(about: command.line.words, $0.command, $0.words) } ?? []
      warnings += changed.map { Finding(statement: command.statement, error: $0) }
    }
    guard findings.count == before else { return }
    let effects = reading.map { $0.command.effects(of: $0.words) } ?? []
    let files = reading?.words.bound { _, _ in true }.files ?? []
    if effects.contains(.choosesTarget), !command.isConstant {
      // Only the run determines the choice.
      rehearsal.knowsCurrent = false
      return
    }
    let isSeen = effects.contains(.runsScripts) ? await checkSource(command, files.first?.word) : false
    defer {
      if command.line.shell != nil || command.line.pipeline != nil || effects.contains(.makesFolders)
        || (effects.contains(.runsScripts) && !isSeen)
      {
        rehearsal.makesFolders = true
        rehearsal.writesFiles = true
      }
      if files.contains(where: { $0.use == .written }) { rehearsal.writesFiles = true }
      if rehearsal.readsInput { rehearsal.inputIsTaken = true }
    }
    let inputs =
      command.line.words.count { $0.text.hasSuffix("=@-") } + files.count { $0.use == .input && $0.word.text == "-" }
    guard var complaint = await complaint(about: command, effects, readingInput: inputs, sample: 0) else { return }
    if !command.isConstant {
      for sample in 1..<Self.samples.count {
        guard let next = await self.complaint(about: command, effects, readingInput: inputs, sample: sample),
          next.message == complaint.message
        else {
          return
        }
      }
    }
    let indent = command.statement.text.prefix { $0 == " " || $0 == "\t" }.count
    complaint.column = complaint.column ?? command.line.words.first?.column ?? indent + 1
    findings.append(Finding(statement: command.statement, error: complaint))
  }

  /// Checks a file, unless earlier commands may create it. Returns whether everything it does was checked.
  private mutating func checkSource(_ command: ScriptCommand, _ file: Word?) async -> Bool {
    guard command.line.words.count == 2, command.isConstant, sources.count < 16, let file else { return false }
    let path = Path.real(file.text)
    guard !sources.contains(path), !Restriction.current.isOn else { return false }
    // A pipe can be read only once, by the run.
    guard !FileContents.isStream(path) else { return false }
    do throws(UsageError) {
      _ = try FileLineSource(path: file.text, interruption: session.interruption)
    } catch {
      guard !rehearsal.writesFiles else { return false }
      findings.append(Finding(statement: command.statement, error: error.at(file.column)))
      return true
    }
    sources.append(path)
    defer { sources.removeLast() }
    var loader = ScriptLoader(interruption: session.interruption)
    await loader.load([.file(file.text)])
    findings += loader.findings
    await check(loader.nodes)
    return true
  }

  /// Returns the error of a command before its first request; nil if there is none, or only the run can find it.
  private func complaint(
    about command: ScriptCommand, _ effects: CommandEffects, readingInput inputs: Int, sample: Int
  ) async -> UsageError? {
    rehearsal.begin()
    session.script.scope.sample = Self.samples[sample]
    do {
      if inputs > 1 { throw StandardInput.isRead }
      var line = try session.script.scope.resolved(command.line)
      if line.shell != nil || line.pipeline != nil {
        try session.context.checkShell(line.shell != nil ? "!" : "|", isInteractive: false)
        if line.shell != nil { return nil }
        line.pipeline = nil
      }
      _ = try await session.execute(line)
      _ = session.output.takeText()
      return nil
    } catch {
      _ = session.output.takeText()
      if rehearsal.hasAsked {
        if effects.contains(.choosesTarget) { rehearsal.knowsCurrent = false }
        return nil
      }
      if leavesRefusals, !(error is UsageError) { return nil }
      let failure = await session.ports.lastFailure(error)
      guard failure.status == .usage else { return nil }
      return (error as? UsageError) ?? UsageError(failure.message, hint: failure.hint, column: failure.column)
    }
  }
}
