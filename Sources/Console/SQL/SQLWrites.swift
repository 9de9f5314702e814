import BackendClient
import BackendKit
import ConsoleOutput
import ConsoleSetup
import ConsoleSystem
import SQL

/// The writes of a statement: permitted, planned, confirmed and sent.
struct SQLWrites: CommandPart {
  let context: CommandContext

  /// Throws if a table cannot be written: because of its backend, a restricted run, or a question that nobody can
  /// answer. Sends nothing.
  func checkWriting(_ table: (backend: String, resource: String), _ invocation: Invocation) throws {
    let name = targets.configuration(of: table.backend)?.name ?? targets.adHocBackend(table.backend)
    guard let name else { return }
    let target = Target(backend: try targets.open(name), path: ResourcePath(name: table.resource))
    try target.checkWritable()
    try Gate(context).checkAnswerable(target, invocation)
  }

  /// Plans, confirms and sends the writes of a statement, which itself sends none.
  func carryOut(
    _ statement: PreparedStatement, writing table: (backend: String, resource: String), of source: SQLSource,
    _ invocation: Invocation
  ) async throws {
    // The text may not have shown the table before.
    try checkWriting(table, invocation)
    let backend = try targets.open(table.backend)
    let output = try RecordOutput(invocation, context, default: .table)
    try run.endRehearsal()
    let recorded: [RecordedWrite]
    let report: SQLReport
    do throws(SQLError) { (recorded, report) = try await statement.record() } catch {
      throw failure(SQLRun(context).failure(error, of: source)).and("nothing was changed")
    }
    let found = try await FoundWrites(recorded, backend, invocation, context)
    guard let first = found.parts.first else {
      return tell("nothing to change; \(report.cost)")
    }
    let (verb, target) = (found.verb, first.target)
    let name = "\(verb.prefix(1).uppercased())\(verb.dropFirst())"
    var plan = WritePlan(
      found.parts,
      .found("\(name) \(counted(found.writes.count, "record")) of \(backend.configuration.name)/\(table.resource)"))
    plan.headline =
      "sql: \(counted(recorded.count, "record")) to \(verb)" + found.sameWords + "; \(report.cost)"
    for planned in found.writes {
      try await WriteChecks(context).check(planned.write, of: found.places[planned.at].target)
    }
    guard try await Gate(context).admits(plan, invocation) else { return }
    guard !found.writes.isEmpty else {
      if output.isForPeople { results.output.write("nothing to change\n") }
      return
    }
    let options = try BulkOptions(invocation, target, verb)
    let resource = first.place.resource
    let result: WriteReport = verb == "create" ? .ofRecords(resource) : .ofChanges(resource)
    try await Sending(context).carryOut(
      BulkRows(found.writes), verb, by: WriteRun(places: found.places), options, result, output)
    if let repeated = found.repeated { await Deletions(context).noteGone(of: repeated) }
  }
}

private struct FoundWrites {
  private(set) var places: [WritePlace] = []
  private(set) var writes: [PlannedWrite] = []
  private(set) var repeated: RepeatedIdentifiers?
  /// The number of records that are already up to date.
  private var same = 0
  private var isRechecked = false

  private static let words = Precondition.Words(
    changed: "the record has changed since the statement read it", gone: "the record no longer exists",
    hint: "run the statement again", operation: nil)

  init(
    _ recorded: [RecordedWrite], _ backend: OpenBackend, _ invocation: Invocation, _ context: CommandContext
  ) async throws {
    let retries = try invocation.count(of: "retry") ?? 0
    let patience = RowRetryPolicy(backend.connection, retries: retries, context.reporter.progress)
    for (number, found) in recorded.enumerated() {
      let at: Int
      if let known = places.firstIndex(where: { $0.target.path == found.resource }) {
        at = known
      } else {
        let target = Target(backend: backend, path: found.resource)
        let resource = try await target.client.resource(target.path)
        isRechecked = try invocation.rechecks(target, resource)
        places.append(Ledgers(context).place(target, resource, patience))
        at = places.count - 1
      }
      guard var planned = planned(found, number + 1, places[at].resource, invocation) else {
        same += 1
        continue
      }
      planned.at = at
      if isRechecked, !planned.write.isCreation { planned.condition = .unchanged(Self.words) }
      writes.append(planned)
    }
    guard verb == "delete", let place = places.first, places.count == 1 else { return }
    repeated = try await Deletions(context).repeated(
      writes.compactMap(\.write.id), in: place.target, place.resource, invocation)
  }

  /// The planned write; nil if the record is already up to date.
  private func planned(
    _ found: RecordedWrite, _ number: Int, _ resource: ResourceDescription, _ invocation: Invocation
  ) -> PlannedWrite? {
    switch found.verb {
    case .create(let fields):
      let origin = WriteOrigin("row \(number)", place: nil, rejected: .object(fields))
      return PlannedWrite(.create(found.resource, fields), from: origin)
    case .update(let id, let changes):
      if let record = found.before, record.shows(changes, of: resource) { return nil }
      return PlannedWrite(
        .update(found.resource, id, changes, parts: [], revision: invocation.revision), from: WriteOrigin(id),
        record: found.before)
    case .delete(let id):
      return PlannedWrite(
        .delete(found.resource, .one(id), revision: invocation.revision), from: WriteOrigin(id), record: found.before)
    }
  }

  /// The verb of the statement, which all its writes share.
  var verb: String { writes.first?.write.verb ?? "update" }

  var parts: [WritePlan.Part] {
    places.indices.map { at in
      var part = WritePlan.Part(places[at], writes.filter { $0.at == at })
      (part.isRechecked, part.isListed) = (isRechecked, true)
      if let repeated, !repeated.isEmpty { part.remarks = [repeated.words] }
      return part
    }
  }

  var sameWords: String { same > 0 ? "; \(same.grouped) already up to date" : "" }
}
