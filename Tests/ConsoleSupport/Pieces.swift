import Synchronization

/// A body that is read once, in pieces as a connection gives them.
final class Pieces: Sendable {
  private let rest: Mutex<ArraySlice<UInt8>>

  init(_ bytes: [UInt8]) { rest = Mutex(bytes[...]) }

  /// The next piece; nil at the end.
  func take() -> [UInt8]? {
    rest.withLock { rest in
      guard !rest.isEmpty else { return nil }
      defer { rest = rest.dropFirst(1 << 16) }
      return Array(rest.prefix(1 << 16))
    }
  }
}
