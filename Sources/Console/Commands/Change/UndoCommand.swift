import BackendClient
import BackendKit
import CommandLanguage
import ConsoleOutput
import ConsoleSetup
import ConsoleSystem
import Files

extension Command {
  /// Takes writes back.
  static let undo = Command(
    "undo", .change, "Undo the writes of the last commands of this run", arguments: [.optional(.count(from: 1))],
    effects: [.readsRecords, .writesRecords, .usesJournal],
    options: [
      OptionSyntax("commands", value: .count(from: 1), help: "the writes of the last N commands"),
      OptionSyntax("writes", value: .count(from: 1), help: "the last N writes"),
      OptionSyntax(
        "since", value: .free("TIME"),
        help: "all writes since TIME, of every run: 10:30, 2026-11-22 or 2026-11-22T10:30"),
      OptionSyntax("entry", value: .count(from: 1), help: "the write with this number in the journal, of any run"),
      OptionSyntax("all-runs", help: "count the commands or writes of every run, not only of this one"),
    ] + GateOptions.syntax + SharedOptions.attempts + SharedOptions.format,
    details: [
      "Reverts all writes of the last command that wrote, or of the last N commands, on any backend. Each command of a for or source",
      "counts. In a script a number needs --commands or --writes. The plan is shown first. An update is reverted by an update, a",
      "create by a delete, a delete by a create, usually with a new identifier.",
      "Only writes of this run, or session, are reverted. --all-runs, --since and --entry include those of other runs that use the",
      "same journal, and name the run of each.",
      "Undo needs the old values. They are recorded when the write read the record first: at a terminal (without --no-read), with",
      "--where, plan, edit or a revision, and always with \"journal\": \"full\" in the configuration or set journal full.",
      "Scripts need --yes; on a backend labeled production --yes=N with the number of writes. The status is 5 if some writes could",
      "not be reverted.",
    ],
    examples: [
      Example(line: "undo --yes", says: "revert the last command without asking"),
      Example(line: "undo --writes 1 --yes", says: "revert the last write"),
      Example(line: "undo --entry 1 --yes", says: "revert entry 1 of the journal"),
      Example(line: "undo --all-runs --dry-run", says: "preview reverting the last command of any run"),
    ]
  ) { invocation, context in
    let selection = try UndoSelection(invocation, isTyped: context.run.isInteractive)
    try Restriction.current.checkWriting()
    try context.run.endRehearsal()
    let chosen = try Undo(context).entries(
      selection, ofRun: invocation.has("all-runs") ? nil : context.run.console.journal?.run)
    guard !chosen.numbers.isEmpty else { throw try Undo(context).nothingToUndo() }
    let output = try RecordOutput(invocation, context, default: .table)
    let plan = try await Undo(context).plan(of: chosen, invocation)
    guard let options = plan.options else {
      for step in plan.steps {
        Gate(context).write(plan: try plan.spool.remarks(step))
      }
      throw plan.failure ?? CommandFailure(.failure, "undo: nothing can be undone")
    }
    var asked = try plan.asked()
    asked.showing = output.isForPeople || context.run.isInteractive ? .always : .never
    guard try await Gate(context).admits(asked, invocation) else { return }
    // Without the plan, what cannot be undone is still told.
    if options.isQuiet, invocation.has("yes"), let left = asked.headline { Gate(context).write(plan: [left]) }
    try await Undo(context).undo(plan, options, output, invocation)
  }
}

/// Which writes are to be taken back.
enum UndoSelection {
  case commands(Int)
  case writes(Int)
  case since(Int64)
  case entry(Int64)

