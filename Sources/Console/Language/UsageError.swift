/// A command that cannot be understood. Nothing was sent; the exit status is 2.
struct UsageError: Error, Hashable, Sendable {
  /// What is wrong and where, as one clause without a full stop.
  var message: String
  /// What to do next, as one clause, or nil.
  var hint: String?

  /// An error.
  init(_ message: String, hint: String? = nil) {
    self.message = message
    self.hint = hint
  }
}
