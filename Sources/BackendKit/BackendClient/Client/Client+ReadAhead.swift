public import BackendKit
import Synchronization

/// The first read of a command that has not begun yet.
public enum UpcomingRead: Sendable, Hashable {
  /// One record whole.
  case record(RecordID, ResourcePath)
  /// The first page of a list.
  case list(ListRequest)
}

/// Records and pages that are being read before they are asked for, in the order in which they are going to be.
struct ReadAhead: Sendable {
  /// The result of a read.
  enum Answer: Sendable {
    case record(Record)
    case page(FirstPage)
    /// Nothing that is worth keeping: it is read in its turn.
    case nothing
  }

  /// One of them.
  struct Entry: Sendable {
    let read: UpcomingRead
    let early: EarlyRead
    let task: Task<Result<Answer, BackendError>, Never>

    /// Waits for the result; whoever gives up waiting gives up the reading.
    func answer() async throws(BackendError) -> Answer {
      let result = await withTaskCancellationHandler {
        await task.value
      } onCancel: {
        task.cancel()
      }
      early.take()
      return try result.get()
    }
  }

  private var entries: [Entry] = []
  /// The number of entries that were discarded.
  private(set) var unusedCount = 0

  /// Takes the first one where it is the one asked for; where another one is asked for, all are given up.
  mutating func take(_ read: UpcomingRead) -> Entry? {
    guard let first = entries.first else { return nil }
    if first.read == read { return entries.removeFirst() }
    giveUp()
    return nil
  }

  /// Begins to read those of the next ones that are not being read yet, and gives up what is not among them.
  mutating func read(
    _ next: [UpcomingRead], by begin: (UpcomingRead, EarlyRead) -> Task<Result<Answer, BackendError>, Never>
  ) {
    let known = zip(entries, next).prefix { $0.read == $1 }.count
    giveUp(from: known)
    for read in next.dropFirst(known) {
      let early = EarlyRead()
      entries.append(Entry(read: read, early: early, task: begin(read, early)))
    }
  }

  /// Gives up all of them: they may not be so any more.
  mutating func giveUp() { giveUp(from: 0) }

  private mutating func giveUp(from place: Int) {
    unusedCount += entries.count - place
    entries[place...].forEach { $0.task.cancel() }
    entries.removeSubrange(place...)
  }
}

/// The first page of a list that was read before its turn.
struct FirstPage: Sendable {
  /// The largest number of records, since it is kept in memory until its turn.
  static let mostRecords = 1_000

  /// The query that the backend was given.
  let query: ListQuery
  let records: [Record]
  let end: PageEnd
  /// The time that it took.
  let time: Duration
}

extension Client {
  /// Reads one record whole, and begins what is going to be asked for by the very next calls, in this order.
  ///
  /// So their way to the server and back passes while this one is dealt with. A read of another one and every write
  /// give them up. They are read by tasks on `executor`.
  public func get(
    _ id: RecordID, from path: ResourcePath, readingAhead next: [UpcomingRead],
    on executor: (any TaskExecutor)? = nil
  ) async throws(BackendError) -> Record {
    var record: Record?
    let known = turn(.record(id, path), before: next, on: executor)
    if let known, case .record(let found) = try await known.answer() { record = found }
    let whole = if let record { record } else { try await read(id, from: path) }
    see(whole, in: path)
    return whole
  }

  /// Takes what was begun of a read whose turn has come, and begins the next ones.
  func turn(
    _ read: UpcomingRead, before next: [UpcomingRead], on executor: (any TaskExecutor)?
  ) -> ReadAhead.Entry? {
    ahead.withLock { ahead in
      let known = ahead.take(read)
      ahead.read(next) { read, early in
        Task(executorPreference: executor) {
          await EarlyRead.$current.withValue(early) { await self.answer(read) }
        }
      }
      return known
    }
  }

  private func answer(_ read: UpcomingRead) async -> Result<ReadAhead.Answer, BackendError> {
    do throws(BackendError) {
      switch read {
      case .record(let id, let path): return .success(.record(try await self.read(id, from: path)))
      case .list(let request): return .success(try await firstPage(of: request))
      }
    } catch { return .failure(error) }
  }

  /// Reads the first page of a list, unless nobody can say how large it is.
  private func firstPage(of request: ListRequest) async throws(BackendError) -> ReadAhead.Answer {
    let (work, _, resource) = try await prepare(request)
    let query = work.asked
    guard request.limit != 0, request.start?.cursor == nil, resource.capabilities.paging != .none,
      query.pageSize ?? resource.capabilities.defaultPageSize ?? .max <= FirstPage.mostRecords
    else { return .nothing }
    let held = Mutex<[Record]>([])
    let sink = RecordSink { records throws(BackendError) in
      let count = held.withLock { held in
        held += records
        return held.count
      }
      guard count <= FirstPage.mostRecords else {
        throw BackendError(.cancelled, "the page is too large to be kept", effect: .rejected)
      }
      return .more
    }
    let start = ContinuousClock.now
    do throws(BackendError) {
      let end = try await logged { () throws(BackendError) in try await backend.list(query, at: nil, to: sink) }
      let time = ContinuousClock.now - start
      return .page(FirstPage(query: query, records: held.withLock(\.self), end: end, time: time))
    } catch {
      if held.withLock(\.count) > FirstPage.mostRecords { return .nothing }
      throw error
    }
  }

  /// The description of the resource at a path, where no request is needed for it.
  public func resourceAtHand(_ path: ResourcePath) async -> ResourceDescription? {
    guard hasDescribed(path) else { return nil }
    return try? await resource(path)
  }

  /// Gives up what is read ahead; returns how many reads were sent ahead in all and never asked for.
  public func endReadAhead() -> Int {
    ahead.withLock { ahead in
      ahead.giveUp()
      return ahead.unusedCount
    }
  }

  /// Gives up what is read ahead: it may not be so any more.
  func forgetReadAhead() { ahead.withLock { $0.giveUp() } }
}
