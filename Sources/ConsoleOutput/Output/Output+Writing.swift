import ConsoleSystem
import Glibc

extension Output {
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
