/// A command that cannot be understood. Nothing was sent; the exit status is 2.
struct UsageError: Error, Hashable, Sendable {
  /// What is wrong and where, as one clause without a full stop.
  var message: String
  /// What to do next, as one clause, or nil.
  var hint: String?
  /// Where in its line: 1-based, in characters; nil where the command as a whole is meant.
  var column: Int?
  /// The field of a row that is meant.
  var field: String?

  /// An error.
  init(_ message: String, hint: String? = nil, column: Int? = nil) {
    self.message = message
    self.hint = hint
    self.column = column
  }

  /// The same error with a place, where it has none.
  func at(_ column: Int) -> UsageError {
    var error = self
    error.column = self.column ?? column
    return error
  }
}

extension UsageError {
  /// Whether two errors say the same, wherever they are.
  static func == (left: UsageError, right: UsageError) -> Bool {
    left.message == right.message && left.hint == right.hint
  }

  /// Hashes what is said.
  func hash(into hasher: inout Hasher) {
    hasher.combine(message)
    hasher.combine(hint)
  }
}
