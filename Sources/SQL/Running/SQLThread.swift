import Glibc
import Synchronization

/// A thread for SQLite, which computes for long and waits for services, and must not block the threads of tasks.
enum SQLThread {
  private final class Start: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  /// Runs a body on a new thread, and meanwhile the work that it passes to tasks. A cancelled task stops it.
  static func run<Success: Sendable>(
    _ errands: Errands, _ body: @escaping @Sendable () -> Result<Success, SQLError>
  ) async throws(SQLError) -> Success {
    let box = Outcome<Success>()
    guard
      start({
        let outcome = body()
        box.value.withLock { $0 = outcome }
        errands.close()
      })
    else { throw SQLError(.limit, "cannot create a thread for SQLite") }
    await withTaskCancellationHandler {
      await errands.serve()
    } onCancel: {
      errands.stop(SQLError(.cancelled, "interrupted"))
    }
    guard let outcome = box.value.withLock({ $0 }) else {
      try errands.check()
      throw SQLError(.cancelled, "interrupted")
    }
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
    // Deeply nested expressions are parsed recursively.
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
