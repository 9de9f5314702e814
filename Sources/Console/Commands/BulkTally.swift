import BackendKit

/// What became of the rows of a bulk command.
struct BulkTally: Sendable {
  /// How many were done, those that ended with an error all the same among them.
  private(set) var done = 0
  /// How many of those done ended with an error: the write was made, and something after it failed.
  private(set) var doneWithError = 0
  /// How many were not done.
  private(set) var failed = 0
  /// How many writes may or may not have been made.
  private(set) var unknown = 0

  /// How many rows were reported as errors.
  var errors: Int { doneWithError + failed + unknown }

  /// Counts a row that was done.
  mutating func add() { done += 1 }

  /// Counts a row that ended with an error.
  mutating func add(_ failure: CommandFailure) {
    switch failure.error?.effect {
    case .applied?:
      done += 1
      doneWithError += 1
    case .unknown?: unknown += 1
    case .notSent?, .rejected?, nil: failed += 1
    }
  }

  /// What the rows left of the data: the least certain effect of an error among them, `applied` where there was none.
  var effect: BackendError.Effect { unknown > 0 ? .unknown : done > 0 ? .applied : .rejected }

  /// The counts in words, for example `12 done, 3 failed, 2 unknown`.
  var words: String {
    var words = "\(done) done"
    if doneWithError > 0 { words += " (\(doneWithError) of them with an error)" }
    if failed > 0 { words += ", \(failed) failed" }
    if unknown > 0 { words += ", \(unknown) unknown" }
    return words
  }

  /// The counts for programs.
  var members: [(String, Value?)] {
    [("done", .int(done)), ("failed", .int(failed)), ("unknown", .int(unknown))]
  }
}
