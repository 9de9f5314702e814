import Synchronization

extension Mutex<Int> {
  /// Increments the count and returns it.
  borrowing func next() -> Int {
    withLock { count in
      count += 1
      return count
    }
  }
}
