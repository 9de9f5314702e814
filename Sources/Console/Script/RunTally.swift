/// What a run has done so far.
struct RunTally: Sendable {
  /// What a report tells of: an expectation that was judged, or a command that failed.
  struct Point: Sendable {
    /// The statement.
    var name: String
    /// Where it stands.
    var source: String?
    var line: Int
    /// What came of it; nil where it could not be judged, with the reason in `complaint`.
    var verdict: Verdict?
    /// Why it could not be judged.
    var complaint: String?
    /// How long it took, in milliseconds, with what it asked for.
    var milliseconds = 0.0
    /// Whether it is an expectation.
    var isExpectation = true

    /// Whether it holds.
    var holds: Bool { verdict?.holds ?? false }
  }

  /// How many commands did what they were asked.
  var done = 0
  /// How many failed.
  var failed = 0
  /// How many failed as a script expected, or within a `try`.
  var handled = 0
  /// How many statements were not reached, because one before them failed.
  var skipped = 0
  /// What a report tells of, in the order in which it came about.
  var points: [Point] = []

  /// What was expected, in the order in which it was judged.
  var expectations: [Point] { points.filter(\.isExpectation) }

  /// Takes a command that failed, or would have.
  mutating func add(_ message: String, _ statement: Statement) {
    points.append(
      Point(
        name: statement.text.isEmpty ? message : statement.text, source: statement.source, line: statement.line,
        complaint: message,
        isExpectation: false))
  }
}
