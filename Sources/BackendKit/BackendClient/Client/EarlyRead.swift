import Synchronization

/// A read that is sent before its turn. Whoever follows the requests learns of it when its turn has come.
public final class EarlyRead: Sendable {
  private struct State {
    var isTaken = false
    var note: (@Sendable () -> Void)?
  }

  /// The read that the current task is sent for; nil if that is in its turn.
  @TaskLocal public static var current: EarlyRead?

  private let state = Mutex(State())

  init() {}

  /// Notes something of the last request of the read: at once if its turn has come, otherwise then.
  public func note(_ note: @escaping @Sendable () -> Void) {
    let isTaken = state.withLock { state in
      if !state.isTaken { state.note = note }
      return state.isTaken
    }
    if isTaken { note() }
  }

  /// Says that the turn of the read has come.
  func take() {
    let note = state.withLock { state in
      state.isTaken = true
      return state.note.take()
    }
    note?()
  }
}
