import Synchronization

/// The way for Ctrl-C to reach the command that is running, and only that.
public final class Interruption: Sendable {
  private let running = Mutex<[UnsafeTask]>([])

  // A task stays valid while it runs, and it takes itself out of the list before it ends.
  private struct UnsafeTask: @unchecked Sendable { let task: UnsafeCurrentTask }

  /// Nothing to interrupt yet.
  public init() {}

  /// Cancels the command that is running, if one is.
  public func interrupt() { running.withLock { $0.last?.task.cancel() } }

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
