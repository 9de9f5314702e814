import Glibc
import Synchronization

/// The window of the terminal, and the pager for what is higher than it.
extension Output {
  /// The columns of the terminal, or nil where it is none or does not tell.
  public var width: Int? {
    if isCaptured { return capturedWidth }
    var size = winsize()
    guard isTerminal, ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }

  /// The columns and rows of the terminal, or nil where it is none or does not tell.
  package var size: (columns: Int, rows: Int)? {
    var size = winsize()
    guard isTerminal, ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
      return nil
    }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  /// Holds back what is written until it does not fit the window: then a pager shows it. ``endPage()`` ends that.
  package func beginPage(_ pager: Pager) {
    guard let size, state.withLock({ $0.page == nil }) else { return }
    flush()
    state.withLock { $0.page = PagedOutput(pager, columns: size.columns, rows: size.rows) }
  }

  /// Shows what was held back, or waits until the pager is left.
  public func endPage() {
    settle()
    // The lock is not held while somebody reads.
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

  /// Starts the pager once the text does not fit; without a pager the text goes on to the terminal.
  func page(_ text: String, _ state: inout State) {
    guard case .holding? = state.page?.stage, state.page?.overflows(text) == true else { return }
    state.beforeShowing?()
    if state.page?.begin() != true { state.page = nil }
    drain(&state)
  }
}
