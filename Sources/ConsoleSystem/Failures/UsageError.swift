/// A command that cannot be understood. Nothing was sent; the exit status is 2.
package struct UsageError: Error, Hashable, Sendable {
  /// The problem and its place, as one clause without a full stop.
  package var message: String
  /// The next step for the user, as one clause.
  package var hint: String?
  /// The column in its line: 1-based, in characters; nil if the error concerns the command as a whole.
  package var column: Int?
  /// The field of a row that caused it.
  package var field: String?

  package init(_ message: String, hint: String? = nil, column: Int? = nil) {
    self.message = message
    self.hint = hint
    self.column = column
  }

  /// The error on one line, with the next step in parentheses.
  package var sentence: String { message + (hint.map { " (\($0))" } ?? "") }

  /// The same error with a place, unless it has one.
  package func at(_ column: Int) -> UsageError {
    var error = self
    error.column = self.column ?? column
    return error
  }
}

extension UsageError {
  /// Returns whether two errors have the same text, regardless of their columns.
  package static func == (left: UsageError, right: UsageError) -> Bool {
    left.message == right.message && left.hint == right.hint
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(message)
    hasher.combine(hint)
  }
}
