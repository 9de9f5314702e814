internal import Glibc
internal import Synchronization

/// A value that one thread waits for and another gives.
final class Reply<Value: Sendable>: Sendable {
  private let value = Mutex<Value?>(nil)
  private let semaphore = Semaphore()

  func give(_ newValue: Value) {
    value.withLock { $0 = newValue }
    semaphore.signal()
  }

  /// Blocks until the value is there; for one caller.
  func wait() -> Value {
    while true {
      semaphore.wait()
      if let value = value.withLock({ $0 }) { return value }
    }
  }
}

/// A POSIX semaphore.
///
/// Unchecked: the pointer never changes, and what it points to is only used through calls made for several threads.
private final class Semaphore: @unchecked Sendable {
  private let semaphore: UnsafeMutablePointer<sem_t>

  init() {
    semaphore = .allocate(capacity: 1)
    sem_init(semaphore, 0, 0)
  }

  deinit {
    sem_destroy(semaphore)
    semaphore.deallocate()
  }

  func signal() { sem_post(semaphore) }

  func wait() {
    // Interrupted by a signal handler: wait on.
    while sem_wait(semaphore) != 0 {}
  }
}
