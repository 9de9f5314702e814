/// What a run has done so far.
struct RunTally: Sendable {
  /// An expectation that was judged.
  struct Expectation: Sendable {
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
  /// Why the run ended before its end, where no expectation tells.
  var ending: String?
  /// What was expected, in the order in which it was judged.
  var expectations: [Expectation] = []
}
