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
  /// What became of the rows of bulk commands.
  var rows = BulkTally()
  /// How many expectations were judged, and how many of them hold.
  private(set) var expected = (total: 0, held: 0)
  /// What a report tells of, in the order in which it came about.
  private(set) var points: [Point] = []

  /// The same with each point made into another.
  func mapPoints(_ change: (Point) -> Point) -> RunTally {
    var tally = self
    tally.points = points.map(change)
    return tally
  }

  /// Whether there is to be a report. Without one nothing is kept of what a run has met: it may be of any length.
  var isReported = false

  /// Takes an expectation that was judged.
  mutating func add(_ expectation: Point) {
    expected.total += 1
    if expectation.holds { expected.held += 1 }
    if isReported { points.append(expectation) }
  }

  /// Takes back the last expectation, which did not hold.
  mutating func takeBack() {
    expected.total -= 1
    if isReported { points.removeLast() }
  }

  /// Takes a command that failed, or would have.
  mutating func add(_ message: String, _ statement: Statement) {
    guard isReported else { return }
    points.append(
      Point(
        name: statement.text.isEmpty ? message : statement.text, source: statement.source, line: statement.line,
        complaint: message,
        isExpectation: false))
  }
}
