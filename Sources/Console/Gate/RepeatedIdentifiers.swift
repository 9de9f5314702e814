import BackendClient
import BackendKit

/// Identifiers of a deletion that several records have.
struct RepeatedIdentifiers {
  private let counts: [(id: RecordID, count: Int)]
  private let place: (target: Target, maximumScan: Int)?

  var isEmpty: Bool { counts.isEmpty }

  /// The number of records for each identifier, for example `3 records have the identifier 7`.
  var words: String {
    let shown = counts.prefix(5).map { "\(counted($0.count, "record")) have the identifier \($0.id)" }
    let rest = counts.count - shown.count
    return (shown + (rest > 0 ? ["\(counted(rest, "more identifier")) \(rest == 1 ? "is" : "are") shared"] : []))
      .joined(separator: ", ")
  }

  fileprivate init(
    _ counts: [(id: RecordID, count: Int)] = [], in place: (target: Target, maximumScan: Int)? = nil
  ) {
    self.counts = counts
    self.place = place
  }

  /// Returns the number of records with each identifier that are gone, and the number there were; nil if they cannot be
  /// counted.
  func gone() async throws(BackendError) -> [(id: RecordID, count: Int, of: Int)]? {
    guard let place, !isEmpty else { return [] }
    let left = try await place.target.client.records(
      with: counts.map(\.id), in: place.target.path, maximumScan: place.maximumScan)
    guard let left else { return nil }
    return counts.map { (id: $0.id, count: max(0, $0.count - left[$0.id, default: 0]), of: $0.count) }
  }
}

extension CommandContext {
  /// Those of some identifiers that several records have; none where the service gives each record its own.
  func repeated(
    _ ids: [RecordID], in target: Target, _ resource: ResourceDescription, _ invocation: Invocation
  ) async throws -> RepeatedIdentifiers {
    guard resource.identifier.mayRepeat, resource.capabilities.operations.contains(.list), writes.plan == nil,
      !invocation.has("dry-run"), !isRefused(ids.count, invocation)
    else { return RepeatedIdentifiers() }
    try checkWritable(target)
    try run.endRehearsal()
    do throws(BackendError) {
      guard
        let found = try await target.client.records(with: ids, in: target.path, maximumScan: run.settings.maxScan)
      else {
        warn("\(target.description) cannot show how many records have each identifier; several may be deleted")
        return RepeatedIdentifiers()
      }
      var seen: Set<RecordID> = []
      return RepeatedIdentifiers(
        ids.compactMap { id -> (id: RecordID, count: Int)? in
          guard let count = found[id], count > 1, seen.insert(id).inserted else { return nil }
          return (id, count)
        }, in: (target: target, maximumScan: run.settings.maxScan))
    } catch {
      var error = error
      error.operation = row?.name
      throw error
    }
  }

  /// Returns whether the gate will refuse the deletion whatever the records are: `--yes` is missing, or its number is
  /// wrong.
  private func isRefused(_ count: Int, _ invocation: Invocation) -> Bool {
    if let given = invocation.value(of: "yes") { return !GateOptions.permits(given, count) }
    return count > 1 && !canAsk && !invocation.has("yes")
  }

  /// Says how many of the records with each identifier are gone.
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
}
