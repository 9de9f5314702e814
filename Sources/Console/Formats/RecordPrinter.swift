import BackendKit

/// What a format makes of the records of one result, one after the other. ``RecordText`` drives it.
protocol RecordPrinter: Sendable {
  /// How many of the first records it has to see before it can print one.
  var sampleSize: Int { get }

  /// What stands before the records. Takes the first of them, fewer where there are no more; they are added afterwards.
  mutating func begin(_ sample: [Record]) -> String

  /// Appends the next record as UTF-8, in whole lines as a rule.
  mutating func add(_ record: Record, to text: inout [UInt8])

  /// What remains to be printed at the end.
  mutating func finish() -> String

  /// What remains to be printed where the result was cut short. A document that has an end is left without it, so that
  /// nobody who reads it takes it for the whole.
  mutating func abandon() -> String

  /// What the output could not show, as sentences for standard error; complete after `finish`.
  var notes: [String] { get }
}

extension RecordPrinter {
  var sampleSize: Int { 0 }

  var notes: [String] { [] }

  mutating func begin(_ sample: [Record]) -> String { "" }

  mutating func finish() -> String { "" }

  mutating func abandon() -> String { finish() }
}
