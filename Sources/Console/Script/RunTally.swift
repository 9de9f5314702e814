import BackendKit
import CommandLanguage

struct RunTally: Sendable {
  /// An item of a report: an evaluated expectation, or a failed command.
  struct Point: Sendable {
    var name: String
    var source: String?
    var line: Int
    /// The verdict; nil if it could not be evaluated, for the reason in `complaint`.
    var verdict: Verdict?
    var complaint: String?
    /// The time in milliseconds, including requests.
    var milliseconds = 0.0
    var isExpectation = true

    var holds: Bool { verdict?.holds ?? false }
  }

  var done = 0
  var failed = 0
  /// The number of failures that a script expected, or that occurred within a `try`.
  var handled = 0
  /// The number of statements not reached because an earlier one failed.
  var skipped = 0
  var rows = BulkTally()
  /// The number of expectations evaluated, and of those that hold.
  private(set) var expected = (total: 0, held: 0)
  private(set) var points: [Point] = []

  func mapPoints(_ change: (Point) -> Point) -> RunTally {
    var tally = self
    tally.points = points.map(change)
    return tally
  }

  /// True if a report is requested. Otherwise no items are kept, since the run may be of any length.
  var isReported = false

  mutating func add(_ expectation: Point) {
    expected.total += 1
    if expectation.holds { expected.held += 1 }
    if isReported { points.append(expectation) }
  }

  /// Removes the last expectation, which did not hold.
  mutating func takeBack() {
    expected.total -= 1
    if isReported { points.removeLast() }
  }

  mutating func add(_ message: String, _ statement: Statement) {
    guard isReported else { return }
    points.append(
      Point(
        name: statement.text.isEmpty ? message : statement.text, source: statement.source, line: statement.line,
        complaint: message,
        isExpectation: false))
  }

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

  var object: Object {
    let held: Value = ["total": .int(expected.total), "held": .int(expected.held)]
    return Object(facts: [
      ("done", done), ("failed", failed), ("handled", handled), ("skipped", skipped), ("expectations", held),
      ("rows", rows.isEmpty ? nil : Object(facts: [], rows.members)),
    ])
  }
}
