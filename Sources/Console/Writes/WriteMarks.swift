import BackendKit

/// The ledger's view of the marks with which a later run of the same command resumes this one.
protocol WriteMarks: Sendable {
  func row(_ name: String) -> any WriteMark
}

protocol WriteMark: Sendable {
  /// Notes that the row is about to be sent, with the number of its journal entry. Throwing keeps it from being sent.
  func leave(_ entry: Int64?) throws(BackendError)
  /// Notes the outcome of a row; does nothing if it was not sent.
  func end(_ result: Result<WriteReceipt, BackendError>)
  func wasDone()
}
