package import BackendKit

/// Prints the records of one result in a format, one record after the other. ``RecordText`` drives it.
package protocol RecordPrinter: Sendable {
  /// The number of records that it has to see before it can print the first.
  var sampleSize: Int { get }

  /// Returns the text before the records. Takes the first records, fewer if there are no more; they are added later.
  mutating func begin(_ sample: [Record]) -> String

  /// Appends the next record as UTF-8, in whole lines as a rule.
  mutating func add(_ record: Record, to text: inout [UInt8])

  /// Returns the text that remains to be printed at the end.
  mutating func finish() -> String

  /// Returns the text that remains to be printed if the result was cut short. A document format leaves out its end, so
  /// that no reader mistakes the text for the whole.
  mutating func abandon() -> String

  /// Sentences for standard error about what the output could not show; complete after `finish`.
  var notes: [String] { get }
}

extension RecordPrinter {
  package var sampleSize: Int { 0 }

  package var notes: [String] { [] }

  package mutating func begin(_ sample: [Record]) -> String { "" }

  package mutating func finish() -> String { "" }

  package mutating func abandon() -> String { finish() }
}
