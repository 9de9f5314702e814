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
    var along = resource.dependents.map { dependents in
      DependentRecords(
        resource: dependents.resource ?? (dependents.orphanSuffix == nil ? ids.first?.text ?? "" : ""), count: nil,
        areOrphans: dependents.orphanSuffix != nil)
    }
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

  /// Warns of orphans that go with a deletion that is not asked about.
  func tellOrphans(of ids: [RecordID], in target: Target) async throws {
    let name = ids.count == 1 ? "\(target.description)/\(ids[0])" : "\(ids.count) records of \(target.description)"
    do {
      guard let orphans = try await orphans(deletedWith: ids, in: target) else { return }
      warn("deleting \(name) also deletes \(orphans)")
    } catch let error as BackendError where error.code != .cancelled {
      // It was agreed to; what is wrong with the service is said of the deletion itself.
      warn("deleting \(name) also deletes records whose owner does not exist; they could not be counted")
    }
  }

  /// The orphans that go with deletions, for example `4 records of todos whose owner does not exist`, as part of a
  /// plan, a question or a warning; nil if there are none, or the service deletes none. They are read for this purpose.
  func orphans(deletedWith ids: [RecordID], in target: Target) async throws -> String? {
    let resource = try await target.client.resource(target.path)
    guard !ids.isEmpty, resource.dependents.contains(where: { $0.orphanSuffix != nil }) else { return nil }
    let along = try await target.client.deletedAlong(with: ids, in: resource, maximumScan: run.settings.maxScan)
    let orphans = along.filter(\.areOrphans)
    return orphans.isEmpty ? nil : orphans.words
  }
}

extension [DependentRecords] {
  /// The records that are deleted as well, for example `10 records of posts, and 4 records of todos whose owner does
  /// not exist`.
  fileprivate var words: String {
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
