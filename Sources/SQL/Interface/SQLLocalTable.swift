package import BackendKit

/// A table of a statement that is no resource: the rows of a file, for example.
package struct SQLLocalTable: Sendable {
  /// The name, which the statement has without a backend before it.
  package var name: String
  /// The columns with the kinds of their values.
  package var columns: [(name: String, kind: FieldDescription.Kind)]
  /// The next rows; nil behind the last. Each has a value for each column.
  package var next: @Sendable () async throws(BackendError) -> [[Value]]?

  /// A table.
  package init(
    _ name: String, columns: [(name: String, kind: FieldDescription.Kind)],
    next: @escaping @Sendable () async throws(BackendError) -> [[Value]]?
  ) {
    self.name = name
    self.columns = columns
    self.next = next
  }
}
