import BackendClient
import BackendKit

/// The one place where writes of commands leave the console. Knows no session, so that several rows of a command can be
/// written at once.
struct WriteSender: Sendable {
  private let client: Client

  init(_ target: Target) { client = target.client }

  /// Carries a write out that was checked.
  func send(_ write: Write) async throws(BackendError) -> WriteReceipt { try await client.perform(write) }
}
