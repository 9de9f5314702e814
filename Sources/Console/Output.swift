import Glibc
import Synchronization

/// Where results go: a file descriptor with a buffer, written out at the end of each command.
///
/// A reader that goes away is remembered and ends the run quietly.
public final class Output: Sendable {
  private struct State {
    var buffer: [UInt8] = []
    var isBroken = false
  }

  private let descriptor: Int32
  private let state = Mutex(State())

  /// Output to a descriptor, which stays open.
  public init(descriptor: Int32) { self.descriptor = descriptor }

  /// Whether the descriptor is a terminal.
  public var isTerminal: Bool { isatty(descriptor) == 1 }

  /// The columns of the terminal, or nil where it is none or does not tell.
  public var width: Int? {
    var size = winsize()
    guard isTerminal, ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }

  /// Whether whoever read the output went away.
  public var isBroken: Bool { state.withLock { $0.isBroken } }

  /// Appends text; it reaches the descriptor with the next `flush` or when the buffer is full.
  public func write(_ text: String) {
    state.withLock { state in
      state.buffer.append(contentsOf: text.utf8)
      if state.buffer.count >= 1 << 16 { drain(&state) }
    }
  }

  /// Writes out what is in the buffer.
  public func flush() { state.withLock { drain(&$0) } }

  private func drain(_ state: inout State) {
    var start = 0
    while start < state.buffer.count, !state.isBroken {
      let written = state.buffer.withUnsafeBytes { bytes in
        Glibc.write(descriptor, bytes.baseAddress.map { $0 + start }, bytes.count - start)
      }
      if written > 0 {
        start += written
      } else if errno != EINTR && errno != EAGAIN {
        state.isBroken = true
      }
    }
    state.buffer.removeAll(keepingCapacity: true)
  }
}
