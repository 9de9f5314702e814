import Glibc
import Synchronization

/// The window of the terminal, and the pager for longer output.
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
}
