import BackendClient
import BackendKit
import Files

extension Command {
  /// Takes writes back.
  static let undo = Command(
    "undo", .change, "Take the last writes back", arguments: [.optional(.number)],
    effects: [.readsRecords, .writesRecords, .usesJournal],
    options: [
      OptionSyntax("since", value: .free("TIME"), help: "all writes since then: 10:30, 2026-11-22, or with both"),
      OptionSyntax("entry", value: .number, help: "the write with this number in the journal"),
    ] + GateOptions.syntax + SharedOptions.jobs.filter { ["jobs", "quiet"].contains($0.name) } + SharedOptions.format,
    details: [
      "The last write, or the last N, of all backends, as the journal has them; what was undone is not counted again. First the plan is",
      "shown: for each field what it gets back, whether it was changed since, or that its value before is not known. An update is undone",
      "by an update, a creation by a deletion, a deletion by a creation, mostly with a new identifier. Values before a write are known",
      "where a condition, a plan or an editor had the record read, where the write insisted on a revision that was read, and with",
      "\"journal\": \"full\" in the configuration.",
      "In a script it needs --yes, in production --yes=N with the number of writes that are sent; it ends with status 5 where not all",
      "could be taken back.",
    ],
    examples: [
      Example(line: "undo --yes", says: "takes the last write back, without a question"),
      Example(line: "undo --entry 1 --yes", says: "takes back what entry 1 of the journal did"),
    ]
  ) { invocation, context in
    let selection = try UndoSelection(invocation)
    try Restriction.current.checkWriting()
    try context.run.endRehearsal()
    let (entries, undone) = try context.entries(selection)
    guard !entries.isEmpty else { throw CommandFailure(.failure, "undo: the journal has no write to undo") }
    var planner = UndoPlanner(context, undone: undone)
    var steps: [UndoStep] = []
    for entry in entries {
      if context.isStopped { throw CommandFailure(.interrupted, "undo: interrupted; nothing was changed") }
      steps.append(try await planner.step(entry))
    }
    let output = try RecordOutput(invocation, context, default: .table)
    let targets = steps.compactMap { $0.write == nil ? nil : $0.target }
    // Where one of several is a production system, the question is that of a production system.
    let target = targets.first(where: \.backend.configuration.isProduction) ?? targets.first
    let creates = steps.contains { if case .create? = $0.write { true } else { false } }
    let options = try target.map { target throws(UsageError) in
      try BulkOptions(invocation, target, creates ? "create" : "undo")
    }
    guard let target, let options else {
      for step in steps { context.reporter.errors.write(ShownText(lines: step.remarks.joined(separator: "\n"))) }
      throw CommandFailure(.failure, "undo: nothing can be undone")
    }
    let plan = try await context.plan(of: steps, options)
    var asked = plan.asked
    asked.showing = output.isForPeople || context.run.isInteractive ? .always : .never
    guard try await context.admits(asked, invocation) else { return .done }
    try await context.undo(plan, of: target, options, output, invocation)
    return .done
  }
}

/// Which writes are to be taken back.
struct UndoSelection {
  var count: Int?
  var since: Int64?
  var entry: Int64?

  init(_ invocation: Invocation) throws(UsageError) {
    guard invocation.words.count <= 1 else { throw UsageError("undo takes one number", hint: "undo [N]") }
    count = try invocation.words.first.map { word throws(UsageError) in
      try Settings.count(word.text, "undo", minimum: 1)
    }
    since = try invocation.word(of: "since").map { word throws(UsageError) in try JournalTime.milliseconds(word) }
    entry = try invocation.value(of: "entry").map { text throws(UsageError) in
      Int64(try Settings.count(text, "--entry", minimum: 1))
    }
    if [count != nil, since != nil, entry != nil].count(where: { $0 }) > 1 {
      throw UsageError("a number, --since and --entry cannot be combined", hint: "nothing was sent")
    }
  }
}

extension CommandContext {
  /// The entries that are meant, the newest first, and those that were undone already.
  fileprivate func entries(_ selection: UndoSelection) throws -> ([JournalEntry], undone: Set<Int64>) {
    let undone = try reading { database throws(FileFailure) in try database.undone() } ?? []
    if let number = selection.entry {
      let found = try reading { database throws(FileFailure) in try database.entry(number) } ?? nil
      return (found.map { [$0] } ?? [], undone)
    }
    let wanted = selection.since == nil ? selection.count ?? 1 : .max
    var (entries, next) = ([JournalEntry](), Int64.max)
    while true {
      let read = try reading { database throws(FileFailure) in try database.entries(before: next, limit: 200) } ?? []
      for entry in read {
        if let since = selection.since, entry.began < since { return (entries, undone) }
        // What changed nothing, what takes another write back, and what was taken back is passed over.
        let counts = entry.outcome == .done || entry.outcome == .unknown
        guard counts, entry.undoes == nil, !undone.contains(entry.number) else { continue }
        entries.append(entry)
        if entries.count == wanted { return (entries, undone) }
      }
      guard let last = read.last, read.count == 200 else { return (entries, undone) }
      next = last.number
    }
  }

