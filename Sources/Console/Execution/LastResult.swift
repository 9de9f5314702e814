import BackendKit
import ConsoleOutput

/// The records shown last, for `again` and `open` without a request.
struct LastResult: Sendable {
  /// The maximum number of records kept, at a terminal and in a script, which rarely needs them.
  static let limits = (interactive: 5_000, script: 100)

  var records: [Record]
  /// True if these are all records that were shown.
  var isWhole = true
  var fields: [FieldDescription]
  /// The requested fields; nil for those that the records have.
  var columns: [FieldPath]?
  var related: [RelatedMember]
  /// True if the result is a single record by nature.
  var isSingle: Bool
}
