internal import Glibc
internal import Synchronization

/// A value that one thread waits for and another provides.
package final class Reply<Value: Sendable>: Sendable {
  private let value = Mutex<Value?>(nil)
  private let semaphore = Semaphore()

  package init() {}

  package func give(_ newValue: Value) {
    value.withLock { $0 = newValue }
    semaphore.signal()
  }

  /// Blocks until the value is available; for one caller.
  package func wait() -> Value {
    while true {
      semaphore.wait()
      if let value = value.withLock({ $0 }) { return value }
    }
  }
}

/// A POSIX semaphore.
///
/// Unchecked: the pointer never changes, and its target is only used through thread-safe calls.
package final class Semaphore: @unchecked Sendable {
  private let semaphore: UnsafeMutablePointer<sem_t>

  package init() {
    semaphore = .allocate(capacity: 1)
    sem_init(semaphore, 0, 0)
  }

  deinit {
    sem_destroy(semaphore)
    semaphore.deallocate()
  }

  package func signal() { sem_post(semaphore) }

  package func wait() {
    // Interrupted by a signal handler: wait again.
    while sem_wait(semaphore) != 0 {}
  }

  /// Waits for a signal; false after the time limit.
  package func wait(milliseconds: Int) -> Bool {
    var deadline = timespec()
    clock_gettime(CLOCK_REALTIME, &deadline)
    let nanoseconds = deadline.tv_nsec + milliseconds * 1_000_000
    deadline.tv_sec += nanoseconds / 1_000_000_000
    deadline.tv_nsec = nanoseconds % 1_000_000_000
    while sem_timedwait(semaphore, &deadline) != 0 {
      if errno != EINTR { return false }
    }
    return true
  }
}
