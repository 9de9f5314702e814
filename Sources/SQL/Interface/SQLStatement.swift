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

/// What a statement may cost, and what it takes for whole.
package struct SQLLimits: Sendable {
  /// How many records may be read of each table.
  package var maxScan = 1_000_000
  /// How many requests may be sent; nil for any number.
  package var maxRequests: Int?
  /// How long it may take; nil for as long as it takes.
  package var timeout: Duration?
  /// Accepts the end of a list that is not proved.
  package var trustsEnd = false
  /// The folder for temporary files; nil for the system's. What does not fit in memory waits there, in files without a name.
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
