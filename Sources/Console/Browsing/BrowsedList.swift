import BackendClient
import BackendKit
import Synchronization

/// The records of a list as far as they were read, in a file unless they are few. A list of pages is read no further
/// than somebody looks.
final class BrowsedList: Sendable {
  private struct State {
    /// The number of records to read before the list waits.
    var wanted = 200
    var waiting: CheckedContinuation<Void, Never>?
    var isStopped = false
    var isTold = false
    var plan: QueryPlan?
    var end: Result<ListSummary, BackendError>?
  }

  let request: ListRequest
  private let spool: RecordSpool
  private let waits: Bool
  private let state = Mutex(State())

  /// An empty list. A list that the service sends at once is read whole: nothing waits on an open response.
  init(_ request: ListRequest, of resource: ResourceDescription, in spool: RecordSpool) {
    self.request = request
    self.spool = spool
    waits = resource.capabilities.paging != .none
  }

  /// The number of records read.
  var count: Int { spool.count }

  /// The summary or error with which the list ended; nil while there may be more.
  var end: Result<ListSummary, BackendError>? { state.withLock { $0.end } }

  /// The parts that the service does; nil before that is known.
  var plan: QueryPlan? { state.withLock { $0.plan } }

  /// The record at a place; nil if there is none, or it cannot be read from the file again.
  func record(at place: Int) -> Record? {
    guard place >= 0, place < spool.count else { return nil }
    do throws(BackendError) { return try spool.record(at: place) } catch { return nil }
  }

  /// Reads the list, and calls `changed` when there is more to show, once until the next ``look()``.
  func read(from client: Client, changed: @escaping @Sendable () -> Void) async {
    let end: Result<ListSummary, BackendError>
    do throws(BackendError) {
      let plan = try await client.explain(request)
      state.withLock { $0.plan = plan }
      end = .success(
        try await client.list(
          request,
          to: RecordSink { records throws(BackendError) in
            try self.spool.add(records)
            self.tell(changed)
            await self.room()
            return self.state.withLock { $0.isStopped } ? .enough : .more
          }))
    } catch { end = .failure(error) }
    finish(end)
    tell(changed)
  }

  /// Ends the list: nothing more is read. One that was stopped is replaced by another, and has no end to tell.
  func finish(_ end: Result<ListSummary, BackendError>) { state.withLock { if !$0.isStopped { $0.end = end } } }

  private func tell(_ changed: () -> Void) {
    let isNew = state.withLock { state in
      defer { state.isTold = true }
      return !state.isTold
    }
    if isNew { changed() }
  }

  /// Takes notice of what was read: later records are told again.
  func look() { state.withLock { $0.isTold = false } }

  /// Waits until more records are wanted.
  private func room() async {
    await withCheckedContinuation { continuation in
      let goesOn = state.withLock { state in
        if !waits || state.isStopped || spool.count < state.wanted { return true }
        state.waiting = continuation
        return false
      }
      if goesOn { continuation.resume() }
    }
  }

  /// Sets how many records to read.
  func want(_ count: Int) {
    resume { state in
      state.wanted = count
      return spool.count < count
    }
  }

  /// Ends the reading; what was read remains.
  func stop() {
    resume { state in
      state.isStopped = true
      return true
    }
  }

  private func resume(if goesOn: (inout State) -> Bool) {
    let waiting = state.withLock { state in goesOn(&state) ? state.waiting.take() : nil }
    waiting?.resume()
  }
}
