import Synchronization

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
