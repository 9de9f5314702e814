import BackendKit
import Synchronization

/// The order of several writes of one record: each waits for the one before, and learns the identifier that the record got by it.
final class WriteTurn: Sendable {
  private struct State {
    var isOver = false
    var id: RecordID?
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let previous: WriteTurn?
  private let state = Mutex(State())

  /// The turn after another one; nil for the first.
  init(after previous: WriteTurn?) { self.previous = previous }

  /// Waits for the write before. Returns the identifier that the record has got since it was planned, if it has another one.
  func begin() async -> RecordID? {
    guard let previous else { return nil }
    await previous.end()
    return previous.state.withLock(\.id)
  }

  /// Ends the turn, whatever came of the write.
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
