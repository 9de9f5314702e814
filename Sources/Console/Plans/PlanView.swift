import BackendClient
import BackendKit
import CommandLanguage
import ConsoleOutput
import ConsoleSetup
import ConsoleSystem

extension Command {
  /// Shows a plan: `plan show`, a form of the command `plan`.
  static let planShow = Command(
    "plan show", .change, "Show the changes of a plan", arguments: [.one(.file(.read)), .any(.predicate)], effects: [],
    options: SharedOptions.query.filter { $0.name == "where" }
      + [
        OptionSyntax("limit", value: .count(from: 0), help: "maximum changes to show"),
        OptionSyntax(
          "digest", value: .free("SHA-256"), help: "the plan's digest, as its author sees it; the plan may be anyone's"),
        OptionSyntax(
          "as", value: .oneOf(["curl"]), help: "show the requests as commands of curl, as apply --dry-run does"),
      ] + SharedOptions.output
  ) { invocation, context in
    if invocation.has("as") { return try await PlanView(context).showRequests(invocation) }
    let file = try PlanFile(invocation.one(.file(.read)), invocation, context)
    // Describing the backend reveals its secret fields.
    for planned in file.backends where context.targets.configuration(of: planned.name) != nil {
      _ = try? await context.targets.open(planned.name).client.describe(.known)
    }
    for row in file.rows { try file.refuseSecrets(in: try file.entry(row), at: row, context.reporter.blanking) }
    try PlanView(context).show(file, invocation)
  }
}

private struct PlanView: CommandPart {
  let context: CommandContext

  /// Shows the requests of a plan, as a dry run of `apply` builds them.
  func showRequests(_ invocation: Invocation) async throws {
    guard invocation.reading.options.count == 1, invocation.words(.predicate).isEmpty else {
      throw UsageError("--as shows the requests of a whole plan", hint: "give no conditions and no other options")
    }
    let file = Word(text: try invocation.one(.file(.read)).text, isQuoted: true, column: 1)
    let words = ["apply", "--dry-run", "--as", "curl"].map { Word(text: $0, isQuoted: false, column: 1) }
    try await run.nested.aside(words + [file])
  }

  func show(_ file: PlanFile, _ invocation: Invocation) throws {
    let filters = try invocation.filters()
    let columns = (file.backends.count > 1 ? ["backend"] : []) + PlanEntry.columns
    for path in filters.flatMap(\.paths) where !columns.contains(path.field) {
      throw UsageError(
        "changes of a plan have no \"\(path.field)\"", hint: "they have \(columns.joined(separator: ", "))")
    }
    let limit = try invocation.count(of: "limit") ?? .max
    let output = try RecordOutput(invocation, context, default: .table)
    let presentation = output.presentation(
      context, fields: [], columns: columns.map { FieldPath($0) }, isSingle: false)
    page()
    let stream = RecordStream(output, presentation, results)
    walk: for row in file.rows {
      if Interruption.isDue { break }
      for change in try file.entry(row).changes(of: file)
      where filters.allSatisfy({ QueryRules.matches($0, change.fields) }) {
        guard stream.count < limit, stream.take([change]) == .more else { break walk }
      }
    }
    stream.end(isWhole: !Interruption.isDue).forEach(note)
    count(records: stream.count)
    stream.keep(in: results, presentation)
    let places = zip(file.backends, file.counts.backends).map { $1.words(as: $0.name, $0.label, at: $0.place.address) }
    tell(
      "\(file.header.proposal == nil ? "" : "plan ")\(file.name): \(places.joined(separator: ", ")), \(file.header.origin)"
    )
    tell("SHA-256 \(try file.sum)")
    if file.backends.count > 1 { reporter.errors.write(file.counts.table(width: reporter.errors.width)) }
    let along = file.along.sorted().map { DependentRecords(resource: $0, count: nil, areOrphans: $0.isEmpty) }
    if !along.isEmpty { tell("the server also deletes \(along.words)") }
  }
}

extension PlanEntry {
  static let columns = ["verb", "resource", "id", "field", "before", "after"]

  /// The changes, one row per field; for a deletion one row with the record.
  fileprivate func changes(of file: PlanFile) -> [Record] {
    let backend = file.backends.count > 1 ? backend ?? file.header.backend.name : nil
    func row(_ field: String?, _ before: Value?, _ after: Value?) -> Record {
      Record(
        id: write.id,
        fields: Object(facts: [
          ("backend", backend), ("verb", write.verb), ("resource", write.resource.description),
          ("id", write.id?.text ?? new), ("field", field), ("before", before), ("after", after),
        ]))
    }
    let old = before?.fields ?? Object()
    switch write {
    case .create(_, let fields), .act(_, _, _, let fields):
      return fields.isEmpty ? [row(nil, nil, nil)] : fields.members.map { row($0, nil, $1) }
    case .delete: return [row(nil, .object(old), nil)]
    case .update(_, _, let changes, let parts, _):
      return changes.map { change in
        if case .set(let name, let value) = change { return row(name, old[name], value) }
        return row(change.field, old[change.field], nil)
      } + parts.map { row($0.description, FieldPath($0.description).value(in: old), $0.value) }
    }
  }
}
