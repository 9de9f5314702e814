import BackendKit
import Synchronization

/// Finds the records that the server deletes along with others, by reading lists of bounded length.
struct DependentSearch {
  let client: Client
  var resource: ResourceDescription
  let maximumScan: Int
  /// The maximum number of deleted records whose dependents are counted, since that takes requests.
  private static let mostCounted = 20

  func dependents(of ids: [RecordID]) async throws(BackendError) -> [DependentRecords] {
    var found: [DependentRecords] = []
    for dependents in resource.dependents where dependents.orphanSuffix == nil {
      if let name = dependents.resource {
        var total: Int? = 0
        for id in ids {
          let count = ids.count > Self.mostCounted ? nil : try await count(dependents, of: id, in: name)
          total = total.flatMap { sum in count.map { sum + $0 } }
          if total == nil { break }
        }
        found.append(DependentRecords(resource: name, count: total))
      } else {
        for id in ids.prefix(Self.mostCounted) {
          found.append(
            DependentRecords(resource: id.text, count: try await count(dependents, of: id, in: id.text)))
        }
      }
    }
    return found
  }

  private func count(
    _ dependents: Dependents, of id: RecordID, in resource: String
  ) async throws(BackendError) -> Int? {
    if client.isOutlined(ResourcePath(name: resource)) { return nil }
    let filters = dependents.field.map { [Filter.compare(FieldPath($0), .equal, .word(id.text))] } ?? []
    do throws(BackendError) {
      let query = ListQuery(ResourcePath(name: resource), filters: filters)
      let summary = try await client.count(query, maximumScan: maximumScan, provesNone: true)
      return summary.isCutShort || summary.omitsRecords ? nil : summary.total
    } catch {
      if error.code == .cancelled { throw error }
      return nil
    }
  }

  func deletedAlong(with ids: [RecordID]) async throws(BackendError) -> [DependentRecords] {
    guard let suffix = resource.dependents.lazy.compactMap(\.orphanSuffix).first else {
      return try await dependents(of: ids).filter { $0.count != 0 }
    }
    let (others, areAll) = try await others
    let read = try await references(among: others, suffix)
    let known = read.known(after: ids.count)
    // An ordinary count may reach resources that the map does not cover.
    var rest = self
    rest.resource.dependents.removeAll { dependents in dependents.resource.map { known.contains($0) } ?? false }
    var found = try await rest.dependents(of: ids).filter { $0.count != 0 }
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
  private var others: (resources: [ResourceDescription], areAll: Bool) {
    get async throws(BackendError) {
      let known = try await client.describe(.known)
      guard known.isOpen else { return (known.withLists, true) }
      do throws(BackendError) {
        let live = try await client.describe(.live)
        return (live.withLists, live.note == nil && live.resource(named: resource.name) != nil)
      } catch {
        if error.isOfService { throw error }
        return ([], false)
      }
    }
  }

  private func references(
    among resources: [ResourceDescription], _ suffix: String
  ) async throws(BackendError) -> ReferenceReading {
    var reading = ReferenceReading()
    let names = Set(resources.map(\.name))
    for resource in resources {
      let declared: [(String, String)] = resources.flatMap { owner in
        owner.dependents.filter { $0.resource == resource.name }.compactMap { $0.field.map { ($0, owner.name) } }
      }
      let fields = ReferenceFields(of: resource, declared: declared, suffix: suffix, resources: names)
      do throws(BackendError) {
        guard let found = try await rows(of: resource, fields) else { continue }
        reading.whole.insert(resource.name)
        reading.rows += found
      } catch {
        if error.isOfService { throw error }
        if error.code == .notFound { reading.missing.insert(resource.name) }
      }
    }
    return reading
  }

  /// The records of a resource with their references; nil if the list is not whole, or omits records or such a field.
  private func rows(
    of resource: ResourceDescription, _ fields: ReferenceFields
  ) async throws(BackendError) -> [ReferenceMap.Row]? {
    let name = resource.name
    let read = Mutex<[ReferenceMap.Row]>([])
    let request = ListRequest(
      ListQuery(ResourcePath(name: name)), limit: maximumScan, maximumScan: maximumScan, isScan: true)
    // A record skipped by a shifting list is in a second reading.
    for isAgain in [false, true] {
      let known = Set(read.withLock { $0.compactMap(\.key) })
      let summary = try await client.list(
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
  /// The resources with lists; the named ones are those that only fields refer to.
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
  /// Resources that the service reports as not found.
  var missing: Set<String> = []

  /// Resources that do not exist: a "not found" proves that only if the service also responds with lists.
  var absent: Set<String> { whole.isEmpty ? [] : missing }

  /// Resources whose dependents of so many deletions are known.
  func known(after deletions: Int) -> Set<String> {
    var known = whole.union(absent)
    // Records orphaned by one deletion are deleted with the next.
    for _ in 0..<deletions {
      let less = rows.filter { row in row.names.contains { !known.contains($0.resource) } }.map(\.resource)
      let size = known.count
      known.subtract(less)
      if known.count == size { break }
    }
    return known
  }
}
