package import BackendKit

/// A table of a statement that is not a resource, for example the rows of a file.
package struct SQLLocalTable: Sendable {
  /// The name, used without a backend.
  package var name: String
  /// The columns with the types of their values.
  package var columns: [(name: String, kind: FieldDescription.Kind)]
  /// The next rows; nil at the end. Each has a value for each column.
  package var next: @Sendable () async throws(BackendError) -> [[Value]]?

  package init(
    _ name: String, columns: [(name: String, kind: FieldDescription.Kind)],
    next: @escaping @Sendable () async throws(BackendError) -> [[Value]]?
  ) {
    self.name = name
    self.columns = columns
    self.next = next
  }
}
