/// One command of a script: a logical line that is neither blank nor a comment.
struct Statement: Hashable, Sendable {
  /// The text, without line end.
  var text: String
  /// The number of the line in which it begins, from 1.
  var line: Int
}

/// A line of a script that cannot be read.
struct StatementError: Error, Hashable, Sendable {
  /// What is wrong, as one clause without a full stop.
  var message: String
  /// The number of the line, from 1.
  var line: Int
}
