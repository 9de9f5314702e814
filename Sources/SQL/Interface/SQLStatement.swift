package import BackendKit

/// A statement as it was written, with the values of its parameters.
package struct SQLStatement: Sendable, Hashable {
  /// The text: one statement, with or without a semicolon at its end.
  package var text: String
  /// The values of `$name` by name, without the dollar sign. They are bound and never become part of the text.
  package var parameters: [String: Value]

  /// A statement.
  package init(_ text: String, parameters: [String: Value] = [:]) {
    self.text = text
    self.parameters = parameters
  }
}

/// The limits on the cost of a statement, and on the lists that it accepts as complete.
package struct SQLLimits: Sendable {
  /// The maximum number of records read from each table.
  package var maxScan = 1_000_000
  /// The maximum number of requests; nil for no limit.
  package var maxRequests: Int?
  /// The maximum duration of a run; nil for no limit.
  package var timeout: Duration?
  /// Accepts the end of a list that is not proved.
  package var trustsEnd = false
  /// True if what is done depends on records that are not there.
  var needsAbsence = false
  /// The folder for temporary files; nil for the system's. Data that does not fit in memory waits there, in unnamed
  /// files.
  package var folder: String?

  /// The limits that a statement has where nobody says.
  package init() {}
}

/// A column of a result.
package struct SQLColumn: Sendable, Hashable {
  /// The name.
  package var name: String
  /// The kind of the field where it is one column of a table; nil for anything that was computed.
  package var kind: FieldDescription.Kind?
}
