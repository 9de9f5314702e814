public import BackendKit

/// Records of one resource that would be deleted along with others.
public struct DependentRecords: Sendable, Hashable {
  /// The resource they are in; empty for resources that are not known.
  public var resource: String
  /// The number of records; nil if it cannot be determined.
  public var count: Int?
  /// Marks records that are deleted because what they refer to does not exist, not because they name a deleted record.
  public var areOrphans: Bool

  /// Records of a resource.
  public init(resource: String, count: Int?, areOrphans: Bool = false) {
    self.resource = resource
    self.count = count
    self.areOrphans = areOrphans
  }
}

extension Client {
  /// So many deleted records have their dependents counted; of more nobody waits for the counts.
  private static let mostCounted = 20

  /// The records that name deleted records and are deleted along, as far as the server tells; orphans are not among
  /// them. Nothing is thrown but `cancelled`: that a count cannot be had is part of the answer.
  public func dependents(
    of ids: [RecordID], in resource: ResourceDescription, maximumScan: Int
  ) async throws(BackendError) -> [DependentRecords] {
    var found: [DependentRecords] = []
    for dependents in resource.dependents where dependents.orphanSuffix == nil {
      if let name = dependents.resource {
        var total: Int? = 0
        for id in ids {
          let count = ids.count > Self.mostCounted ? nil : try await count(dependents, of: id, in: name, maximumScan)
          total = total.flatMap { sum in count.map { sum + $0 } }
          if total == nil { break }
        }
        found.append(DependentRecords(resource: name, count: total))
      } else {
        for id in ids.prefix(Self.mostCounted) {
          found.append(
            DependentRecords(
              resource: id.text, count: try await count(dependents, of: id, in: id.text, maximumScan)))
        }
      }
    }
    return found
  }

  private func count(
    _ dependents: Dependents, of id: RecordID, in resource: String, _ maximumScan: Int
  ) async throws(BackendError) -> Int? {
    let filters = dependents.field.map { [Filter.compare(FieldPath($0), .equal, .word(id.text))] } ?? []
    do throws(BackendError) {
      let query = ListQuery(ResourcePath(name: resource), filters: filters)
      let summary = try await count(query, maximumScan: maximumScan, provesNone: true)
      return summary.isCutShort || summary.omitsRecords ? nil : summary.total
    } catch {
      if error.code == .cancelled { throw error }
      return nil
    }
  }
}
