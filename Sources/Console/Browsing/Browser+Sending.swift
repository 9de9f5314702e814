import BackendClient
import BackendKit
import CommandLanguage
import ConsoleOutput
import ConsoleSystem
import Glibc

extension Browser {
  /// The options of a command that writes: the screen has asked for everything else.
  private static let row = Command(
    "browse", .look, "", effects: [], options: GateOptions.syntax + SharedOptions.attempts + SharedOptions.output
  ) { _, _ in }

  private func invocation(_ words: String...) throws(UsageError) -> Invocation {
    try Invocation(CommandReading(words.map { Word(text: $0, isQuoted: false, column: 1) }[...], of: Self.row))
  }

  /// The same ports for writes of their own, which are undone and counted by themselves.
  private func writing() -> CommandContext {
    CommandContext(
      row: row, words: words, targets: targets, results: results, reporter: reporter,
      writes: Writes(line: writes.line, readsPrevious: true), run: run)
  }

  /// The writes of the edits. Throws if only new records are left that may exist already.
  private func planned() throws -> [PlannedWrite] {
    let planned = try model.edits.planned(level.target.path, model.resource)
    guard planned.isEmpty else { return planned }
    throw UsageError("the new records may exist", hint: "journal check looks for them; x takes one back")
  }

  /// Sends the edits through the gate, and keeps those that were not made; a preview is a dry run.
  func send(isPreview: Bool) async throws {
    let (target, resource) = (level.target, model.resource)
    let planned = try self.planned()
    let ports = writing()
    let invocation = try isPreview ? invocation("--dry-run") : invocation()
    defer {
      writes.rows.add(ports.writes.rows)
      writes.tally.add(effectsOf: ports.writes.tally)
    }
    reporter.progress?.begin("checking \(counted(planned.count, "edit"))")
    for write in planned { try await WriteChecks(ports).check(write.write, of: target, known: write.record?.fields) }
    let deleted = planned.filter(\.write.isDeletion).compactMap(\.write.id)
    let repeated = try await Deletions(ports).repeated(deleted, in: target, resource, invocation)
    var options = try BulkOptions(invocation, target, "browse")
    // New records are numbered and listed in the order of their arrival.
    if planned.contains(where: \.write.isCreation) { options.jobs = 1 }
    let patience = RowRetryPolicy(target.backend.connection, retries: options.retries, reporter.progress)
    let place = Ledgers(ports).place(target, resource, patience)
    var part = WritePlan.Part(place, planned)
    part.isRechecked = resource.capabilities.operations.contains(.get)
    let shared = RepeatedIdentifiers(
      shared: target.client.sharedIdentifiers(among: planned.compactMap(\.write.id), in: target.path))
    part.remarks = [repeated, shared].filter { !$0.isEmpty }.prefix(1).map(\.words)
    var plan = WritePlan([part], .found("Send \(counted(planned.count, "edit")) of \(target.description)"))
    if isPreview { plan.shown = nil }
    guard try await Gate(ports).admits(plan, invocation) else { return }
    var report = WriteReport.ofChanges(resource)
    report.namesVerbs = true
    var failed: [(RecordID, any Error)] = []
    var notCreated: [(Object, any Error)] = []
    report.took = { written in self.model.made(written.write, written.id) }
    report.failed = { planned, error in
      if let id = planned.write.id { failed.append((id, error)) }
      if case .create(_, let fields) = planned.write { notCreated.append((fields, error)) }
    }
    let output = RecordOutput(format: .table, header: true)
    var ending: (any Error)?
    model.edits.beginSending()
    do {
      try await Sending(ports).carryOut(
        BulkRows(planned), "browse", by: WriteRun(places: [place]), options, report, output)
    } catch { ending = error }
    await Deletions(ports).noteGone(of: repeated)
    model.lists.unmark()
    for (fields, error) in notCreated {
      let failure = failure(error)
      let mayExist = [.unknown, .applied].contains(failure.error?.effect)
      let reason = mayExist ? "it may exist: \(failure.message); x takes it back" : failure.message
      model.edits.keep(new: fields, because: reason, mayExist: mayExist)
    }
    for (id, error) in failed { await keep(id, because: failure(error), target) }
    read()
    if let ending { throw ending }
  }