  /// Plans the inverse writes: those of one record one after the other.
  fileprivate func plan(of steps: [UndoStep], _ options: BulkOptions) async throws -> UndoPlan {
    var plan = UndoPlan(steps: steps)
    var (patience, turns) = ([String: RowPatience](), [String: WriteTurn]())
    for step in steps {
      guard let write = step.write, let target = step.target else { continue }
      try await checkNewFields(write, of: target)
      let resource = try await target.client.resource(target.path)
      var planned = step.planned(write, resource)
      if let place = plan.places.firstIndex(where: { $0.target.description == target.description }) {
        planned.at = place
      } else {
        planned.at = plan.places.count
        let shared = patience[target.client.name] ?? RowPatience(target.backend.connection, retries: options.retries)
        patience[target.client.name] = shared
        plan.places.append(place(target, resource, shared))
      }
      if let id = step.entry.id {
        let name = "\(target.description)/\(id)"
        planned.turn = WriteTurn(after: turns[name])
        turns[name] = planned.turn
      }
      plan.writes.append(planned)
    }
    plan.patience = Array(patience.values)
    return plan
  }

  /// Sends the inverse writes, and tells what became of each.
  fileprivate func undo(
    _ plan: UndoPlan, of target: Target, _ options: BulkOptions, _ output: RecordOutput, _ invocation: Invocation
  ) async throws {
    let steps = plan.steps
    let named = Dictionary(steps.map { ($0.entry.number, $0) }) { first, _ in first }
    var results: [Int64: (receipt: WriteReceipt?, reason: String?)] = [:]
    var (done, failure) = (0, CommandFailure?.none)
    let run = WriteRun(places: plan.places)
    do {
      try await each(
        BulkRows(plan.writes), of: target, "undo", options, into: nil, tellsTotals: false, patience: plan.patience
      ) { planned in
        try await run.send(planned)
      } take: { planned, answer in
        let number = planned.undoes ?? 0
        do {
          guard let written = try taken(answer, planned, run), let step = named[number] else { return .notThere }
          let (receipt, write) = (written.receipt, written.write)
          if receipt.isKept { done += 1 }
          let isLeft = receipt.keepsNothing(of: write)
          results[number] = isLeft ? (nil, "the server kept nothing of it") : (receipt, nil)
          if output.isForPeople, !options.isQuiet {
            let verb: ShownText = isLeft ? "could not undo" : "undid"
            let sentence = sentence(receipt, of: write, written.place.target)
            self.results.output.write("\(verb) \(step.words(of: receipt, write)): \(sentence)")
            self.results.output.flush()
          }
          note(receipt)
          return receipt.isKept ? .done : .notKept
        } catch {
          results[number] = (nil, self.failure(error).message)
          throw error
        }
      }
    } catch let error as CommandFailure { failure = error }
    count(records: done)
    if !output.isForPeople {
      let records = steps.map { step in
        let result = results[step.entry.number]
        return step.record(result?.receipt, result?.reason ?? step.obstacle)
      }
      try present(records, isSingle: false, invocation, text: "")
    }
    if let failure { throw failure }
    guard done < steps.count || steps.contains(where: \.isPartial) else { return }
    throw CommandFailure(
      done == 0 ? .failure : .partial,
      "undo: \(done) of \(steps.count) writes were undone"
        + (done == steps.count ? ", not all fields of them" : ""))
  }
}

/// The inverse writes of an undo, with the steps that send none.
private struct UndoPlan {
  let steps: [UndoStep]
  var writes: [PlannedWrite] = []
  var places: [WritePlace] = []
  var patience: [RowPatience] = []

  /// The plan as it is shown and asked about.
  var asked: WritePlan {
    let names = Set(places.map(\.client.name)).sorted().joined(separator: ", ")
    var plan = WritePlan(
      places.indices.map { place in WritePlan.Part(places[place], writes.filter { $0.at == place }) },
      .found("Undo \(counted(writes.count, "write")) of \(names)"))
    let rest = steps.filter { $0.write == nil }.flatMap(\.remarks)
    plan.headline = rest.isEmpty ? nil : rest.joined(separator: "\n")
    plan.shown = nil
    return plan
  }
}

extension UndoStep {
  /// The inverse as it is planned.
  fileprivate func planned(_ write: Write, _ resource: ResourceDescription) -> PlannedWrite {
    let origin = WriteOrigin("\(entry.number)", place: nil, rejected: .id(RecordID(entry.id ?? "")))
    var planned = PlannedWrite(write, from: origin, record: record)
    planned.undoes = entry.number
    planned.remarks = remarks
    guard !expected.isEmpty else { return planned }
    let isChecked = if case .update = write { resource.capabilities.hasRevisions } else { false }
    planned.condition = .shows(
      expected,
      Precondition.Words(
        changed: "the record has changed since the plan", gone: "the record does not exist any more",
        hint: "undo --entry \(entry.number) shows what can be undone now", operation: "undo"), onlyRenamed: isChecked)
    return planned
  }
}

extension UndoStep {
  /// The number of the entry, and the identifier that a record had where it has another one now.
  fileprivate func words(of receipt: WriteReceipt, _ write: Write) -> ShownText {
    guard case .create = write, let old = entry.id, receipt.id?.text != old else { return "\(String(entry.number))" }
    return "\(String(entry.number)) (was \(old))"
  }
}
