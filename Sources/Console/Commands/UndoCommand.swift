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
      SharedOptions.yesOrCount,
    ] + SharedOptions.format,
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
  ) { invocation, session in
    let selection = try UndoSelection(invocation)
    try Restriction.current.checkWriting()
    try session.endRehearsal()
    let (entries, undone) = try session.entries(selection)
    guard !entries.isEmpty else { throw CommandFailure(.failure, "undo: the journal has no write to undo") }
    var planner = UndoPlanner(session, undone: undone)
    var steps: [UndoStep] = []
    for entry in entries {
      if session.isStopped { throw CommandFailure(.interrupted, "undo: interrupted; nothing was changed") }
      steps.append(try await planner.step(entry))
    }
    let output = try RecordOutput(invocation, session, default: .table)
    let count = steps.count { $0.write != nil }
    if output.isForPeople || session.isInteractive {
      for step in steps { session.output.write(step.text) }
    }
    let targets = steps.compactMap { $0.write == nil ? nil : $0.target }
    // Where one of several is a production system, the question is that of a production system.
    guard let target = targets.first(where: \.backend.configuration.isProduction) ?? targets.first else {
      throw CommandFailure(.failure, "undo: nothing can be undone")
    }
    let isProduction = target.backend.configuration.isProduction
    let names = Set(targets.map(\.client.name)).sorted()
    try await session.permit(
      "Undo \(count == 1 ? "1 write" : "\(count) writes") of \(names.joined(separator: ", "))"
        + (isProduction ? " (production)" : ""), count: count, [], target, invocation, refused: "nothing was changed")
    try await session.undo(steps, output, invocation)
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

extension Session {
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

  /// Sends the inverse writes, and tells what became of each.
  fileprivate func undo(_ steps: [UndoStep], _ output: RecordOutput, _ invocation: Invocation) async throws {
    var records: [Record] = []
    var (done, worst) = (0, ExitStatus.success)
    /// The identifiers that deleted records have got.
    var renamed: [String: RecordID] = [:]
    for step in steps {
      if step.isPartial { worst = worst.worse(.partial) }
      guard let write = step.write, let target = step.target else {
        records.append(step.record(nil, step.obstacle))
        continue
      }
      let key = "\(target.description)/\(step.entry.id ?? "")"
      do {
        let write = write.renamed(renamed[key])
        let record = try await recheck(step, write, target)
        let receipt = try await perform(write, of: target, undoing: step.entry.number, knowing: record)
        if case .create = write, let id = receipt.id { renamed[key] = id }
        done += 1
        learn(receipt, of: target)
        records.append(step.record(receipt, nil))
        if output.isForPeople {
          let was =
            if case .create = write, let old = step.entry.id, receipt.id?.text != old { " (was \(old))" } else { "" }
          let sentence = sentence(receipt, of: write, target)
          self.output.write("undid \(String(step.entry.number))\(was): \(sentence)")
          self.output.flush()
        }
        remark(receipt)
      } catch {
        let failure = failure(error)
        report(part: failure)
        worst = worst.worse(failure.status == .usage ? .partial : failure.status)
        records.append(step.record(nil, failure.message))
        if isStopped || Task.isCancelled {
          throw CommandFailure(.interrupted, "undo: interrupted after \(done) writes")
        }
      }
    }
    execution.tally.records = done
    if !output.isForPeople { try present(records, isSingle: false, invocation, text: "") }
    guard worst != .success else { return }
    throw CommandFailure(
      done == 0 && worst == .partial ? .failure : worst,
      "undo: \(done) of \(steps.count) writes were undone"
        + (done == steps.count ? ", not all fields of them" : ""))
  }

  /// Throws where a record is no longer as the plan has it. A service with revisions checks that itself. Returns the record as
  /// it was seen last.
  private func recheck(_ step: UndoStep, _ write: Write, _ target: Target) async throws -> Record? {
    guard let id = write.id, !step.expected.isEmpty else { return step.record }
    let resource = try await target.client.resource(target.path)
    if case .update = write, resource.capabilities.hasRevisions { return step.record }
    let now = try await existing(id, target)
    let changed = step.expected.members.first { !resource.isSame($1, now?.fields[$0], in: $0) }
    guard let changed else { return now }
    throw CommandFailure(
      .failure, "undo of \(step.entry.number): \(target.description(of: id)) has changed since the plan: \(changed.0)")
  }
}

extension Write {
  /// The write of the record under the identifier that it has now.
  fileprivate func renamed(_ id: RecordID?) -> Write {
    guard let id else { return self }
    return switch self {
    case .update(let path, _, let changes, let parts, let use): .update(path, id, changes, parts: parts, revision: use)
    case .delete(let path, .one, let use): .delete(path, .one(id), revision: use)
    case .create, .delete, .act: self
    }
  }
}
