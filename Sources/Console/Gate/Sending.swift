import BackendClient
import BackendKit
import CommandLanguage
import ConsoleOutput
import ConsoleSystem

/// The report of a command's writes: the only part of sending that differs between commands.
struct WriteReport {
  /// The sentence about a write, for people; nil for none.
  var sentence: (Written) throws -> EscapedText?
  /// The record of a write, for programs; nil if the command prints a document at the end.
  var record: ((Written) throws -> Record)?
  /// Called with each sent write before it is reported.
  var took: (Written) throws -> Void = { _ in }
  var failed: (PlannedWrite, any Error) -> Void = { _, _ in }
  var namesVerbs = false
  var tellsTotals = false
  /// The fields of the records for programs; nil for those of an action.
  var resource: ResourceDescription?
  /// True if the records are kept as the command's result.
  var keepsRecords = false

  /// The report of writes of records: a sentence each, or the record.
  static func ofRecords(_ resource: ResourceDescription) -> WriteReport {
    WriteReport(
      sentence: { $0.sentence },
      record: { try $0.record?.get() ?? $0.receipt.record ?? Record(id: $0.id, fields: Object()) },
      resource: resource, keepsRecords: true)
  }

  /// The report of changes to existing records: a sentence with old and new values, or the record.
  static func ofChanges(_ resource: ResourceDescription) -> WriteReport {
    WriteReport(
      sentence: { $0.changeSentence },
      record: { $0.receipt.record ?? Record(id: $0.id, fields: Object(facts: [("id", $0.id?.text)])) },
      resource: resource)
  }
}

struct Sending: CommandPart {
  let context: CommandContext

  /// Creates or changes records, and prints their outcomes as one document.
  func carryOut(
    _ writes: [PlannedWrite], of target: Target, _ resource: ResourceDescription, _ output: RecordOutput,
    _ options: BulkOptions
  ) async throws {
    guard let verb = writes.first?.write.verb else { return }
    var options = options
    // The writes of one record are made in the order of the rows.
    let ids = writes.compactMap(\.write.id)
    if Set(ids).count < ids.count { options.jobs = 1 }
    let place = Ledgers(context).place(
      target, resource, RowRetryPolicy(target.backend.connection, retries: options.retries, reporter.progress))
    let isForPeople = output.isForPeople && results.rows == nil
    let run = WriteRun(places: [place], readBack: isForPeople ? .nothing : .record)
    try await carryOut(BulkRows(writes), verb, by: run, options, .ofRecords(resource), output)
  }

  /// Creates or changes one record, and prints the outcome.
  func carryOut(
    _ planned: PlannedWrite, of target: Target, _ resource: ResourceDescription, _ output: RecordOutput,
    _ options: BulkOptions
  ) async throws {
    let run = WriteRun(places: [Ledgers(context).place(target, resource, options.patience(with: target))])
    guard let written = try await carryOut(planned, by: run, options) else { return }
    try await Receipts(context).show(
      written.receipt, of: written.write, target, resource, output, isQuiet: options.isQuiet)
  }

