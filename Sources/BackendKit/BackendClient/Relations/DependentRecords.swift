public import BackendKit

/// Records of one resource that would be deleted along with others.
public struct DependentRecords: Sendable, Hashable {
  /// The resource they are in; empty for unknown resources.
  public var resource: String
  /// The number of records; nil if it cannot be determined.
  public var count: Int?
  /// True for records that are deleted because what they refer to does not exist, not because they name a deleted
  /// record.
  public var areOrphans: Bool

  /// Records of a resource.
  public init(resource: String, count: Int?, areOrphans: Bool = false) {
    self.resource = resource
    self.count = count
    self.areOrphans = areOrphans
  }
}

extension Client {
  /// The records that the server is known to delete along with others because they name these; without orphans. Throws
  /// only `cancelled`: an unknown count is part of the answer.
  public func dependents(
    of ids: [RecordID], in resource: ResourceDescription, maximumScan: Int
  ) async throws(BackendError) -> [DependentRecords] {
    try await DependentSearch(client: self, resource: resource, maximumScan: maximumScan).dependents(of: ids)
  }

  /// All records that the server would delete along when records are deleted one after another: those that name them
  /// and, if each deletion removes all orphans, those too. Reads the lists of all resources, each up to so many
  /// records; a resource whose list cannot be read whole, or that is unknown, has an unknown count. Resources without
  /// such records are left out. Throws if the service as a whole does not respond, and `cancelled`.
  public func deletedAlong(
    with ids: [RecordID], in resource: ResourceDescription, maximumScan: Int
  ) async throws(BackendError) -> [DependentRecords] {
    try await DependentSearch(client: self, resource: resource, maximumScan: maximumScan).deletedAlong(with: ids)
  }
}
