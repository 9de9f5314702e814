public import BackendKit
import Synchronization

/// Records that are being read before they are asked for, in the order in which they are going to be.
struct ReadAhead: Sendable {
  /// One of them.
  struct Entry: Sendable {
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

  private var entries: [Entry] = []
  /// The number of entries that were discarded.
  private(set) var unusedCount = 0

  /// Takes the first one where it is the one asked for; where another one is asked for, all are given up.
  mutating func take(_ id: RecordID, _ path: ResourcePath) -> Entry? {
    guard let first = entries.first else { return nil }
    if first.id == id, first.path == path { return entries.removeFirst() }
    giveUp()
    return nil
  }

  /// Begins to read those of the next ones that are not being read yet, and gives up what is not among them.
  mutating func read(
    _ next: [RecordID], in path: ResourcePath, by begin: (RecordID) -> Task<Result<Record, BackendError>, Never>
  ) {
    let known = zip(entries, next).prefix { $0.id == $1 && $0.path == path }.count
    giveUp(from: known)
    for id in next.dropFirst(known) { entries.append(Entry(id: id, path: path, task: begin(id))) }
  }

  /// Gives up all of them: they may not be so any more.
  mutating func giveUp() { giveUp(from: 0) }

  private mutating func giveUp(from place: Int) {
    unusedCount += entries.count - place
    entries[place...].forEach { $0.task.cancel() }
    entries.removeSubrange(place...)
  }
}

extension Client {
  /// Reads one record whole, and begins to read those that are going to be asked for by the very next calls, in this
  /// order.
  ///
  /// So their way to the server and back passes while this one is dealt with. A read of another one and every write
  /// give them up. They are read by tasks on `executor`.
  public func get(
    _ id: RecordID, from path: ResourcePath, readingAhead next: [RecordID], on executor: (any TaskExecutor)? = nil
  ) async throws(BackendError) -> Record {
    let known = ahead.withLock { ahead in
      let known = ahead.take(id, path)
      ahead.read(next, in: path) { next in
        Task(executorPreference: executor) {
          do throws(BackendError) { return .success(try await self.read(next, from: path)) } catch {
            return .failure(error)
          }
        }
      }
      return known
    }
    let record = if let known { try await known.record() } else { try await read(id, from: path) }
    see(record, in: path)
    return record
  }

  /// Gives up what is read ahead; returns how many records were read ahead in all and never asked for.
  public func endReadAhead() -> Int {
    ahead.withLock { ahead in
      ahead.giveUp()
      return ahead.unusedCount
    }
  }

  /// Gives up what is read ahead: it may not be so any more.
  func forgetReadAhead() { ahead.withLock { $0.giveUp() } }
}