  /// Sends planned writes, some concurrently, and reports their outcomes in order; see
  /// ``each(_:of:_:_:into:tellsTotals:patience:send:take:)``.
  func carryOut(
    _ writes: BulkRows<PlannedWrite>, _ verb: String, by run: WriteRun, _ options: BulkOptions, _ report: WriteReport,
    _ output: RecordOutput
  ) async throws {
    guard let place = run.places.first else { return }
    let presentation =
      report.resource.map { output.presentation(context, $0, isSingle: false) }
      ?? output.presentation(context, fields: [], columns: nil, isSingle: false)
    let stream = RecordStream(
      output.format.printer(presentation), to: results.output, flushes: true, rows: results.rows, tellsAll: true)
    var made: (records: [Record], count: Int) = ([], 0)
    defer {
      if report.keepsRecords, results.rows == nil, made.count > 0 {
        results.result.value = .records(made.records, count: made.count, isSingle: false)
        if !output.isForPeople {
          keep(made.records, isWhole: made.records.count == made.count, count: made.count, presentation)
        }
      }
    }
    let isForPeople = output.isForPeople && results.rows == nil
    var patience: [RowRetryPolicy] = []
    for found in run.places.compactMap(\.patience) where !patience.contains(where: { $0 === found }) {
      patience.append(found)
    }
    let hasDocument = report.record == nil && !isForPeople && !options.isQuiet
    try await Bulk(context).each(
      writes, of: place.target, verb, options,
      into: isForPeople || options.isQuiet || report.record == nil ? nil : stream,
      tellsTotals: hasDocument ? false : report.tellsTotals && isForPeople ? true : nil, patience: patience
    ) { planned in
      try await run.send(planned)
    } take: { planned, answer in
      if case .failure(let error) = answer { report.failed(planned, error) }
      guard let written = try taken(answer, planned, run) else { return end(answer, planned, run) }
      defer { Receipts(context).note(written.receipt) }
      try report.took(written)
      let isTold = !options.isQuiet
      if isForPeople {
        if report.keepsRecords {
          made.count += 1
          if made.records.count < results.keptRecords {
            made.records.append(written.receipt.record ?? Record(id: written.receipt.id, fields: Object()))
          }
        }
        if isTold, let text = try report.sentence(written) {
          results.output.write(text)
          // Each write is reported immediately: the run may end before the next one.
          results.output.flush()
        }
      } else if let record = try report.record?(written) {
        if isTold { _ = stream.take([record]) }
        made.count += 1
        if made.records.count < results.keptRecords { made.records.append(record) }
      }
      if written.receipt.keepsNothing(of: written.write) { return .notKept }
      if written.receipt.showsNothing(of: written.write) { return .unclear }
      let isWhole = written.receipt.isAsSent && written.receipt.lost(by: written.write).isEmpty
      guard isWhole else { return .altered(report.namesVerbs ? written.write.verb : nil) }
      return report.namesVerbs ? .wrote(written.write.verb) : .done
    }
  }

  /// Sends one write. Throws its failure; nil, with a note, if there was nothing to do.
  func carryOut(_ planned: PlannedWrite, by run: WriteRun, _ options: BulkOptions? = nil) async throws -> Written? {
    let place = run.place(of: planned)
    var rejects = try options?.rejects.map { path throws(UsageError) in
      try RejectsFile(path, place.resource, reporter.blanking)
    }
    defer {
      place.patience?.note.map(note)
      rejects?.abandon()
    }
    let answer: Result<WriteOutcome, any Error>
    do {
      let outcome = try await run.send(planned)
      answer = .success(outcome)
    } catch { answer = .failure(error) }
    if var file = rejects.take() {
      if answer.leavesUndone { try file.add(planned.rejected) }
      try file.finish().map(warn)
    }
    guard let written = try taken(answer, planned, run) else {
      _ = end(answer, planned, run)
      return nil
    }
    return written
  }

  /// The sent write after its effect was recorded and passed to completion; nil if nothing was sent.
  func taken(
    _ answer: Result<WriteOutcome, any Error>, _ planned: PlannedWrite, _ run: WriteRun
  ) throws -> Written? {
    let target = run.place(of: planned).target
    switch answer {
    case .failure(let error):
      _ = try Receipts(context).accounted(.failure(error), planned.write, target)
      return nil
    case .success(.written(let written)):
      let receipt = try Receipts(context).accounted(.success(written.receipt), written.write, target)
      if case .delete(_, .one(let id), _) = written.write {
        Receipts(context).forget(id, of: target, receipt)
      } else {
        Receipts(context).learn(receipt, of: target)
      }
      return written
    case .success: return nil
    }
  }

  private func end(_ answer: Result<WriteOutcome, any Error>, _ planned: PlannedWrite, _ run: WriteRun) -> RowEnd {
    switch answer {
    case .success(.skipped): return .skipped
    case .success(.doneBefore): return .doneBefore
    default:
      if let id = planned.write.id { note("\(run.place(of: planned).target.description(of: id)) does not exist") }
      return .notThere
    }
  }
}

extension Result<WriteOutcome, any Error> {
  /// True if another run should try the write: it failed, or was only partly kept.
  fileprivate var leavesUndone: Bool {
    switch self {
    case .success(.written(let written)): !written.receipt.isAsSent
    case .success: false
    case .failure(let error): (error as? BackendError)?.effect != .applied
    }
  }
}
