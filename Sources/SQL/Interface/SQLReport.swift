/// The cost of one run of a statement.
package struct SQLReport: Sendable, Hashable {
  package struct Table: Sendable, Hashable {
    /// The table as `backend.resource`.
    package var name: String
    /// The number of requests sent for the table, as calls of the adapter.
    package var requests = 0
    /// The number of records read.
    package var rows = 0
  }

  /// The tables, in the order in which the statement names them.
  package var tables: [Table] = []
  /// The number of rows in the result.
  package var shown = 0

  /// The number of requests sent for all tables.
  package var requests: Int { tables.reduce(0) { $0 + $1.requests } }
}

package struct SQLPlan: Sendable, Hashable {
  /// One table of a plan. A table that is read in several ways has several.
  package struct Scan: Sendable, Hashable {
    /// The table as `backend.resource`.
    package var table: String
    /// The conditions that the service checks exactly as SQL does.
    package var exact: [String] = []
    /// The conditions with which the service omits some of the records that do not meet them.
    package var superset: [String] = []
    /// The conditions that are only checked locally, as far as SQLite reports them; it also checks all others again.
    package var local: [String] = []
    /// The strategy for finding the records: `list`, `lookup`, `count` or `page`.
    package var strategy: String
    /// The expected number of requests, as text: `1`, `1 for each of up to 100 keys, then the list`, `one for each
    /// page`.
    package var requests: String
    /// The first request to the service, as shown by `explain list`; nil if it depends on other tables.
    package var request: String?
  }

  /// The scans in the order of the join, the outermost first.
  package var scans: [Scan] = []
  /// SQLite's steps, indented by two spaces per level.
  package var steps: [String] = []
  /// True if rows are printed while the list is still being read.
  package var streams = false
}
