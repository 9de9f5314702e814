import BackendClient
import BackendKit
import ConsoleSetup
import SQL
import Synchronization

/// The backends and resources of a session as tables of a statement.
final class BackendTables: SQLCatalog {
  // Safe: the command's task prepares the statement, and waits meanwhile.
  private nonisolated(unsafe) let targets: Targets
  /// True if servers may be asked for their descriptions.
  private let asks: Bool
  private let failed = Mutex<(any Error)?>(nil)

  init(_ targets: Targets, asks: Bool) {
    self.targets = targets
    self.asks = asks
  }

  var failure: (any Error)? { failed.withLock(\.self) }

  func client(of backend: String) async throws(BackendError) -> Client? {
    guard let name = targets.configuration(of: backend)?.name ?? targets.adHocBackend(backend) else { return nil }
    do {
      let opened = try targets.open(name)
      targets.work(on: opened)
      return opened.client
    } catch {
      failed.withLock { $0 = $0 ?? error }
      throw BackendError(.misconfigured, "\(error)", effect: .notSent, backend: name)
    }
  }

  func resource(_ name: String, of client: Client) async throws(BackendError) -> SQLResource? {
    if let found = try await resource(name, of: client, asking: asks) { return found }
    guard !asks, let rehearsal = targets.rehearsal, try await client.describe(.known).isOpen else { return nil }
    // Only the server knows whether it exists.
    throw rehearsal.stop()
  }
}
