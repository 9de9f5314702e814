import Synchronization

extension Mutex<Int> {
  /// Counts up; the next number, from 1.
  borrowing func next() -> Int {
    withLock { count in
      count += 1
      return count
    }
  }
}
