import BackendClient
import BackendKit
import CommandLanguage
import ConsoleOutput
import ConsoleSystem
import Synchronization

extension SharedOptions {
  /// The options that select records to change by a condition.
  static let selection =
    decided + [recheck]
  /// The option as a replacement for identifiers.
  static let byCondition = Argument.option("where", .expression, or: "search")
}

/// The records that a condition selected, as read.
struct SelectedRecords: Sendable {
  let records: RecordSpool
  /// The number of records read to find them.
  let scanned: Int
  let query: ListQuery
  let isRechecked: Bool

  static func isGiven(_ invocation: Invocation) -> Bool { invocation.has("where") || invocation.has("search") }

  /// Throws if options of a condition lack one, or identifiers are given as well.
  static func checkOptions(_ invocation: Invocation) throws(UsageError) {
    if isGiven(invocation) {
      guard let other = ["all", "from"].first(where: invocation.has) else { return }
      throw UsageError("--where and --search cannot be combined with --\(other)")
    }
    for name in ["recheck", "ignore-case", "max-scan", "trust-end"] where invocation.has(name) {
      throw UsageError("--\(name) requires --where or --search")
    }
  }

  /// Reads the records that meet the condition. Throws if the list has no proven end, or there are more than the
  /// command or the backend permits; `nothing` names what was then not done.
  init(_ options: ListOptions, _ invocation: Invocation, _ ports: CommandContext, nothing: String) async throws {
    var options = options
    let target = options.target
    let resource = try await target.client.resource(target.path)
    try options.checkFields(resource, ports)
    query = options.query
    isRechecked = try invocation.rechecks(target, resource)
    let found = target.client.makeSpool()
    let isNamed = Mutex(true)
    let request = options.request()
    let summary: ListSummary
    do {
      summary = try await target.client.list(
        request,
        to: RecordSink { records throws(BackendError) in
          if records.contains(where: { $0.id == nil }) { isNamed.withLock { $0 = false } }
          try found.add(records)
          return .more
        }, showing: ports.reporter.listProgress)
      try Completeness(ports).check(summary)
    } catch {
      throw Completeness(ports).failure(ofList: error, for: ports.row?.name, nothing)
    }
    records = found
    scanned = summary.scanned
    guard isNamed.withLock(\.self) else {
      throw CommandFailure(
        .failure, "records of \(target.description) have no identifier, so they cannot be changed; \(nothing)")
    }
  }
}

extension Record {
  /// Returns whether the record already has these values. A value that is not loaded does not count.
  func shows(_ changes: [Change], of resource: ResourceDescription) -> Bool {
    changes.allSatisfy { change in
      !unloaded.contains(change.field) && resource.field(named: change.field)?.isSecret != true
        && WantedFields(change).isShown(by: fields, of: resource)
    }
  }
}
