import BackendTransport
import ConsoleSystem
import Glibc
import Synchronization

/// Runs the console's task on the main thread, so that a command without network needs no other thread.
///
/// From the first request on, the event loop of the network runs there, too: a request and its response then need no
/// thread switch.
final class MainLoop: TaskExecutor, LoopHost {
  private struct State {
    var jobs: [UnownedJob] = []
    var result: Int32?
    var network: (any HostedLoop)?
    /// True if the network's loop was asked to run the jobs but has not done so yet.
    var isScheduled = false
  }

  private let state = Mutex(State())
  /// The loop's thread wakes when something is written to its end.
  let wakeUp: (reading: Int32, writing: Int32)
  private let owner = pthread_self()
  private let onInterrupt: @Sendable () -> Void
  private let onIdle: @Sendable () -> Void
  private let end: @Sendable (Int32) -> Never

  /// A loop for the calling thread, or nil without free descriptors. `onInterrupt` is called for each signal that
  /// `Interrupts` handles, `onIdle` when a response is awaited, `end` with the body's result.
  init?(
    onInterrupt: @escaping @Sendable () -> Void, onIdle: @escaping @Sendable () -> Void,
    end: @escaping @Sendable (Int32) -> Never
  ) {
    guard let pipe = ClosedOnExec.pipe() else { return nil }
    wakeUp = pipe
    self.onInterrupt = onInterrupt
    self.onIdle = onIdle
    self.end = end
  }

  /// Queues a job, from any thread.
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let network: (any HostedLoop)? = state.withLock { state in
      state.jobs.append(job)
      guard !state.isScheduled else { return nil }
      state.isScheduled = state.network != nil
      return state.network
    }
    if let network, network.execute({ self.turn() }) { return }
    // A job from the loop's own thread is found before the loop waits.
    if pthread_equal(owner, pthread_self()) == 0 { signal() }
  }

  /// Makes the network's loop run on the main thread once the queued jobs are done.
  func host(_ loop: any HostedLoop) {
    state.withLock { $0.network = loop }
    signal()
  }

  /// Runs a body to its end.
  func run(_ body: @escaping @Sendable () async -> Int32) -> Never {
    Task(executorPreference: self) {
      let result = await body()
      self.state.withLock { $0.result = result }
      self.signal()
    }
    while true {
      turn()
      if let network = state.withLock({ $0.network }) {
        network.run(watching: wakeUp.reading) { self.turn() }
      }
      wait()
    }
  }

  private func turn() {
    while true {
      if Interrupts.take() { onInterrupt() }
      let (jobs, result) = state.withLock { state in
        state.isScheduled = false
        defer { state.jobs.removeAll() }
        return (state.jobs, state.result)
      }
      for job in jobs { job.runSynchronously(on: asUnownedTaskExecutor()) }
      if let result { end(result) }
      if jobs.isEmpty { break }
    }
    // After the requests that the jobs sent.
    _ = state.withLock { $0.network }?.execute(onIdle)
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
