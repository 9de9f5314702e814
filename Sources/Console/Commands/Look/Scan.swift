import BackendClient
import BackendKit
import CommandLanguage
import ConsoleOutput
import ConsoleSystem
import Synchronization

struct Scan: CommandPart {
  let context: CommandContext

  /// Counts records by the values of a field: `list --count-by FIELD`.
  func countBy(_ text: String, _ invocation: Invocation) async throws {
    for option in ["sort", "server-order", "fields", "with", "per-page", "page"] where invocation.has(option) {
      throw UsageError(
        "--count-by cannot be combined with --\(option)", hint: "--limit N shows the N most frequent values")
    }
    let grouping = try Grouping(text, "--count-by")
    let limit = try invocation.value(of: "limit").map { text throws(UsageError) in
      try WordKind.count(text, "--limit", minimum: 1)
    }
    let output = try RecordOutput(invocation, context, default: .table)
    let counts = Mutex(GroupedCounts(grouping))
    let (resource, summary) = try await read(invocation, for: grouping.path) { records in
      counts.withLock { $0.add(records) }
    }
    let found = counts.withLock(\.self)
    let rows = found.rows
    let shown = Array(rows.prefix(limit ?? (output.isForPeople && grouping.unit == nil ? 20 : Int.max)))
    let records = shown.map { row in
      Record(id: nil, fields: Object((row.value.map { [("value", $0)] } ?? []) + [("count", .int(row.count))]))
    }
    let presentation = output.presentation(
      context, fields: [FieldDescription("value", .any), FieldDescription("count", .integer)], columns: nil,
      isSingle: false)
    keep(records, isWhole: shown.count == rows.count, presentation)
    page()
    if output.isForPeople {
      let kind = resource.field(named: grouping.path.text)?.kind
      let bars = shown.map { BarChart.Bar($0.value, kind: kind, count: $0.count) }
      results.output.write(
        formatted: BarChart(bars: bars, total: found.records).text(width: results.output.width, theme: results.theme))
    } else {
      output.print(records, presentation, context, isWhole: summary.shortfall == nil)
    }
    let rest = rows.dropFirst(shown.count)
    let others = rest.reduce(found.uncounted) { $0 + $1.count }
    if others > 0 {
      let most = found.uncounted > 0 ? "more than " : ""
      tell("\(most)\(counted(rest.count, "other value")): \(counted(others, "record"))")
    }
    try report(summary)
  }

  /// Reads all records of the list that a command names, for one field, and passes them on.
  func read(
    _ invocation: Invocation, for path: FieldPath, to receive: @escaping @Sendable ([Record]) -> Void
  ) async throws -> (resource: ResourceDescription, summary: ListSummary) {
    var options = try await ListOptions(invocation, context)
    options.query.fields = [path]
    let resource = try await options.target.client.resource(options.target.path)
    try options.checkFields(resource, context)
    let request = options.request(limit: options.maximumScan, isScan: true)
    var summary = try await options.target.client.list(
      request,
      to: RecordSink { records throws(BackendError) in
        receive(records)
        return .more
      }, showing: reporter.listProgress)
    summary.doneLocally.append("counted")
    if summary.next != nil { summary.isCut = true }
    await ListOutput(context).note(on: options.query, summary, of: options.target)
    return (resource, summary)
  }

  /// Reports the cost of a scan. Throws if it was cut short.
  func report(_ summary: ListSummary) throws(CommandFailure) {
    if results.output.isBroken { return }
    try Completeness(context).check(summary)
  }
}
