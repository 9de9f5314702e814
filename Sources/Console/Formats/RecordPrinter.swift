import BackendKit

/// Prints the records of one result as they come. A printer is used for one result only.
protocol RecordPrinter: Sendable {
  /// What can be printed now that these records have come, whole lines as a rule; may be empty.
  mutating func add(_ records: [Record]) -> String

  /// What remains to be printed at the end.
  mutating func finish() -> String

  /// What remains to be printed where the result was cut short. A document that has an end is left without it, so that
  /// nobody who reads it takes it for the whole.
  mutating func abandon() -> String

  /// What the output could not show, as sentences for standard error; complete after `finish`.
  var notes: [String] { get }
}

extension RecordPrinter {
  var notes: [String] { [] }

  mutating func abandon() -> String { finish() }
}
