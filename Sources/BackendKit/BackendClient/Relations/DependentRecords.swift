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
  /// The records that name deleted records and are deleted along, as far as the server tells; orphans are not among
  /// them. Nothing is thrown but `cancelled`: that a count cannot be had is part of the answer.
  public func dependents(
    of ids: [RecordID], in resource: ResourceDescription, maximumScan: Int
  ) async throws(BackendError) -> [DependentRecords] {
    try await DependentSearch(client: self, resource: resource, maximumScan: maximumScan).dependents(of: ids)
  }

  /// Everything that the server would delete along when records are deleted one after another: what names them and,
  /// where each deletion takes all orphans along, those too. For that the lists of all resources are read, each up to
  /// so many records; a resource whose list cannot be read whole has an unknown count, and so have resources that are
  /// not known. Those of which nothing goes along are left out. Throws where the service as a whole does not respond,
  /// and `cancelled`.
  public func deletedAlong(
    with ids: [RecordID], in resource: ResourceDescription, maximumScan: Int
  ) async throws(BackendError) -> [DependentRecords] {
    try await DependentSearch(client: self, resource: resource, maximumScan: maximumScan).deletedAlong(with: ids)
  }
}