  init(_ invocation: Invocation, isTyped: Bool) throws(UsageError) {
    var given: [UndoSelection] = []
    if let count = try invocation.counts().first {
      guard isTyped else {
        throw UsageError(
          "undo \(count) could mean commands or writes", hint: "undo --commands \(count) or undo --writes \(count)",
          column: invocation.word(.count(from: 1))?.column)
      }
      given.append(.commands(count))
    }
    if let count = try invocation.count(of: "commands") { given.append(.commands(count)) }
    if let count = try invocation.count(of: "writes") { given.append(.writes(count)) }
    if let word = invocation.word(of: "since") { given.append(.since(try JournalTime.milliseconds(word))) }
    if let number = try invocation.count(of: "entry") { given.append(.entry(Int64(number))) }
    guard given.count <= 1 else {
      throw UsageError(
        "a number, --commands, --writes, --since and --entry cannot be combined")
    }
    self = given.first ?? .commands(1)
  }
}

/// Takes writes back.
private struct Undo: CommandPart {
  let context: CommandContext

  /// The entries that are meant, the newest first. Only their numbers are kept: a command may have written any number of records.
  /// Commands and writes are counted in one run if it is given; a time and a number mean entries of any.
  func entries(_ selection: UndoSelection, ofRun own: String?) throws -> UndoEntries {
    let only = if case .since = selection { String?.none } else { own }
    let journal = JournalEntries(context)
    let undone = try journal.undone()
    var chosen = UndoEntries(undone: undone)
    if case .entry(let number) = selection {
      chosen.add(try journal.entry(number))
      return chosen
    }
    // Entries that changed nothing, that undo another write, or that were undone are skipped.
    func counts(_ entry: JournalEntry) -> Bool {
      // One that an undo may have taken back is not passed over.
      let isUndone = if let doubt = undone[entry.number] { doubt == nil } else { false }
      return (entry.outcome == .done || entry.outcome == .unknown) && entry.undoes == nil && !isUndone
    }
    var commands: Set<JournalEntry.CommandKey> = []
    try journal.backwards { database, before, limit throws(FileFailure) in
      try database.entries(before: before, run: only, limit: limit)
    } take: { entries in
      for entry in entries {
        if case .since(let since) = selection, entry.began < since { return false }
        guard counts(entry) else { continue }
        guard case .commands(let wanted) = selection else {
          chosen.add(entry)
          if case .writes(let wanted) = selection, chosen.numbers.count == wanted { return false }
          continue
        }
        // Another console may have written between the writes of a command.
        guard commands.insert(entry.commandKey).inserted else { continue }
        try journal.backwards { database, before, limit throws(FileFailure) in
          try database.command(of: entry, before: before, limit: limit)
        } take: { own in
          for entry in own where counts(entry) { chosen.add(entry) }
          return true
        }
        if commands.count == wanted { return false }
      }
      return true
    }
    chosen.numbers.sort(by: >)
    return chosen
  }

  /// The failure of an undo without a write of its own run, which names the last write of another.
  func nothingToUndo() throws -> CommandFailure {
    guard let number = try entries(.writes(1), ofRun: nil).numbers.first else {
      return CommandFailure(.failure, "undo: the journal has no write to undo")
    }
    let last = try JournalEntries(context).entry(number)
    return CommandFailure(
      .failure, "undo: this \(run.isInteractive ? "session" : "run") has no write to undo",
      hint:
        "the last of another run is entry \(number), \(last.deed); undo --entry \(number) or undo --all-runs reverts it"
    )
  }

