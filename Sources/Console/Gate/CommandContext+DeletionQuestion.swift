import BackendClient
import BackendKit

extension CommandContext {
  /// The question before a deletion: asked for several records, and for records with which the server deletes others;
  /// it includes the number of these, as far as the server reports it. In a script such a deletion needs `--yes`:
  /// always if records belong to others, and, if orphans go with any deletion, if there are some or their number is
  /// unknown. With `--yes` they are a warning of the gate.
  func deletionQuestion(
    of ids: [RecordID], in target: Target, _ invocation: Invocation, _ repeated: RepeatedIdentifiers
  ) async throws -> WriteQuestion {
    try checkWritable(target)
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
    // Without a terminal nothing is read for a deletion that is refused anyway.
    let isRefused = !run.isInteractive && (!isOne || along.contains { !$0.areOrphans })
    if !isRefused, !along.isEmpty {
      along = try await target.client.deletedAlong(with: ids, in: resource, maximumScan: run.settings.maxScan)
    }
    question.namesOthers = true
    guard !along.isEmpty else { return question }
    var asked = WriteQuestion("Delete \(name), and with \(isOne ? "it" : "them") \(along.words)")
    (asked.isAlways, asked.namesOthers, asked.refused, asked.hasRead) = (true, true, question.refused, !isRefused)
    return asked
  }

  /// The records that the server deletes with those of a plan, as a sentence; nil if there are none. They are counted for this purpose.
  /// `orphansOnly` leaves out what refers to the deleted records.
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
        // Any other failure of the service is reported by the deletion itself.
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
}

extension ResourceDescription {
  /// The records that the server deletes with some of the resource, by their resources alone.
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
  /// The records that are deleted as well, for example `10 records of posts, and 4 records of todos whose owner does
  /// not exist`.
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
  /// The records of one resource.
  fileprivate var words: String {
    let place = resource.isEmpty ? "" : " of \(resource)"
    guard let count else { return areOrphans ? "an unknown number of records\(place)" : "records\(place)" }
    return "\(counted(count, "record"))\(place)"
  }
}
