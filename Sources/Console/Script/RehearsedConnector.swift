import BackendKit
import Synchronization

/// Tells whether a rehearsed command came to the point where it would ask a server.
final class Rehearsal: Sendable {
  /// The commands of which only words and options are looked at: those that change files, and those that go on from what
  /// an earlier command has left.
  static let skipped: Set = [
    "next", "prev", "first", "last", "page", "again", "open", "tee", "conformance", "source", "config",
  ]

  private let state = Mutex((hasAsked: false, knowsCurrent: true, writesFiles: false))

  /// Whether the command would have asked.
  var hasAsked: Bool { state.withLock { $0.hasAsked } }

  /// Whether the current backend and resource are known: only a run tells what a branch chooses.
  var knowsCurrent: Bool {
    get { state.withLock { $0.knowsCurrent } }
    set { state.withLock { $0.knowsCurrent = newValue } }
  }

  /// Whether a command before may have made files that later ones read.
  var writesFiles: Bool {
    get { state.withLock { $0.writesFiles } }
    set { state.withLock { $0.writesFiles = newValue } }
  }

  /// Forgets the command before.
  func begin() { state.withLock { $0.hasAsked = false } }

  /// The error that ends a rehearsed command where only the run can know more.
  func stop() -> BackendError {
    state.withLock { $0.hasAsked = true }
    return BackendError(.cancelled, "this is a rehearsal", effect: .notSent)
  }
}

/// Connects to nothing: the first request ends the rehearsal of a command.
struct RehearsedConnector: Connector {
  let rehearsal: Rehearsal

  func connect(_ backend: BackendConfiguration, login: LoginScheme?) throws(BackendError) -> any Connection {
    RehearsedConnection(rehearsal: rehearsal, address: backend.url)
  }
}

private struct RehearsedConnection: Connection, HTTPExchange {
  let rehearsal: Rehearsal
  let address: String

  var exchange: any HTTPExchange { self }
  var activeLogin: ActiveLogin? { nil }

  func send(_ request: HTTPRequest) async throws(BackendError) -> HTTPAnswer { throw rehearsal.stop() }
  func login(user: String, password: String, isForSession: Bool) async throws(BackendError) { throw rehearsal.stop() }
  func logout() async throws(BackendError) { throw rehearsal.stop() }
  func identity() async throws(BackendError) -> Object { throw rehearsal.stop() }
}
