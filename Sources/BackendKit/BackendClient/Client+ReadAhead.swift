public import BackendKit
import Synchronization

/// One record that is being read before it is asked for.
struct ReadAhead: Sendable {
  let id: RecordID
  let path: ResourcePath
  let task: Task<Result<Record, BackendError>, Never>

  /// The record once it is there; whoever gives up waiting gives up the reading.
  func record() async throws(BackendError) -> Record {
    try await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }.get()
  }
}

extension Client {
  /// Reads one record whole, and begins to read the one that is going to be asked for by the very next call.
  ///
  /// So the next one's way to the server and back passes while this one is dealt with. One record at a time is read ahead;
  /// a read of another one and every write give it up. It is read by a task on `executor`.
  public func get(
    _ id: RecordID, from path: ResourcePath, readingAhead next: RecordID?, on executor: (any TaskExecutor)? = nil
  ) async throws(BackendError) -> Record {
    let known = takeReadAhead(of: id, from: path)
    if let next {
      let task = Task(executorPreference: executor) { () -> Result<Record, BackendError> in
        do throws(BackendError) { return .success(try await self.read(next, from: path)) } catch {
          return .failure(error)
        }
      }
      ahead.withLock { $0 = ReadAhead(id: next, path: path, task: task) }
    }
    let record = if let known { try await known.record() } else { try await read(id, from: path) }
    see(record, in: path)
    return record
  }

  private func takeReadAhead(of id: RecordID, from path: ResourcePath) -> ReadAhead? {
    let known = ahead.withLock { $0.take() }
    if let known, known.id == id, known.path == path { return known }
    known?.task.cancel()
    return nil
  }

  /// Gives up what is read ahead: it may not be so any more.
  func forgetReadAhead() { ahead.withLock { $0.take() }?.task.cancel() }
}
