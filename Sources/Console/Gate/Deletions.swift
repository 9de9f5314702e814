import BackendClient
import BackendKit
import ConsoleSetup
import ConsoleSystem
import Synchronization

/// The records that the server deletes with others, and identifiers of several records: counted, asked about and
/// reported.
struct Deletions: CommandPart {
  let context: CommandContext

  /// The question before a deletion: for several records, and for records with which the server deletes others; it has
  /// the number of these, as far as the server reports it.
  ///
  /// In a script such a deletion needs `--yes`: always if other records belong to the deleted ones; if the server
  /// deletes orphans with every deletion, only if there are some or their number is unknown. With `--yes` the gate
  /// warns of them.
  func question(
    of ids: [RecordID], in target: Target, _ invocation: Invocation, _ repeated: RepeatedIdentifiers
  ) async throws -> WriteQuestion {
    try target.checkWritable()
    let resource = try await target.client.resource(target.path)
    let isOne = ids.count == 1 && !invocation.has("from")
    let name =
      (isOne ? target.description(of: ids[0]) : "\(counted(ids.count, "record")) of \(target.description)")
      + (repeated.isEmpty ? "" : " (\(repeated.words))")
    var question = WriteQuestion("Delete \(name)")
    question.refused = "nothing was deleted"
    question.isAlways = !isOne || !repeated.isEmpty
    question.hasRead = !repeated.isEmpty
    if writes.plan != nil || invocation.has("dry-run") || invocation.has("yes") { return question }
    var along = resource.uncountedDependents(of: ids)
    // Without a terminal, nothing is read for a deletion that is refused anyway.
    let isRefused = !Questions(context).canAsk && (!isOne || along.contains { !$0.areOrphans })
    if !isRefused, !along.isEmpty {
      along = try await target.client.deletedAlong(with: ids, in: resource, maximumScan: run.settings.maxScan)
    }
    question.namesOthers = true
    guard !along.isEmpty else { return question }
    var asked = WriteQuestion("Delete \(name), and with \(isOne ? "it" : "them") \(along.words)")
    (asked.isAlways, asked.namesOthers, asked.refused, asked.hasRead) = (true, true, question.refused, !isRefused)
    return asked
  }

  /// The records that the server deletes with those of a plan, counted for this purpose, as a sentence; nil if there
  /// are none. `orphansOnly` leaves out records that refer to the deleted ones.
  func alsoDeleted(by part: WritePlan.Part, orphansOnly: Bool = false) async throws -> String? {
    let (target, resource) = (part.target, part.place.resource)
    let dependents = resource.dependents.filter { !orphansOnly || $0.orphanSuffix != nil }
    guard part.deletes, !dependents.isEmpty else { return nil }
    var ids: [RecordID] = []
    var isAll = false
    for index in 0..<part.count {
      guard case .delete(_, let deletion, _) = try part.write(index).write else { continue }
      if case .one(let id) = deletion { ids.append(id) } else { isAll = true }
    }
    guard isAll || !ids.isEmpty else { return nil }
    var along = resource.uncountedDependents(of: ids)
    if !isAll {
      do throws(BackendError) {
        along = try await target.client.deletedAlong(with: ids, in: resource, maximumScan: run.settings.maxScan)
      } catch {
        // Other failures of the service are reported by the deletion itself.
        guard error.code != .cancelled else { throw error }
      }
    }
    along.removeAll { orphansOnly && !$0.areOrphans }
    guard !along.isEmpty else { return nil }
    let name =
      isAll
      ? "every record of \(target.description)"
      : ids.count == 1 ? target.description(of: ids[0]) : "\(counted(ids.count, "record")) of \(target.description)"
    return "deleting \(name) also deletes \(along.words)"
  }

  // MARK: Repeated identifiers

  /// The identifiers that several records have; none if the service makes them unique.
  func repeated(
    _ ids: [RecordID], in target: Target, _ resource: ResourceDescription, _ invocation: Invocation
  ) async throws -> RepeatedIdentifiers {
    guard resource.identifier.mayRepeat, resource.capabilities.operations.contains(.list), writes.plan == nil,
      !invocation.has("dry-run"), !isRefused(ids.count, invocation)
    else { return RepeatedIdentifiers() }
    try target.checkWritable()
    try run.endRehearsal()
    do throws(BackendError) {
      guard
        let found = try await target.client.records(with: ids, in: target.path, maximumScan: run.settings.maxScan)
      else {
        warn("\(target.description) cannot show how many records have each identifier; several may be deleted")
        return RepeatedIdentifiers(listed: [])
      }
      var seen: Set<RecordID> = []
      return RepeatedIdentifiers(
        ids.compactMap { id -> (id: RecordID, count: Int)? in
          guard let count = found[id], count > 1, seen.insert(id).inserted else { return nil }
          return (id, count)
        }, listed: Set(found.keys), in: (target: target, maximumScan: run.settings.maxScan))
    } catch {
      var error = error
      error.operation = row?.name
      throw error
    }
  }

