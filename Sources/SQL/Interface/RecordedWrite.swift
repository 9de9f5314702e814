package import BackendKit

/// A write requested by a statement.
package struct RecordedWrite: Sendable {
  package enum Verb: Sendable {
    /// A new record with these fields.
    case create(Object)
    /// Changes of a record.
    case update(RecordID, [Change])
    /// The deletion of a record.
    case delete(RecordID)
  }

  package var backend: String
  /// The resource, below its owner if it has one.
  package var resource: ResourcePath
  package var verb: Verb
  /// The record as far as it was read; nil for a new one.
  package var before: Record?
}
