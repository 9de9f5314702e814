package import BackendKit

/// A statement as written, with the values of its parameters.
package struct SQLStatement: Sendable, Hashable {
  /// The text: one statement, with or without a semicolon at its end.
  package var text: String
  /// The values of `$name` by name, without the dollar sign. They are bound and never become part of the text.
  package var parameters: [String: Value]

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
  /// Accepts lists whose end is not proved.
  package var trustsEnd = false
  /// True if an action depends on the absence of records.
  var needsAbsence = false
  /// The folder for temporary files, which are unnamed and hold data that does not fit in memory; nil for the system's.
  package var folder: String?

  package init() {}
}

package struct SQLColumn: Sendable, Hashable {
  package var name: String
  /// The type of the field if it is a column of a table; nil if it is computed.
  package var kind: FieldDescription.Kind?
}
