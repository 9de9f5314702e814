import BackendClient
import BackendKit

/// The one place where writes of commands leave the console. Knows no session, so that several rows of a command can be
/// written at once.
struct WriteSender: Sendable {
  private let journal: WriteJournal
  /// Whether the command is planned, and so sends nothing.
  private let isPlanned: Bool

  /// What sends writes of the current command, each with an entry in the journal.
  init(_ target: Target, _ session: Session) {
    journal = session.journaling(target)
    isPlanned = session.execution.plan != nil
  }

  /// Carries a write out that was checked. `record` is what it changes as it was read for the command, and `entry` the one that it
  /// undoes, for the journal. `leaving` is told the number of the write's own entry just before the first request, nil if it has none.
  func send(
    _ write: Write, knowing record: Record? = nil, undoing entry: Int64? = nil,
    leaving: (@Sendable (Int64?) throws(BackendError) -> Void)? = nil
  ) async throws(BackendError) -> WriteReceipt {
    try refusePlanned()
    var journal = journal
    journal.undoes = entry
    return try await journal.perform(write, knowing: record, leaving: leaving)
  }

  /// A command that has a way to write past its plan must not take it.
  private func refusePlanned() throws(BackendError) {
    guard isPlanned else { return }
    throw .unsupported("this command cannot be planned", hint: "nothing was sent")
  }

  /// Sends a request of the operator's own that writes, with these fields in it.
  func send(
    _ request: HTTPRequest, _ fields: Object
  ) async throws(BackendError) -> (answer: HTTPResponse, body: [UInt8]) {
    try refusePlanned()
    return try await journal.send(request, fields)
  }
}
