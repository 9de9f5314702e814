import Glibc
import Synchronization

/// Delivers Ctrl-C, and signals that ask the process to end, to the running command, and stops everything that would
/// come after it.
///
/// Commands do not clear an interruption: it stays until the source of commands, the prompt, takes it. One that asks
/// the process to end is permanent.
public final class Interruption: Sendable {
  /// The sender of a signal.
  public enum Sender: UInt8, Sendable {
    case terminal, process
  }

  // Global and atomic: they are written in a signal handler.
  private static let hasArrived = Atomic<Bool>(false)
  private static let ending = Atomic<Int32>(0)
  private static let isRunning = Atomic<Bool>(false)
  private static let isOver = Atomic<Bool>(false)

  /// Readable after each signal; -1 if there is none.
  private let descriptor: Int32
  private let raised = Atomic<Bool>(false)
  private let running = Mutex<[UnsafeTask]>([])
  private let onEnding = Mutex<(@Sendable () -> Void)?>(nil)

  // A task stays valid while it runs, and removes itself from the list before it ends.
  private struct UnsafeTask: @unchecked Sendable { let task: UnsafeCurrentTask }

  /// Creates an interruption that is not raised.
  ///
  /// - Parameter descriptor: the reading end of a non-blocking pipe that gets a byte, a ``Sender``, with each signal,
  ///   so that none is missed by a read of commands; stays open.
  public init(descriptor: Int32 = -1) { self.descriptor = descriptor }

  // MARK: In a signal handler

  /// Records a signal. Returns false if it has to end the process immediately: no commands run yet, or it is a SIGTERM
  /// after the end was requested. Async-signal-safe once `prepare` was called.
  public static func note(_ signal: Int32) -> Bool {
    if isOver.load(ordering: .sequentiallyConsistent) { return true }
    guard isRunning.load(ordering: .sequentiallyConsistent) else { return false }
    if signal != SIGINT,
      ending.compareExchange(expected: 0, desired: signal, ordering: .sequentiallyConsistent).original != 0
    {
      // A terminal that is closed may send it twice: by the kernel, and by the shell.
      return signal == SIGHUP
    }
    hasArrived.store(true, ordering: .sequentiallyConsistent)
    return true
  }

  /// To be called before the first signal can come.
  public static func prepare() {
    hasArrived.store(false, ordering: .sequentiallyConsistent)
    ending.store(0, ordering: .sequentiallyConsistent)
    isRunning.store(false, ordering: .sequentiallyConsistent)
    isOver.store(false, ordering: .sequentiallyConsistent)
  }

  /// Makes signals interrupt commands from now on.
  public static func begin() { isRunning.store(true, ordering: .sequentiallyConsistent) }

  /// Makes signals end the process immediately without changing the exit status, which is decided.
  public static func conclude() { isOver.store(true, ordering: .sequentiallyConsistent) }

  // MARK: Outside of one

  /// The signal that has asked the process to end, if any.
  package static var endingSignal: Int32? {
    let signal = ending.load(ordering: .sequentiallyConsistent)
    return signal == 0 ? nil : signal
  }

  /// The exit status of a run that was asked to end; nil if it was not.
  package static var endingStatus: ExitStatus? { endingSignal.map { $0 == SIGHUP ? .hungUp : .terminated } }

  /// True if long computations have to stop.
  package static var isDue: Bool { hasArrived.load(ordering: .relaxed) || Task.isCancelled }

  /// Cancels the running command, if any, and stops the script that it belongs to. If the process was asked to end, no
  /// more questions are asked.
  public func interrupt() {
    raised.store(true, ordering: .sequentiallyConsistent)
    running.withLock { $0.last?.task.cancel() }
    if Self.endingSignal != nil { onEnding.withLock { $0.take() }?() }
  }

  /// Calls `body` once the process is asked to end; immediately if it was before.
  public func whenEnding(_ body: @escaping @Sendable () -> Void) {
    onEnding.withLock { $0 = body }
    if Self.endingSignal != nil { onEnding.withLock { $0.take() }?() }
  }

  /// True if there is an interruption that was not handled yet.
  package var isRaised: Bool {
    raised.load(ordering: .sequentiallyConsistent) || Self.hasArrived.load(ordering: .sequentiallyConsistent)
  }

  /// Marks interruptions as handled, and returns whether there was one: at a terminal an interruption only affects
  /// earlier input.
  package func take() -> Bool {
    if Self.endingSignal != nil { return true }
    let isRaised = isRaised
    Self.hasArrived.store(false, ordering: .sequentiallyConsistent)
    raised.store(false, ordering: .sequentiallyConsistent)
    var bytes: (UInt64, UInt64) = (0, 0)
    while descriptor >= 0, read(descriptor, &bytes, 16) > 0 {}
    return isRaised
  }

  /// Waits until a descriptor is readable; false if there is an interruption.
  public func waitForInput(from input: Int32) -> Bool {
    var places = [
      pollfd(fd: input, events: Int16(POLLIN), revents: 0), pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
    ]
    while !isRaised {
      let count = poll(&places, 2, -1)
      guard count < 0, errno == EINTR else { return count > 0 && places[1].revents == 0 }
    }
    return false
  }

  /// Waits until a descriptor is readable, or until another process has interrupted this one: true if that came first.
  /// Signals of the terminal reach every process that uses it.
  func isSent(before end: Int32) -> Bool {
    var places = [
      pollfd(fd: end, events: Int16(POLLIN), revents: 0), pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
    ]
    while true {
      guard poll(&places, 2, -1) > 0 else { continue }
      if places[0].revents != 0 { return false }
      var senders = [UInt8](repeating: 0, count: 16)
      let count = read(descriptor, &senders, senders.count)
      if count > 0, senders[..<count].contains(Sender.process.rawValue) { return true }
    }
  }

  /// Runs a body as a task that `interrupt` cancels.
  package func scope<Success: Sendable>(_ body: @Sendable @escaping () async -> Success) async -> Success? {
    await withTaskGroup(of: Success.self) { group in
      group.addTask {
        withUnsafeCurrentTask { task in
          if let task { self.running.withLock { $0.append(UnsafeTask(task: task)) } }
        }
        defer { self.running.withLock { _ = $0.popLast() } }
        return await body()
      }
      return await group.next()
    }
  }
}
