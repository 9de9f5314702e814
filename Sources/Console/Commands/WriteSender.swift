import BackendClient
import BackendKit

/// The one place where writes of commands leave the console. Knows no session, so that several rows of a command can be
/// written at once.
struct WriteSender: Sendable {
  private let journal: WriteJournal

  /// What sends writes of the current command, each with an entry in the journal. `entry` is the one that they undo.
  init(_ target: Target, _ session: Session, undoing entry: Int64? = nil) {
    journal = session.journaling(target, undoing: entry)
  }

  /// Carries a write out that was checked.
  func send(_ write: Write) async throws(BackendError) -> WriteReceipt { try await journal.perform(write) }

  /// Sends a request of the operator's own that writes, with these fields in it.
  func send(
    _ request: HTTPRequest, _ fields: Object
  ) async throws(BackendError) -> (answer: HTTPResponse, body: [UInt8]) {
    try await journal.send(request, fields)
  }
}
