import Glibc
import Synchronization

/// Runs the console's task on the main thread, so that a command that needs no network needs no other thread.
final class MainLoop: TaskExecutor {
  private struct State {
    var jobs: [UnownedJob] = []
    var isDone = false
    var result: Int32 = 0
  }

  private let state = Mutex(State())
  private let wakeUp: (reading: Int32, writing: Int32)
  private let owner = pthread_self()

  /// A loop for the calling thread, or nil where the system has no descriptors left.
  init?() {
    guard let pipe = ClosedOnExec.pipe() else { return nil }
    wakeUp = pipe
  }

  /// Puts a job into the queue, from whatever thread.
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    state.withLock { $0.jobs.append(job) }
    // A job that was put in by the loop's own thread is found before the loop waits.
    if pthread_equal(owner, pthread_self()) == 0 { signal() }
  }

  /// Runs a body to its end and returns what it returns. `onInterrupt` is called for each SIGINT.
  func run(onInterrupt: () -> Void, _ body: @escaping @Sendable () async -> Int32) -> Int32 {
    Interrupts.watch(wakeUp.writing)
    Task(executorPreference: self) {
      let result = await body()
      self.state.withLock { state in
        state.result = result
        state.isDone = true
      }
      self.signal()
    }
    var batch: [UnownedJob] = []
    while true {
      if Interrupts.take() { onInterrupt() }
      let end: Int32? = state.withLock { state in
        swap(&batch, &state.jobs)
        return state.isDone ? state.result : nil
      }
      for job in batch { job.runSynchronously(on: asUnownedTaskExecutor()) }
      if let end { return end }
      if batch.isEmpty { wait() }
      batch.removeAll(keepingCapacity: true)
    }
  }

  private func signal() {
    var one: UInt8 = 1
    _ = write(wakeUp.writing, &one, 1)
  }

  private func wait() {
    var bytes: (UInt64, UInt64) = (0, 0)
    _ = read(wakeUp.reading, &bytes, 16)
  }
}

/// SIGINT as a flag that the main loop looks at.
enum Interrupts {
  private static let pending = Atomic<Bool>(false)
  private static let descriptor = Atomic<Int32>(-1)

  /// Notes every SIGINT from now on and wakes whoever waits on the descriptor.
  static func watch(_ wakeUp: Int32) {
    descriptor.store(wakeUp, ordering: .sequentiallyConsistent)
    var action = sigaction()
    // No SA_RESTART: a read from standard input has to end, too.
    action.__sigaction_handler.sa_handler = { _ in Interrupts.note() }
    sigaction(SIGINT, &action, nil)
    signal(SIGPIPE, SIG_IGN)
  }

  /// Whether there was one since the last call.
  static func take() -> Bool { pending.exchange(false, ordering: .sequentiallyConsistent) }

  // Called in a signal handler: an atomic store and a write, both allowed there.
  private static func note() {
    pending.store(true, ordering: .sequentiallyConsistent)
    var one: UInt8 = 1
    _ = write(descriptor.load(ordering: .sequentiallyConsistent), &one, 1)
  }
}
