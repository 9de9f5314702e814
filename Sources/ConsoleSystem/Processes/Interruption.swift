import Glibc
import Synchronization

/// The way for Ctrl-C, and for the signals that ask the process to end, to reach the command that is running and to stop
/// all that would come after it.
///
/// Nothing that a command does takes an interruption back: it stays until whoever gives the commands takes it, which is
/// the prompt. One that asks the process to end stays for good.
public final class Interruption: Sendable {
  /// The sender of a signal.
  public enum Sender: UInt8, Sendable {
    case terminal, process
  }

  // Of the process, and atomic: they are written in a signal handler.
  private static let hasArrived = Atomic<Bool>(false)
  private static let ending = Atomic<Int32>(0)
  private static let isRunning = Atomic<Bool>(false)
  private static let isOver = Atomic<Bool>(false)

  /// Can be read from after each signal; -1 where nothing tells of them.
  private let descriptor: Int32
  private let raised = Atomic<Bool>(false)
  private let running = Mutex<[UnsafeTask]>([])
  private let onEnding = Mutex<(@Sendable () -> Void)?>(nil)

  // A task stays valid while it runs, and it takes itself out of the list before it ends.
  private struct UnsafeTask: @unchecked Sendable { let task: UnsafeCurrentTask }

  /// Nothing to interrupt yet.
  ///
  /// - Parameter descriptor: the reading end of a pipe that does not block and gets a byte with each signal, which is a
  ///   ``Sender``, so that none comes too early for a read of commands; stays open.
  public init(descriptor: Int32 = -1) { self.descriptor = descriptor }

  // MARK: In a signal handler

  /// Notes a signal. Returns false where it is to end the process at once: no commands are run yet, whatever takes so long,
  /// or the end was asked for before. Async-signal-safe once `prepare` was called.
  public static func note(_ signal: Int32) -> Bool {
    if isOver.load(ordering: .sequentiallyConsistent) { return true }
    guard isRunning.load(ordering: .sequentiallyConsistent) else { return false }
    if signal != SIGINT, ending.exchange(signal, ordering: .sequentiallyConsistent) != 0 { return false }
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

  /// Has signals be told to the commands from now on.
  public static func begin() { isRunning.store(true, ordering: .sequentiallyConsistent) }

  /// Has signals change nothing any more: the exit status is decided, and the process ends at once.
  public static func conclude() { isOver.store(true, ordering: .sequentiallyConsistent) }

  // MARK: Outside of one

  /// The signal that has asked the process to end; nil where none has.
  package static var endingSignal: Int32? {
    let signal = ending.load(ordering: .sequentiallyConsistent)
    return signal == 0 ? nil : signal
  }

  /// The exit status of a run that was asked to end; nil if it was not.
  package static var endingStatus: ExitStatus? { endingSignal.map { $0 == SIGHUP ? .hungUp : .terminated } }

  /// True if long work that does not wait for anything is to stop.
  package static var isDue: Bool { hasArrived.load(ordering: .relaxed) || Task.isCancelled }

  /// Cancels the running command, if any, and stops the script that it belongs to. If the process was asked to end, no
  /// more questions are asked.
  public func interrupt() {
    raised.store(true, ordering: .sequentiallyConsistent)
    running.withLock { $0.last?.task.cancel() }
    if Self.endingSignal != nil { onEnding.withLock { $0.take() }?() }
  }

  /// Has a body run once the process is asked to end; at once where it was asked before.
  public func whenEnding(_ body: @escaping @Sendable () -> Void) {
    onEnding.withLock { $0 = body }
    if Self.endingSignal != nil { onEnding.withLock { $0.take() }?() }
  }

  /// True if there was an interruption that has not been handled yet.
  package var isRaised: Bool {
    raised.load(ordering: .sequentiallyConsistent) || Self.hasArrived.load(ordering: .sequentiallyConsistent)
  }

  /// Takes what came so far as dealt with, and tells whether anything came: at a terminal an interruption is over with what
  /// was entered before it.
  package func take() -> Bool {
    if Self.endingSignal != nil { return true }
    let isRaised = isRaised
    Self.hasArrived.store(false, ordering: .sequentiallyConsistent)
    raised.store(false, ordering: .sequentiallyConsistent)
    var bytes: (UInt64, UInt64) = (0, 0)
    while descriptor >= 0, read(descriptor, &bytes, 16) > 0 {}
    return isRaised
  }

  /// Waits until a descriptor can be read from; false where there was an interruption, before or meanwhile, or where so many milliseconds
  /// have passed.
  public func waitForInput(from input: Int32, milliseconds: Int32 = -1) -> Bool {
    var places = [
      pollfd(fd: input, events: Int16(POLLIN), revents: 0), pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
    ]
    while !isRaised {
      let count = poll(&places, 2, milliseconds)
      guard count < 0, errno == EINTR else { return count > 0 && places[1].revents == 0 }
    }
    return false
  }

  /// Waits until a descriptor can be read, or until another process has interrupted this one: true if that came first.
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

  /// Runs a body as a task of its own that `interrupt` cancels.
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