  /// Keeps an edit that failed. After a conflict it is based on the record as it is now, which the screen shows, and
  /// dropped if there is none.
  private func keep(_ id: RecordID, because failure: CommandFailure, _ target: Target) async {
    do throws(BackendError) {
      var now: Record?
      if let code = failure.error?.code, [.conflict, .notFound].contains(code) {
        now = try await target.existing(id)
        if now == nil { return model.edits.drop(id) }
      }
      try model.edits.keep(id, because: failure.message, now: now)
    } catch { model.say("\(error.message)") }
  }

  /// Puts the edits into a plan file instead of sending them.
  func keep(in file: String) async throws {
    let ports = writing()
    let invocation = try invocation()
    let planned = try self.planned()
    for write in planned { try await WriteChecks(ports).check(write.write, of: level.target) }
    guard access(file, F_OK) != 0 else { throw UsageError("\(file) exists", hint: "give a new name; the edits stay") }
    let draft = try PlanDraft(file, ports)
    do {
      let place = Ledgers(ports).place(level.target, model.resource)
      try await draft.add(WritePlan.Part(place, planned), invocation, ports)
    } catch {
      draft.abandon()
      throw error
    }
    try draft.finish()
    for write in planned { model.made(write.write) }
    tell("kept \(counted(planned.count, "edit")) in \(file); apply \(Quoting.word(file)) sends them")
  }

  /// Keeps the edits of all screens as a plan in the state folder, when nobody can be asked any more. Nothing is read
  /// for it, as the service may be gone.
  func keepUnsent() {
    let ports = writing()
    let doubtful = levels.reduce(0) { $0 + $1.model.edits.doubtful }
    if doubtful > 0 {
      warn("\(counted(doubtful, "new record")) may exist: journal check looks for \(doubtful == 1 ? "it" : "them")")
    }
    let sure = unsent - doubtful
    guard sure > 0 else { return }
    let all = counted(sure, "edit")
    do {
      let name = "\(levels[0].target.client.name)-\(levels[0].target.path)"
      let file = try EditFile.path(name, ending: "plan", environment: run.console.environment)
      let draft = try PlanDraft(file, lasting: PlanDraft.year, ports)
      var (kept, obstacle): (Int, (any Error)?) = (0, nil)
      for level in levels {
        let place = Ledgers(ports).place(level.target, level.model.resource)
        do {
          for planned in try level.model.edits.planned(level.target.path, level.model.resource) {
            let before = planned.record.map { place.images.image($0) }
            do {
              try draft.add(planned.write, before: before, new: nil, from: planned.origin, at: place, ports)
              kept += 1
            } catch { obstacle = error }
          }
        } catch { obstacle = error }
      }
      if let obstacle, kept == 0 {
        draft.abandon()
        throw obstacle
      }
      try draft.finish()
      reporter.log?.add(kept: kept, in: file)
      let part = obstacle.map { "\(kept.grouped) of them, and the rest is lost: \(failure($0).message)" }
      warn("\(all) not sent; apply \(Quoting.word(file)) sends \(part ?? (kept == 1 ? "it" : "them"))")
    } catch { warn("\(all) not sent, and lost: \(failure(error).message)") }
  }

  /// Opens a record in the user's editor, and takes the changes over as edits.
  func edit(_ shown: Record) async throws {
    let (target, resource) = (level.target, model.resource)
    guard let id = shown.id else { return }
    try target.client.check(.get, of: resource)
    _ = try Editor(context).command()
    var record = try await target.client.get(id, from: target.path)
    record.id = id
    let edited = model.edits.edited(record)
    let reader = try run.console.surveyor()
    let edit = try RecordEdit(
      EditText(target, resource, [edited], JournalImages(reporter.blanking, resource.fields)), reader)
    let file = try EditFile(
      edit.text, name: "\(target.client.name)-\(target.path)-\(id)", ending: edit.ending,
      environment: run.console.environment)
    try Editor(context).open(file.path)
    var changes: [Change] = []
    let text = try file.read()
    do throws(EditMistake) {
      for (change, _) in try edit.changes(in: text, reader).flatMap(\.changes) { changes.append(change) }
    } catch {
      let place = error.line.map { ":\($0)" } ?? ""
      throw CommandFailure(.failure, "\(file.path)\(place): \(error.message); nothing was edited", hint: error.hint)
    }
    do {
      let write = Write.update(target.path, id, changes, revision: .known)
      if !changes.isEmpty { try await WriteChecks(writing()).check(write, of: target, known: edited.fields) }
    } catch {
      throw CommandFailure(.failure, "\(failure(error).sentence); nothing was edited, and your text is in \(file.path)")
    }
    for change in changes { try model.edits.set(change, in: record) }
    file.remove()
  }
}
