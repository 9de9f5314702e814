/// What a run of a statement cost.
package struct SQLReport: Sendable, Hashable {
  /// One table of the statement.
  package struct Table: Sendable, Hashable {
    /// The table as `backend.resource`.
    package var name: String
    /// How many requests were sent for it, as calls of the adapter.
    package var requests = 0
    /// How many records were read.
    package var rows = 0
  }

  /// The tables, in the order in which the statement names them.
  package var tables: [Table] = []
  /// How many rows the result has.
  package var shown = 0

  /// How many requests were sent.
  package var requests: Int { tables.reduce(0) { $0 + $1.requests } }
}

/// How a statement is going to be carried out.
package struct SQLPlan: Sendable, Hashable {
  /// One table of a plan. A table that the statement reads in several ways has several.
  package struct Scan: Sendable, Hashable {
    /// The table as `backend.resource`.
    package var table: String
    /// The conditions that the service checks just as SQL does.
    package var exact: [String] = []
    /// The conditions by which the service leaves out some of the records that do not meet them.
    package var superset: [String] = []
    /// The conditions that are checked here alone, as far as SQLite tells them; it checks all others again, too.
    package var local: [String] = []
    /// How the records are found: `list`, `lookup`, `count`, `page`.
    package var strategy: String
    /// The number of requests that is expected, as text: `1`, `1 for each of up to 100 keys, then the list`, `one for each page`.
    package var requests: String
    /// What the service is asked for first, as `explain list` shows it; nil where that depends on other tables.
    package var request: String?
  }

  /// The scans in the order of the join, the outermost first.
  package var scans: [Scan] = []
  /// The steps as SQLite names them, indented by two spaces for each level.
  package var steps: [String] = []
  /// Whether rows are printed while the list is still being read.
  package var streams = false
}
