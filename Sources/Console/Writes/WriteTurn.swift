import BackendKit
import Synchronization

/// The order of writes of one record: each waits for its predecessor, and gets the identifier that the record got by
/// it.
final class WriteTurn: Sendable {
  private struct State {
    var isOver = false
    var id: RecordID?
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let previous: WriteTurn?
  private let state = Mutex(State())

  /// Creates a turn after another one; nil for the first.
  init(after previous: WriteTurn?) { self.previous = previous }

  /// Waits for the previous write. Returns the record's new identifier, if it has changed since it was planned.
  func begin() async -> RecordID? {
    guard let previous else { return nil }
    await previous.end()
    return previous.state.withLock(\.id)
  }

  func end(with id: RecordID?) {
    let waiting = state.withLock { state in
      state.isOver = true
      state.id = id
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }

  private func end() async {
    await withCheckedContinuation { continuation in
      let isOver = state.withLock { state in
        if !state.isOver { state.waiting.append(continuation) }
        return state.isOver
      }
      if isOver { continuation.resume() }
    }
  }
}
