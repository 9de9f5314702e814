import BackendKit
import ConsoleSetup
import ConsoleSystem
import Synchronization

/// Tells whether a rehearsed command came to the point where it would ask a server.
final class Rehearsal: Sendable {
  private struct State {
    var hasAsked = false
    var knowsCurrent = true
    var writesFiles = false
    var makesFolders = false
    var readsInput = false
    var inputIsTaken = false
  }

  private let state = Mutex(State())

  /// True if the command would have sent a request.
  var hasAsked: Bool { state.withLock { $0.hasAsked } }

  /// True if the current backend and resource are known: only a run decides what a branch chooses.
  var knowsCurrent: Bool {
    get { state.withLock { $0.knowsCurrent } }
    set { state.withLock { $0.knowsCurrent = newValue } }
  }

  /// True if an earlier command may have written files that later ones read.
  var writesFiles: Bool {
    get { state.withLock { $0.writesFiles } }
    set { state.withLock { $0.writesFiles = newValue } }
  }

  /// True if an earlier command may have created folders.
  var makesFolders: Bool {
    get { state.withLock { $0.makesFolders } }
    set { state.withLock { $0.makesFolders = newValue } }
  }

  /// True if the command would have read standard input.
  var readsInput: Bool { state.withLock { $0.readsInput } }

  /// True if an earlier command reads standard input, which can be read only once.
  var inputIsTaken: Bool {
    get { state.withLock { $0.inputIsTaken } }
    set { state.withLock { $0.inputIsTaken = newValue } }
  }

  /// Forgets the command before.
  func begin() {
    state.withLock {
      $0.hasAsked = false
      $0.readsInput = false
    }
  }

  /// The error that ends a rehearsed command where it would read standard input. Throws where nothing would be left of it.
  func stopAtInput() throws(UsageError) -> BackendError {
    if inputIsTaken { throw StandardInput.isRead }
    state.withLock { $0.readsInput = true }
    return stop()
  }

  /// The error that ends a rehearsed command where only the run can know more.
  func stop() -> BackendError {
    state.withLock { $0.hasAsked = true }
    return BackendError(.cancelled, "this is a rehearsal", effect: .notSent)
  }
}

/// Connects to nothing: the first request ends the rehearsal of a command.
struct CheckConnector: Connector {
  let rehearsal: Rehearsal

  func connect(_ backend: BackendConfiguration, login: LoginScheme?) throws(BackendError) -> any Connection {
    RehearsedConnection(rehearsal: rehearsal, address: backend.url)
  }
}

private struct RehearsedConnection: Connection {
  let rehearsal: Rehearsal
  let address: String

  var activeLogin: ActiveLogin? { nil }

  func send(_ request: HTTPRequest) async throws(BackendError) -> HTTPResponse { throw rehearsal.stop() }
  func perform(_ operation: SessionOperation) async throws(BackendError) -> Object { throw rehearsal.stop() }
}
