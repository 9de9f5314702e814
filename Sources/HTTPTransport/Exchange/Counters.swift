import Synchronization

/// Bytes that can be taken once.
final class Once: Sendable {
  private let bytes: Mutex<[UInt8]?>

  init(_ bytes: [UInt8]) { self.bytes = Mutex(bytes.isEmpty ? nil : bytes) }

  /// The bytes, or nil once they have been taken.
  func take() -> [UInt8]? {
    bytes.withLock { bytes in
      defer { bytes = nil }
      return bytes
    }
  }
}

/// A sum shared by tasks.
final class Count: Sendable {
  private let sum = Mutex(0)

  func add(_ number: Int) -> Int {
    sum.withLock { sum in
      sum += number
      return sum
    }
  }
}
