import BackendKit
import ConsoleSetup
import ConsoleSystem
import Synchronization

/// The state of a script's check: whether the rehearsed command would have sent a request, and the effects of earlier
/// ones.
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

  var hasAsked: Bool { state.withLock { $0.hasAsked } }

  /// True if the current backend and resource are known. After a branch that chooses one, only a run knows.
  var knowsCurrent: Bool {
    get { state.withLock { $0.knowsCurrent } }
    set { state.withLock { $0.knowsCurrent = newValue } }
  }

  /// True if an earlier command may have written files that later ones read.
  var writesFiles: Bool {
    get { state.withLock { $0.writesFiles } }
    set { state.withLock { $0.writesFiles = newValue } }
  }

  var makesFolders: Bool {
    get { state.withLock { $0.makesFolders } }
    set { state.withLock { $0.makesFolders = newValue } }
  }

  var readsInput: Bool { state.withLock { $0.readsInput } }

  /// True if an earlier command reads standard input, which can be read only once.
  var inputIsTaken: Bool {
    get { state.withLock { $0.inputIsTaken } }
    set { state.withLock { $0.inputIsTaken = newValue } }
  }

  func begin() {
    state.withLock {
      $0.hasAsked = false
      $0.readsInput = false
    }
  }

  /// The error that ends a command where it would read standard input. Throws if an earlier one has read it.
  func stopAtInput() throws(UsageError) -> BackendError {
    if inputIsTaken { throw StandardInput.isRead }
    state.withLock { $0.readsInput = true }
    return stop()
  }

  /// The error that ends a command where only a run can continue.
  func stop() -> BackendError {
    state.withLock { $0.hasAsked = true }
    return BackendError(.cancelled, "this is a rehearsal", effect: .notSent)
  }
}

/// A connector whose connections end a rehearsed command at its first request.
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