  /// Plans the inverse writes: those of one record one after the other.
  func plan(of chosen: UndoEntries, _ invocation: Invocation) async throws -> UndoPlan {
    var planner = UndoPlanner(context, chosen)
    var plan = UndoPlan(spool: try UndoSpool(state: stateFolder), maximumScan: run.settings.maxScan)
    // The service itself had shown these values.
    writes.newFields = nil
    var (patience, turns) = ([String: RowRetryPolicy](), [Int: WriteTurn]())
    reporter.progress?.begin("undo: reading the records")
    reporter.progress?.expect(chosen.numbers.count)
    let jobs = try invocation.count(of: "jobs") ?? 1
    var rest = chosen.numbers[...]
    while !rest.isEmpty {
      let entries = try rest.prefix(jobs).compactMap(JournalEntries(context).found)
      rest = rest.dropFirst(jobs)
      await planner.look(at: entries)
      for entry in entries {
        if isStopped { throw CommandFailure(.interrupted, "undo: interrupted; nothing was changed") }
        reporter.progress?.advance(1)
        let step = try await planner.step(entry)
        var kept = UndoPlan.Step(step)
        if let write = step.write, let target = step.target {
          let resource = try await target.client.resource(target.path)
          if let place = plan.places.firstIndex(where: { $0.target.description == target.description }) {
            kept.place = place
          } else {
            kept.place = plan.places.count
            let retries = try invocation.count(of: "retry") ?? 0
            let shared =
              patience[target.client.name]
              ?? RowRetryPolicy(target.backend.connection, retries: retries, reporter.progress)
            patience[target.client.name] = shared
            plan.places.append(Ledgers(context).place(target, resource, shared))
          }
          let key = entry.recordKey
          if chosen.repeated.contains(key) {
            kept.turn = WriteTurn(after: turns[key])
            turns[key] = kept.turn
          }
          // If one of several backends is a production system, the question is that of a production system.
          if plan.target?.backend.configuration.isProduction != true,
            target.backend.configuration.isProduction || plan.target == nil
          {
            plan.target = target
          }
          if write.isCreation { plan.creates = true }
        }
        kept.line = try plan.spool.add(step, images: kept.place.map { plan.places[$0].images })
        plan.steps.append(kept)
      }
    }
    plan.failure = planner.failure
    plan.options = try plan.target.map { target throws(UsageError) in
      var options = try BulkOptions(invocation, target, plan.creates ? "create" : "undo")
      if plan.steps.contains(where: \.waitsForOthers) { options.jobs = 1 }
      return options
    }
    return plan
  }

  /// Sends the inverse writes, and tells what became of each.
  func undo(
    _ plan: UndoPlan, _ options: BulkOptions, _ output: RecordOutput, _ invocation: Invocation
  ) async throws {
    let rows = plan.rows
    // The outcome of each step by its number: the identifier of a restored record, or the reason why there is none.
    var results: [Int64: (id: String?, reason: String?)] = [:]
    var (done, failure) = (0, CommandFailure?.none)
    let report = WriteReport(
      sentence: { written in
        let (receipt, write) = (written.receipt, written.write)
        let verb: EscapedText = receipt.keepsNothing(of: write) ? "could not undo" : "undid"
        let (number, old) = (String(written.planned.undoes ?? 0), written.planned.origin.description)
        let isRenamed = write.isCreation && !old.isEmpty && old != receipt.id?.text
        let name: EscapedText = isRenamed ? "\(number) (\(written.place.target.path)/\(old))" : "\(number)"
        return "\(verb) \(name): \(written.sentence)"
      },
      took: { written in
        let (receipt, number) = (written.receipt, written.planned.undoes ?? 0)
        let isLeft = receipt.keepsNothing(of: written.write)
        if !isLeft { done += 1 }
        if !output.isForPeople || isLeft {
          results[number] = isLeft ? (nil, "the server did not store it") : (receipt.id?.text ?? "", nil)
        }
      },
      failed: { planned, error in results[planned.undoes ?? 0] = (nil, self.failure(error).sentence) })
    do {
      try await Sending(context).carryOut(
        BulkRows(count: rows.count) { try plan.planned(plan.steps[rows[$0]]) }, "undo",
        by: WriteRun(places: plan.places), options, report, output)
    } catch let error as CommandFailure { failure = error }
    count(records: done)
    if !output.isForPeople, !options.isQuiet {
      let records = plan.steps.map { step in
        let result = results[step.facts.number]
        return step.facts.record(isUndone: result?.id != nil, id: result?.id, result?.reason)
      }
      try FactOutput(context).present(records, isSingle: false, invocation, text: "")
    }
    if let failure { throw failure }
    let isPartial = plan.steps.contains(where: \.facts.isPartial)
    done += plan.steps.count { $0.facts.isSettled }
    guard done < plan.steps.count || isPartial else { return }
    throw CommandFailure(
      done == 0 ? .failure : .partial,
      "undo: \(done) of \(counted(plan.steps.count, "write")) undone"
        + (done == plan.steps.count ? ", but not all of their fields" : ""))
  }
}

