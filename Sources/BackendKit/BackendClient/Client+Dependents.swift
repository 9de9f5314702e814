public import BackendKit

/// Records of one resource that would be deleted along with others.
public struct DependentRecords: Sendable, Hashable {
  /// The resource they are in.
  public var resource: String
  /// How many there are; nil where that cannot be found out.
  public var count: Int?

  /// Records of a resource.
  public init(resource: String, count: Int?) {
    self.resource = resource
    self.count = count
  }
}

extension Client {
  /// So many deleted records have their dependents counted; of more nobody waits for the counts.
  private static let mostCounted = 20

  /// What the server would delete along with records, as far as it tells. Nothing is thrown but `cancelled`: that a count
  /// cannot be had is part of the answer.
  public func dependents(
    of ids: [RecordID], in resource: ResourceDescription, maximumScan: Int
  ) async throws(BackendError) -> [DependentRecords] {
    var found: [DependentRecords] = []
    for dependents in resource.dependents {
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
      let summary = try await count(query, maximumScan: maximumScan)
      return summary.isCut ? nil : summary.total
    } catch {
      if error.code == .cancelled { throw error }
      return nil
    }
  }
}
