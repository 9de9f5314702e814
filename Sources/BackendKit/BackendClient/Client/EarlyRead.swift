import Synchronization

/// A read that is sent before it is asked for. Observers of requests are notified when it is.
public final class EarlyRead: Sendable {
  private struct State {
    var isTaken = false
    var note: (@Sendable () -> Void)?
  }

  /// The early read that the current task runs for; nil if it runs in its turn.
  @TaskLocal public static var current: EarlyRead?

  private let state = Mutex(State())

  init() {}

  /// Calls `note`, which reports the last request of the read: immediately if its turn has come, otherwise then.
  public func note(_ note: @escaping @Sendable () -> Void) {
    let isTaken = state.withLock { state in
      if !state.isTaken { state.note = note }
      return state.isTaken
    }
    if isTaken { note() }
  }

  func take() {
    let note = state.withLock { state in
      state.isTaken = true
      return state.note.take()
    }
    note?()
  }
}
