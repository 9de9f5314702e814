import ConsoleSystem
import Glibc
import Synchronization

/// The window of the terminal, the pager for longer output, and the way to either.
extension Output {
  /// The width of the terminal in columns, if known.
  public var width: Int? {
    if isCaptured { return capturedWidth }
    var size = winsize()
    guard isTerminal, ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }

  /// The columns and rows of the terminal, if known.
  package var size: (columns: Int, rows: Int)? {
    var size = winsize()
    guard isTerminal, ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
      return nil
    }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  /// Holds output back until it exceeds the window, and then starts a pager. ``endPage()`` ends that.
  package func beginPage(_ pager: Pager) {
    guard let size, state.withLock({ $0.page == nil }) else { return }
    flush()
    state.withLock { $0.page = PagedOutput(pager, columns: size.columns, rows: size.rows) }
  }

  /// Shows the output that was held back, or waits until the pager ends.
  public func endPage() {
    settle()
    // The lock is not held while the user reads.
    let stage = state.withLock { state in
      if case .running? = state.page?.stage { drain(&state) }
      defer { state.page = nil }
      return state.page?.stage
    }
    switch stage {
    case .running(let run)?, .left(let run)?: run.finish()
    case .holding?, nil: flush()
    }
  }

  /// True if a pager controls the terminal.
  public var isPaged: Bool {
    state.withLock { state in
      switch state.page?.stage {
      case .running?, .left?: true
      case .holding?, nil: false
      }
    }
  }

  /// True if further output has no reader: nothing can be written, or the user has quit the pager.
  package var isUnread: Bool {
    state.withLock { state in
      if case .left? = state.page?.stage { return true }
      return state.failure != nil
    }
  }

  /// Starts the pager once the text does not fit; without a pager the text goes to the terminal.
  func page(_ text: String, _ state: inout State) {
    guard case .holding? = state.page?.stage, state.page?.overflows(text) == true else { return }
    state.beforeShowing?()
    if state.page?.begin() != true { state.page = nil }
    drain(&state)
  }

  /// The time for a reader to accept data after the process was asked to end, in milliseconds.
  private static let patience: Int32 = 1000
  /// The number of bytes that a pipe accepts atomically.
  private static let atomicWrite = 4096

  /// Writes the buffer, to the pager if that has the terminal.
  func drain(_ state: inout State) {
    if isCaptured {
      if state.buffer.count >= mostCaptured { state.failure = EPIPE }
      return
    }
    if !state.buffer.isEmpty { state.beforeShowing?() }
    var descriptor = descriptor
    switch state.page?.stage {
    case .holding?: return
    case .running(let run)?: descriptor = run.input
    case .left?: state.buffer.removeAll(keepingCapacity: true)
    case nil: break
    }
    var start = 0
    while start < state.buffer.count, state.failure == nil {
      var count = state.buffer.count - start
      if Interruption.endingSignal != nil {
        // A stalled reader must not delay the end of the process. A pipe that accepts anything accepts this many bytes.
        count = min(count, Self.atomicWrite)
        var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        if poll(&request, 1, Self.patience) == 0 {
          state.failure = EINTR
          break
        }
      }
      let written = state.buffer.withUnsafeBytes { bytes in
        Glibc.write(descriptor, bytes.baseAddress.map { $0 + start }, count)
      }
      if written > 0 {
        start += written
      } else if errno == EAGAIN {
        // Another process has made the descriptor non-blocking, so the wait is here.
        var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        poll(&request, 1, -1)
      } else if errno != EINTR {
        if state.page != nil {
          // The user has quit the pager.
          state.page?.leave()
          break
        }
        state.failure = errno
      }
    }
    state.buffer.removeAll(keepingCapacity: true)
    state.isAwaited = false
  }
}
