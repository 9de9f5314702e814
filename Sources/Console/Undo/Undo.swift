import BackendClient
import BackendKit
import ConsoleOutput
import ConsoleSetup
import ConsoleSystem
import Files

struct Undo: CommandPart {
  let context: CommandContext

  /// The selected entries, newest first, as numbers only, since a command may have written any number of records.
  /// Commands and writes are counted within a run, if one is given; times and entry numbers apply to any run.
  func entries(
    _ selection: UndoSelection, ofRun own: String?, _ invocation: Invocation
  ) throws -> UndoEntries {
    let only = if case .since = selection { String?.none } else { own }
    let journal = JournalEntries(context)
    let undone = try journal.undone()
    if case .plan(let word) = selection {
      return try UndoEntries(of: try PlanFile(word, invocation, context), undone: undone, context)
    }
    var chosen = UndoEntries(undone: undone)
    if case .entry(let number) = selection {
      chosen.add(try journal.entry(number))
      return chosen
    }
    // Entries that changed nothing, undo another write, or were undone are skipped.
    func counts(_ entry: JournalEntry) -> Bool {
      // An entry that is only perhaps undone is not skipped.
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

  /// The failure of an undo if its own run has no write; names the last write of another.
  func nothingToUndo(_ invocation: Invocation) throws -> CommandFailure {
    guard let number = try entries(.writes(1), ofRun: nil, invocation).numbers.first else {
      return CommandFailure(.failure, "undo: the journal has no write to undo")
    }
    let last = try JournalEntries(context).entry(number)
    return CommandFailure(
      .failure, "undo: this \(run.isInteractive ? "session" : "run") has no write to undo",
      hint:
        "the last of another run is entry \(number), \(last.deed); undo --entry \(number) or undo --all-runs reverts it"
    )
  }

  /// Plans the inverse writes. Those of one record are sent one after the other.
  func plan(of chosen: UndoEntries, _ invocation: Invocation) async throws -> UndoPlan {
    var planner = UndoPlanner(context, chosen)
    var plan = UndoPlan(spool: try UndoSpool(state: stateFolder), maximumScan: run.settings.maxScan)
    plan.unproved = chosen.unproved
    // The service itself has shown these values.
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
          // The question is that of a production system if any of the backends is one.
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
    if !planner.hidden.isEmpty { note(WriteReceipt.note(onHidden: planner.hidden)) }
    plan.failure = planner.failure
    plan.options = try plan.target.map { target throws(UsageError) in
      var options = try BulkOptions(invocation, target, plan.creates ? "create" : "undo")
      if chosen.isOrdered || plan.steps.contains(where: \.waitsForOthers) { options.jobs = 1 }
      return options
    }
    return plan
  }

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
        let verb: EscapedText = receipt.showsNothing(of: write) ? "could not undo" : "undid"
        let (number, old) = (String(written.planned.undoes ?? 0), written.planned.origin.description)
        let isRenamed = write.isCreation && !old.isEmpty && old != receipt.id?.text
        let name: EscapedText = isRenamed ? "\(number) (\(written.place.target.path)/\(old))" : "\(number)"
        return "\(verb) \(name): \(written.sentence)"
      },
      took: { written in
        let (receipt, number) = (written.receipt, written.planned.undoes ?? 0)
        let isLeft = receipt.showsNothing(of: written.write)
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
    let total = plan.steps.count + plan.unproved.count
    guard done < total || isPartial else { return }
    throw CommandFailure(
      done == 0 ? .failure : .partial,
      "undo: \(done) of \(counted(total, "write")) undone"
        + (done == total ? ", but not all of their fields" : ""))
  }
}
