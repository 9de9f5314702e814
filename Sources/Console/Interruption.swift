import Glibc
import Synchronization

/// The way for Ctrl-C to reach the command that is running, and to stop a script.
public final class Interruption: Sendable {
  /// Who has sent a SIGINT.
  public enum Sender: UInt8, Sendable {
    case terminal, process
  }

  /// Can be read from after each SIGINT; -1 where nothing tells of them.
  private let descriptor: Int32
  private let raised = Atomic<Bool>(false)
  private let running = Mutex<[UnsafeTask]>([])

  // A task stays valid while it runs, and it takes itself out of the list before it ends.
  private struct UnsafeTask: @unchecked Sendable { let task: UnsafeCurrentTask }

  /// Nothing to interrupt yet.
  ///
  /// - Parameter descriptor: the reading end of a pipe that does not block and gets a byte with each SIGINT, which is a
  ///   ``Sender``, so that none comes too early for a read of commands; stays open.
  public init(descriptor: Int32 = -1) { self.descriptor = descriptor }

  /// Cancels the command that is running, if one is, and stops the script that it belongs to.
  public func interrupt() {
    raised.store(true, ordering: .sequentiallyConsistent)
    running.withLock { $0.last?.task.cancel() }
  }

  /// Whether there was an interruption since the last `forget`.
  var isRaised: Bool { raised.load(ordering: .sequentiallyConsistent) }

  /// Takes what came so far as dealt with: at a terminal an interruption is over with the line or command that it met.
  func forget() {
    raised.store(false, ordering: .sequentiallyConsistent)
    var bytes: (UInt64, UInt64) = (0, 0)
    while descriptor >= 0, read(descriptor, &bytes, 16) > 0 {}
  }

  /// Waits until a descriptor can be read from; false where there was an interruption, before or meanwhile.
  func waitForInput(from input: Int32) -> Bool {
    var places = [
      pollfd(fd: input, events: Int16(POLLIN), revents: 0), pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
    ]
    while !isRaised {
      guard poll(&places, 2, -1) < 0, errno == EINTR else { return places[1].revents == 0 }
    }
    return false
  }

  /// Waits until a descriptor can be read from, or until another process has interrupted this one: true where that came
  /// first. What the terminal sends, it has sent to all that use it.
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
  func scope<Success: Sendable>(_ body: @Sendable @escaping () async -> Success) async -> Success? {
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
