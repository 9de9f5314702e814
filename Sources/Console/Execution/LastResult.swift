import BackendKit
import ConsoleOutput

/// The records that were shown last, to be shown again without asking the server.
struct LastResult: Sendable {
  /// The maximum number of records kept at a terminal, and in a script, which rarely needs them.
  static let limits = (interactive: 5_000, script: 100)

  var records: [Record]
  /// True if these are all that were shown.
  var isWhole = true
  /// The known fields.
  var fields: [FieldDescription]
  /// The fields that were asked for; nil shows what there is.
  var columns: [FieldPath]?
  /// Members that are records which fields refer to.
  var related: [RelatedMember]
  /// True if the result is a single record by nature.
  var isSingle: Bool
}
