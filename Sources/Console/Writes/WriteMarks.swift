import BackendKit

/// Marks of the rows that a run sends, from which a later run of the same command goes on: a view of the ledger.
protocol WriteMarks: Sendable {
  /// The mark of a row that is about to be sent.
  func row(_ name: String) -> any WriteMark
}

/// The mark of one row.
protocol WriteMark: Sendable {
  /// Notes that the row is about to leave, with the number of its entry in the journal; what it throws keeps the row from being sent.
  func leave(_ entry: Int64?) throws(BackendError)
  /// Notes the outcome of a row; nothing if it has not left.
  func end(_ result: Result<WriteReceipt, BackendError>)
  /// Notes that an earlier run has done it.
  func wasDone()
}
