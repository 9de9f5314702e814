import BackendClient
import BackendKit

extension Session {
  /// Throws where the backend's configuration lets nothing be written to it.
  func checkWritable(_ target: Target) throws(UsageError) {
    try Restriction.current.checkWriting()
    let configuration = target.backend.configuration
    guard configuration.isReadOnly else { return }
    throw UsageError(
      "\(configuration.name) is read only, as \(configuration.place("readOnly")) says", hint: "nothing was sent")
  }

  /// Asks before a write to a production system; throws where nothing may be written, or where the answer is no.
  func permit(
    _ question: String, _ target: Target, _ invocation: Invocation, refused: String
  ) async throws {
    try checkWritable(target)
    guard target.backend.configuration.isProduction else { return try endRehearsal() }
    try await confirm("\(question) (production)", target, invocation, refused: refused)
  }

  /// Ends the rehearsal of a command of which only the run can tell more.
  func endRehearsal() throws(BackendError) { if let rehearsal { throw rehearsal.stop() } }

  /// Asks before something that cannot be taken back, unless `--yes` was given. Throws where the answer is no, with what
  /// was not done, and where nobody can be asked.
  /// `hasRead` says that requests were sent for the question.
  func confirm(
    _ question: String, _ target: Target, _ invocation: Invocation, refused: String = "nothing was deleted",
    hasRead: Bool = false
  ) async throws {
    if invocation.has("yes") { return try endRehearsal() }
    guard let isYes = await isYes("\(question) at \(target.backend.connection.address)?") else {
      throw UsageError(
        "\(question.prefix(1).lowercased() + question.dropFirst()) needs --yes",
        hint: hasRead ? refused : "nothing was sent")
    }
    guard isYes else { throw CommandFailure(.failure, refused) }
  }
}
