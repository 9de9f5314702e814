internal import Glibc

/// The way a process ended.
public enum ExitStatus: Sendable, Equatable {
  /// It returned or called exit.
  case exited(Int32)
  /// A signal ended it.
  case signaled(Int32)

  init(_ status: Int32) {
    let signal = status & 0x7F
    self = signal == 0 ? .exited((status >> 8) & 0xFF) : .signaled(signal)
  }
}
