import Glibc
import Synchronization

/// A thread of its own for SQLite, which computes for long and waits for services: neither may hold up the threads of tasks.
enum SQLThread {
  private final class Start: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  /// Runs a body on a new thread, and meanwhile what it has done by tasks. A cancelled task stops it.
  static func run<Success: Sendable>(
    _ errands: Errands, _ body: @escaping @Sendable () -> Result<Success, SQLError>
  ) async throws(SQLError) -> Success {
    let box = Outcome<Success>()
    guard
      start({
        box.value.withLock { $0 = body() }
        errands.close()
      })
    else { throw SQLError(.limit, "cannot create a thread for SQLite") }
    await withTaskCancellationHandler {
      await errands.serve()
    } onCancel: {
      errands.stop(SQLError(.cancelled, "interrupted"))
    }
    guard let outcome = box.value.withLock({ $0 }) else { throw SQLError(.cancelled, "interrupted") }
    return try outcome.get()
  }

  private final class Outcome<Success: Sendable>: Sendable {
    let value = Mutex<Result<Success, SQLError>?>(nil)
  }

  private static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
    var thread = pthread_t()
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    // Expressions that are nested deeply are read by recursion.
    pthread_attr_setstacksize(&attributes, 16 << 20)
    let box = Unmanaged.passRetained(Start(body))
    let code = pthread_create(
      &thread, &attributes,
      { argument in
        if let argument { Unmanaged<Start>.fromOpaque(argument).takeRetainedValue().body() }
        return nil
      }, box.toOpaque())
    if code != 0 { box.release() }
    return code == 0
  }
}

/// A value that a thread waits for and a task gives.
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
final class Semaphore: @unchecked Sendable {
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