/// The inverse writes of an undo, with the steps that send none. What they send is on disk.
private struct UndoPlan: Sendable {
  /// A step without what it sends.
  struct Step: Sendable {
    let facts: UndoFacts
    let verb: String?
    /// The number of its place among those of the plan; nil if nothing is sent.
    var place: Int?
    /// Its turn among the writes of one record.
    var turn: WriteTurn?
    var line = UndoSpool.Line()
    /// True if records refer to its record that steps before it delete.
    let waitsForOthers: Bool

    init(_ step: UndoStep) {
      waitsForOthers = step.waitsForOthers
      facts = UndoFacts(step)
      verb = step.write?.verb
    }
  }

  let spool: UndoSpool
  /// So many records are read to find those that refer to another.
  let maximumScan: Int
  var steps: [Step] = []
  var places: [WritePlace] = []
  var target: Target?
  var options: BulkOptions?
  var creates = false
  /// The first failure that kept an entry from being planned.
  var failure: CommandFailure?

  /// More writes than this are not all shown.
  private static let mostShown = 100

  init(spool: UndoSpool, maximumScan: Int) {
    self.spool = spool
    self.maximumScan = maximumScan
  }

  /// The places of the steps that send something.
  var rows: [Int] { steps.indices.filter { steps[$0].place != nil } }

  /// The plan as it is shown and asked about.
  func asked() throws -> WritePlan {
    let names = Set(places.map(\.client.name)).sorted().joined(separator: ", ")
    let parts = places.indices.map { place -> WritePlan.Part in
      let own = steps.indices.filter { steps[$0].place == place }
      let counts = ["create", "update", "delete"].map { verb in
        (verb: verb, count: own.count { steps[$0].verb == verb })
      }
      return WritePlan.Part(places[place], counts: counts) { try planned(steps[own[$0]]) }
    }
    let count = parts.reduce(0) { $0 + $1.count }
    var plan = WritePlan(parts, .found("Undo \(counted(count, "write")) of \(names)"))
    let rest = steps.filter { $0.place == nil }
    var lines = try rest.prefix(Self.mostShown).flatMap { try spool.remarks($0) }
    if rest.count > Self.mostShown {
      lines.append("and \((rest.count - Self.mostShown).grouped) more that cannot be undone")
    }
    plan.headline = lines.isEmpty ? nil : lines.joined(separator: "\n")
    plan.shown = count > Self.mostShown ? Self.mostShown : nil
    return plan
  }

  /// The inverse as it is planned.
  func planned(_ step: Step) throws -> PlannedWrite {
    let stored = try spool.stored(step)
    guard let write = stored.write else {
      throw CommandFailure(.failure, "undo: entry \(step.facts.number) of the plan is gone")
    }
    let origin = WriteOrigin(step.facts.id ?? "", place: nil, rejected: .id(RecordID(step.facts.id ?? "")))
    var planned = PlannedWrite(write, from: origin, record: stored.record)
    planned.undoes = step.facts.number
    planned.remarks = stored.remarks
    planned.turn = step.turn
    planned.at = step.place ?? 0
    guard !stored.expected.isEmpty, let place = step.place else { return planned }
    let isChecked = if case .update = write { places[place].resource.capabilities.hasRevisions } else { false }
    let words = Precondition.Words(
      changed: "the record has changed since the plan", gone: "the record no longer exists",
      hint: "undo --entry \(step.facts.number) shows what can be undone now", operation: "undo")
    planned.condition =
      step.waitsForOthers
      ? .unreferenced(stored.expected, words, maximumScan: maximumScan)
      : .shows(stored.expected, words, onlyRenamed: isChecked)
    return planned
  }
}

extension UndoSpool {
  fileprivate func stored(_ step: UndoPlan.Step) throws(CommandFailure) -> Stored { try stored(at: step.line) }
  fileprivate func remarks(_ step: UndoPlan.Step) throws(CommandFailure) -> [String] {
    try stored(at: step.line).remarks
  }
}
