import BackendKit
import Synchronization

/// Counts and limits the requests of a statement.
final class RequestCounter: Sendable {
  private let own = Mutex(0)
  private let total: RequestCounter?
  private let most: Int

  /// The counter of a whole statement.
  init(most: Int?) {
    self.most = most ?? .max
    total = nil
  }

  /// The counter of one of its tables.
  init(within total: RequestCounter) {
    most = .max
    self.total = total
  }

  var count: Int { own.withLock(\.self) }

  /// True if no more requests may be sent.
  var isUsedUp: Bool { count >= most || total?.isUsedUp == true }

  private func add() {
    own.withLock { $0 += 1 }
    total?.add()
  }

  func check() throws(SQLError) {
    guard isUsedUp else { return }
    let most = total?.most ?? most
    throw SQLError(
      .incomplete, "\(counted(most, "request")) of the statement were used up", hint: "--max-requests permits more")
  }

  /// Counts the attempts of an operation.
  func counting<Success: Sendable>(_ operation: () async throws(BackendError) -> Success) async throws(BackendError)
    -> Success
  {
    let result: Result<Success, BackendError> = await AttemptLog.$current.withValue(AttemptLog { _, _ in self.add() }) {
      do throws(BackendError) { return .success(try await operation()) } catch { return .failure(error) }
    }
    return try result.get()
  }
}
