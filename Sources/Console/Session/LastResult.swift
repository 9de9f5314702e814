import BackendKit

/// The records that were shown last, to be shown again without asking the server.
struct LastResult: Sendable {
  /// How many records are kept at a terminal, and how many in a script, which rarely asks.
  static let limits = (interactive: 5_000, script: 100)

  var records: [Record]
  /// Whether these are all that were shown.
  var isWhole = true
  /// What is known of the fields.
  var fields: [FieldDescription]
  /// The fields that were asked for; nil shows what there is.
  var columns: [FieldPath]?
  /// Members that are records which fields refer to.
  var related: [RelatedMember]
  /// Whether the result is one record by its nature.
  var isSingle: Bool
}
