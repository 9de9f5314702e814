import BackendKit
import CommandLanguage

/// The results of a run so far.
struct RunTally: Sendable {
  /// An item of a report: an expectation that was judged, or a command that failed.
  struct Point: Sendable {
    /// The statement.
    var name: String
    /// The file of the statement.
    var source: String?
    var line: Int
    /// The verdict; nil if it could not be judged, with the reason in `complaint`.
    var verdict: Verdict?
    /// The reason why it could not be judged.
    var complaint: String?
    /// The time it took, including its requests, in milliseconds.
    var milliseconds = 0.0
    /// True if it is an expectation.
    var isExpectation = true

    /// True if it holds.
    var holds: Bool { verdict?.holds ?? false }
  }

  /// The number of commands that succeeded.
  var done = 0
  /// The number of commands that failed.
  var failed = 0
  /// The number of failures that a script expected, or that occurred within a `try`.
  var handled = 0
  /// The number of statements not reached because an earlier one failed.
  var skipped = 0
  /// The outcomes of the rows of bulk commands.
  var rows = BulkTally()
  /// The number of expectations judged, and of those that hold.
  private(set) var expected = (total: 0, held: 0)
  /// The items of a report, in the order in which they occurred.
  private(set) var points: [Point] = []

  /// The same with each point made into another.
  func mapPoints(_ change: (Point) -> Point) -> RunTally {
    var tally = self
    tally.points = points.map(change)
    return tally
  }

  /// True if a report is to be written. Otherwise no items are kept: the run may be of any length.
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

  /// A summary in words.
  var words: String {
    var parts = ["\(done) done"]
    if failed > 0 { parts.append("\(failed) failed") }
    if handled > 0 { parts.append("\(handled) failed as expected or within try") }
    if skipped > 0 { parts.append("\(skipped) not run") }
    var text = parts.joined(separator: ", ")
    if expected.total > 0 { text += "; \(expected.held) of \(expected.total) expectations hold" }
    if !rows.isEmpty {
      text += "; rows: \(rows.words(""))" + (rows.untried > 0 ? ", \(rows.untried) not tried" : "")
    }
    return text
  }

  /// A summary for programs.
  var object: Object {
    let held: Value = ["total": .int(expected.total), "held": .int(expected.held)]
    return Object(facts: [
      ("done", done), ("failed", failed), ("handled", handled), ("skipped", skipped), ("expectations", held),
      ("rows", rows.isEmpty ? nil : Object(facts: [], rows.members)),
    ])
  }
}
