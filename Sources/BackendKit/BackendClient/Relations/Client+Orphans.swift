public import BackendKit
import Synchronization

extension Client {
  /// Everything that the server would delete along when records are deleted one after another: what names them and,
  /// where each deletion takes all orphans along, those too. For that the lists of all resources are read, each up to
  /// so many records; a resource whose list cannot be read whole has an unknown count, and so have resources that are
  /// not known. Those of which nothing goes along are left out. Throws where the service as a whole does not respond,
  /// and `cancelled`.
  public func deletedAlong(
    with ids: [RecordID], in resource: ResourceDescription, maximumScan: Int
  ) async throws(BackendError) -> [DependentRecords] {
    guard let suffix = resource.dependents.lazy.compactMap(\.orphanSuffix).first else {
      return try await dependents(of: ids, in: resource, maximumScan: maximumScan).filter { $0.count != 0 }
    }
    let (others, areAll) = try await resources(beside: resource)
    let read = try await references(among: others, suffix, maximumScan)
    let known = read.known(after: ids.count)
    // An ordinary count may reach the resources that the map does not.
    var rest = resource
    rest.dependents.removeAll { dependents in dependents.resource.map { known.contains($0) } ?? false }
    var found = try await dependents(of: ids, in: rest, maximumScan: maximumScan).filter { $0.count != 0 }
    var orphans: [DependentRecords] = []
    let counts = ReferenceMap(read.rows, absent: read.absent).along(with: ids, of: resource.name)
    for other in others {
      if !known.contains(other.name) {
        orphans.append(DependentRecords(resource: other.name, count: nil, areOrphans: true))
      } else if let count = counts[other.name] {
        if count.dependents > 0 { found.append(DependentRecords(resource: other.name, count: count.dependents)) }
        if count.orphans > 0 {
          orphans.append(DependentRecords(resource: other.name, count: count.orphans, areOrphans: true))
        }
      }
    }
    if !areAll { orphans.append(DependentRecords(resource: "", count: nil, areOrphans: true)) }
    return found + orphans
  }

  /// The resources with lists, and whether there are no others.
  private func resources(
    beside resource: ResourceDescription
  ) async throws(BackendError) -> (resources: [ResourceDescription], areAll: Bool) {
    let known = try await describe(.known)
    guard known.isOpen else { return (known.withLists, true) }
    do throws(BackendError) {
      let live = try await describe(.live)
      return (live.withLists, live.note == nil && live.resource(named: resource.name) != nil)
    } catch {
      if error.isOfService { throw error }
      return ([], false)
    }
  }

  /// The references among the records of resources.
  private func references(
    among resources: [ResourceDescription], _ suffix: String, _ maximumScan: Int
  ) async throws(BackendError) -> ReferenceReading {
    var reading = ReferenceReading()
    let names = Set(resources.map(\.name))
    for resource in resources {
      let declared: [(String, String)] = resources.flatMap { owner in
        owner.dependents.filter { $0.resource == resource.name }.compactMap { $0.field.map { ($0, owner.name) } }
      }
      let fields = ReferenceFields(of: resource, declared: declared, suffix: suffix, resources: names)
      do throws(BackendError) {
        guard let found = try await rows(of: resource, fields, maximumScan) else { continue }
        reading.whole.insert(resource.name)
        reading.rows += found
      } catch {
        if error.isOfService { throw error }
        if error.code == .notFound { reading.missing.insert(resource.name) }
      }
    }
    return reading
  }

  /// The records of a resource with what they refer to; nil where the list is not whole, or leaves out records or such a field.
  private func rows(
    of resource: ResourceDescription, _ fields: ReferenceFields, _ maximumScan: Int
  ) async throws(BackendError) -> [ReferenceMap.Row]? {
    let name = resource.name
    let read = Mutex<[ReferenceMap.Row]>([])
    let request = ListRequest(
      ListQuery(ResourcePath(name: name)), limit: maximumScan, maximumScan: maximumScan, isScan: true)
    // A record that the list may have passed over as it shifted is in a second reading.
    for isAgain in [false, true] {
      let known = Set(read.withLock { $0.compactMap(\.key) })
      let summary = try await list(
        request,
        to: RecordSink { records throws(BackendError) in
          let rows = records.map { ReferenceMap.Row($0, of: name, fields) }
          read.withLock { $0 += rows.filter { $0.key.map { !known.contains($0) } ?? !isAgain } }
          return .more
        })
      guard summary.next == nil, !summary.isCutShort, !summary.omitsRecords, summary.unreadableCount == 0 else {
        return nil
      }
      if !summary.mayHaveShifted(resource.capabilities) { break }
    }
    let found = read.withLock(\.self)
    return found.contains { $0.isPartial } ? nil : found
  }
}

extension BackendError {
  /// True if other requests would fail, too.
  fileprivate var isOfService: Bool { [.cancelled, .unavailable, .timedOut, .unauthorized].contains(code) }
}

extension BackendDescription {
  /// The resources with lists, those among them that only fields refer to.
  fileprivate var withLists: [ResourceDescription] {
    let references = resources.flatMap { $0.fields.compactMap(\.reference) }.filter { $0.key == nil }
    let names = Set(references.map(\.resource)).subtracting(resources.map(\.name))
    let tried = names.sorted().compactMap { resource(trying: $0) }
    return (resources + tried).filter { $0.identifier.form != .none }
  }
}

/// The references among the records of a service, as far as they were read.
private struct ReferenceReading {
  var rows: [ReferenceMap.Row] = []
  /// Resources whose list was read whole.
  var whole: Set<String> = []
  /// Resources that the service says it does not have.
  var missing: Set<String> = []

  /// Resources that are not there: a "not found" counts for one only from a service that also responds with lists.
  var absent: Set<String> { whole.isEmpty ? [] : missing }

  /// Resources of which it is known what so many deletions take along.
  func known(after deletions: Int) -> Set<String> {
    var known = whole.union(absent)
    // Records that one deletion leaves without the record they refer to are deleted with the next.
    for _ in 0..<deletions {
      let less = rows.filter { row in row.names.contains { !known.contains($0.resource) } }.map(\.resource)
      let size = known.count
      known.subtract(less)
      if known.count == size { break }
    }
    return known
  }
}
