package import BackendKit

/// A write that a statement asks for.
package struct RecordedWrite: Sendable {
  /// The operation of a write.
  package enum Verb: Sendable {
    /// A new record with these fields.
    case create(Object)
    /// Changes of a record.
    case update(RecordID, [Change])
    /// The end of a record.
    case delete(RecordID)
  }

  /// The backend.
  package var backend: String
  /// The resource, below its owner where it has one.
  package var resource: ResourcePath
  /// The operation.
  package var verb: Verb
  /// The record as it was read, as far as it was; nil for a new one.
  package var before: Record?
}
