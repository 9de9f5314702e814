import BackendClient
import BackendKit
import CommandLanguage
import ConsoleOutput
import ConsoleSetup
import ConsoleSystem
import Glibc

extension Command {
  static let edit = Command(
    "edit", .change, "Open records in your editor, and send what you change",
    arguments: [.optional(.target), .some(.identifier)],
    effects: [.readsRecords, .writesRecords, .runsPrograms, .handsOverWrites],
    options: [
      OptionSyntax("field", value: .field, help: "edit the text of one field only"),
      SharedOptions.force, SharedOptions.newFields,
    ] + SharedOptions.ordered + GateOptions.syntax + SharedOptions.output,
    details: [
      "Opens the records as YAML in VISUAL or EDITOR. Read-only fields are comments; secrets are left out.",
      "Only fields whose text you change are sent; a field whose line you delete is cleared.",
      "If a record has changed in the meantime, it is not written, and the old, the current and your value of each field are shown;",
      "--force writes it anyway. The file is deleted once everything was sent, and kept after a failure.",
    ]
  ) { invocation, context in
    try await RecordEditing(context).edit(invocation)
  }
}

private struct RecordEditing: CommandPart {
  let context: CommandContext

  func edit(_ invocation: Invocation) async throws {
    let (target, ids) = try await InputFiles(context).targetAndIdentifiers(invocation)
    let resource = try await target.client.resource(target.path)
    let output = try RecordOutput(invocation, context, default: .table)
    try target.checkWritable()
    try target.client.check(.update, of: resource)
    try target.client.check(.get, of: resource)
    let field = invocation.value(of: "field")
    if field != nil, ids.count > 1 { throw UsageError("--field takes one record") }
    if Set(ids.map(\.id)).count < ids.count {
      throw UsageError("a record is named twice")
    }
    try await Subject(context).checkAddresses(ids, of: target)
    try run.endRehearsal()
    _ = try Editor(context).command()
    var records: [Record] = []
    for given in ids {
      var record = try await target.client.get(given.id, from: target.path)
      record.id = given.id
      records.append(record)
    }
    let reader = try run.console.surveyor()
    let text = EditText(target, resource, records, JournalImages(reporter.blanking, resource.fields))
    let edit =
      try field.flatMap { name in try text.records.first.map { try RecordEdit(name, of: $0, resource) } }
      ?? RecordEdit(text, reader)
    let name = "\(target.client.name)-\(target.path)-\(ids.count == 1 ? ids[0].id.text : "several")"
    let file = try EditFile(edit.text, name: name, ending: edit.ending, environment: run.console.environment)
    do {
      try await send(
        try await edited(edit, file, target, resource, invocation, reader), target, resource, output, invocation)
    } catch {
      var failure = failure(error)
      let isNamed = [failure.message, failure.hint].contains { $0?.contains(text: file.path) == true }
      if !isNamed, access(file.path, F_OK) == 0 { failure.message += "; your text is in \(file.path)" }
      throw failure
    }
    file.remove()
  }

  /// Opens the file in the editor until it can be sent. At a terminal the user decides whether to correct a mistake.
  private func edited(
    _ edit: RecordEdit, _ file: EditFile, _ target: Target, _ resource: ResourceDescription, _ invocation: Invocation,
    _ reader: any ServiceSurveyor
  ) async throws -> [PlannedWrite] {
    while true {
      reporter.progress?.end()
      try Editor(context).open(file.path)
      do {
        return try await planned(edit, try file.read(), file.path, target, resource, invocation, reader)
      } catch {
        let failure = failure(error)
        guard Questions(context).canAsk, failure.status != .interrupted else { throw error }
        report(part: failure)
        guard await Questions(context).isYes("Edit it again?", enterIs: true) == true else {
          throw CommandFailure(.failure, "nothing was changed")
        }
      }
    }
  }

  private func planned(
    _ edit: RecordEdit, _ text: String, _ path: String, _ target: Target, _ resource: ResourceDescription,
    _ invocation: Invocation, _ reader: any ServiceSurveyor
  ) async throws -> [PlannedWrite] {
    let edited: [(opened: EditText.Opened, changes: [(change: Change, line: Int?)])]
    do throws(EditMistake) { edited = try edit.changes(in: text, reader) } catch {
      let place = error.line.map { "\(path):\($0)" } ?? path
      throw CommandFailure(.failure, "\(place): \(error.message); nothing was changed", hint: error.hint)
    }
    let secret = Set(resource.fields.filter(\.isSecret).map(\.name))
    var writes: [PlannedWrite] = []
    for (opened, changes) in edited where !changes.isEmpty {
      for case (.set(let name, let value), _) in changes where secret.contains(name) {
        reporter.blanking.see([value.plainText])
      }
      // Each change is checked alone first, so that an error names its line.
      for (change, line) in changes {
        let write = Write.update(target.path, opened.id, [change], revision: invocation.revision)
        do { try await WriteChecks(context).check(write, of: target) } catch {
          var failure = failure(error).at("\(path)\(line.map { ":\($0)" } ?? "")")
          failure.status = .failure
          throw failure
        }
      }
      let write = Write.update(target.path, opened.id, changes.map(\.change), revision: invocation.revision)
      try await WriteChecks(context).check(write, of: target)
      writes.append(planned(write, opened, target, resource))
    }
    return writes
  }

  private func send(
    _ writes: [PlannedWrite], _ target: Target, _ resource: ResourceDescription, _ output: RecordOutput,
    _ invocation: Invocation
  ) async throws {
    guard !writes.isEmpty else { return tell("nothing was changed") }
    var plan = WritePlan(
      [WritePlan.Part(Ledgers(context).place(target, resource), writes)],
      .found("Update \(counted(writes.count, "record")) of \(target.description)", isAlways: false))
    (plan.showing, plan.shown) = (.always, nil)
    guard try await Gate(context).admits(plan, invocation) else { return }
    let options = try BulkOptions(invocation, target, "edit")
    if writes.count == 1 {
      return try await Sending(context).carryOut(writes[0], of: target, resource, output, options)
    }
    try await Sending(context).carryOut(writes, of: target, resource, output, options)
  }

  /// The write of an edited record. A service with revisions checks itself that the record is unchanged since it was
  /// opened.
  private func planned(
    _ write: Write, _ opened: EditText.Opened, _ target: Target, _ resource: ResourceDescription
  ) -> PlannedWrite {
    var planned = PlannedWrite(
      write, from: WriteOrigin(opened.id), record: opened.record, before: opened.image.known)
    guard case .update(_, let id, _, _, .known) = write else { return planned }
    if resource.capabilities.hasRevisions, target.client.revision(of: id, in: target.path) != nil { return planned }
    planned.condition = .unchanged(
      Precondition.Words(
        changed: "the record was changed while it was being edited",
        gone: "the record was deleted while it was being edited",
        hint: "edit it again, or edit it with --force", operation: "edit"))
    return planned
  }
}