  /// Returns whether the gate refuses the deletion anyway: `--yes` is missing, or has the wrong number.
  private func isRefused(_ count: Int, _ invocation: Invocation) -> Bool {
    if let given = invocation.value(of: "yes") { return !GateOptions.permits(given, count) }
    return count > 1 && !Questions(context).canAsk && !invocation.has("yes")
  }

  /// Reports how many records of each identifier were deleted.
  func noteGone(of repeated: RepeatedIdentifiers) async {
    for sentence in await sentences(of: repeated) { note(sentence) }
  }

  /// The same as sentences, for example `deleted 3 records with the identifier 7`.
  func sentences(of repeated: RepeatedIdentifiers) async -> [String] {
    do throws(BackendError) {
      guard let gone = try await repeated.gone() else {
        return ["the records that are left could not be counted: the list is too long"]
      }
      return gone.map { id, count, all in
        let number = count == all ? counted(all, "record") : "\(count.grouped) of \(counted(all, "record"))"
        return "deleted \(number) with the identifier \(id)"
      }
    } catch { return ["the records that are left could not be counted: \(error.message)"] }
  }

  /// Counts the records of a "delete all", and names the first of them, if the user is asked or the number is the
  /// answer.
  func countRecords(of plan: inout WritePlan, _ invocation: Invocation) async throws {
    guard let part = plan.parts.first, writes.plan == nil, !invocation.has("dry-run") else { return }
    let (target, isProduction) = (part.target, part.target.backend.configuration.isProduction)
    guard isProduction || Questions(context).canAsk && !invocation.has("yes") || invocation.value(of: "yes") != nil
    else { return }
    if isProduction, !Questions(context).canAsk, invocation.value(of: "yes") == nil {
      throw UsageError(
        "delete every record of \(target.description) (production) needs --yes=N with the number of its records",
        hint: "count \(target.description) counts them")
    }
    try run.endRehearsal()
    let query = ListQuery(target.path)
    let summary = try await target.client.count(query, maximumScan: run.settings.maxScan)
    guard !summary.isCutShort, !summary.omitsRecords, let total = summary.total else {
      guard isProduction || invocation.value(of: "yes") != nil else { return }
      throw CommandFailure(
        .failure, "the records of \(target.description) cannot be counted; nothing was deleted",
        hint: "use delete with --where, which reads the records to delete")
    }
    plan.question.records = total
    plan.question.hasRead = true
    let found = Mutex<[Record]>([])
    _ = try await target.client.list(
      ListRequest(query, limit: WritePlan.usuallyShown),
      to: RecordSink { records in
        found.withLock { $0 += records }
        return .more
      })
    plan.headline = PlanRenderer.deletion(
      of: total, found.withLock { Array($0.prefix(WritePlan.usuallyShown)) }, at: part.place)
  }
}

extension ResourceDescription {
  /// The records that the server deletes with some of the resource, without their numbers.
  func uncountedDependents(of ids: [RecordID]) -> [DependentRecords] {
    dependents.map { dependents in
      let isNamed = dependents.orphanSuffix == nil && ids.count == 1
      return DependentRecords(
        resource: dependents.resource ?? (isNamed ? ids[0].text : ""), count: nil,
        areOrphans: dependents.orphanSuffix != nil)
    }
  }
}

extension [DependentRecords] {
  /// The other deleted records, for example `10 records of posts, and 4 records of todos whose owner does not exist`.
  var words: String {
    let orphans = filter(\.areOrphans).map(\.words)
    let named = filter { !$0.areOrphans }.map(\.words).joined(separator: ", ")
    guard let last = orphans.last else { return named }
    let first = orphans.dropLast().joined(separator: ", ")
    let all = (first.isEmpty ? "" : "\(first) and ") + "\(last) whose owner does not exist"
    return named.isEmpty ? all : "\(named), and \(all)"
  }
}

extension DependentRecords {
  fileprivate var words: String {
    let place = resource.isEmpty ? "" : " of \(resource)"
    guard let count else { return areOrphans ? "an unknown number of records\(place)" : "records\(place)" }
    return "\(counted(count, "record"))\(place)"
  }
}
