import BackendKit
import Files
import Synchronization

/// Work that SQLite's thread passes to tasks, since only tasks can await a service.
final class Errands: Sendable {
  typealias Errand = @Sendable () async -> Void

  enum Order: Sendable {
    case run(Errand)
    /// Cancels running and later work.
    case cancel
  }

  private struct State {
    var orders: [Order] = []
    var waiter: CheckedContinuation<Order?, Never>?
    var isClosed = false
    var stop: SQLError?
  }

  private let state = Mutex(State())

  /// Starts work without waiting for it.
  func start(_ errand: @escaping Errand) { post(.run(errand)) }

  /// Starts work, and blocks the thread until it is done.
  func wait<Success: Sendable>(
    _ errand: @escaping @Sendable () async throws(BackendError) -> Success
  ) throws(SQLError) -> Success {
    try check()
    let reply = Reply<Result<Success, BackendError>>()
    start {
      do throws(BackendError) { reply.give(.success(try await errand())) } catch { reply.give(.failure(error)) }
    }
    do throws(BackendError) { return try reply.wait().get() } catch {
      try check()
      throw SQLError(error)
    }
  }

  var isStopped: Bool { state.withLock { $0.stop != nil } }

  func check() throws(SQLError) {
    if let stop = state.withLock(\.stop) { throw stop }
  }

  /// The time in which the thread notices that it was stopped, unless SQLite is in a single function, which cannot be
  /// interrupted.
  private static let patience = Duration.milliseconds(500)

  /// Stops the run; the first reason counts. A thread that does not notice is left to end by itself.
  func stop(_ error: SQLError) {
    state.withLock { $0.stop = $0.stop ?? error }
    post(.cancel)
    Task.detached { [self] in
      try? await Task.sleep(for: Self.patience)
      close()
    }
  }

  private func post(_ order: Order) {
    let waiter = state.withLock { state in
      let waiter = state.waiter
      state.waiter = nil
      if waiter == nil { state.orders.append(order) }
      return waiter
    }
    waiter?.resume(returning: order)
  }

  /// Ends the series of requests.
  func close() {
    let waiter = state.withLock { state in
      state.isClosed = true
      let waiter = state.waiter
      state.waiter = nil
      return waiter
    }
    waiter?.resume(returning: nil)
  }

  private func next() async -> Order? {
    await withCheckedContinuation { waiter in
      let order = state.withLock { state -> Order?? in
        if !state.orders.isEmpty { return state.orders.removeFirst() }
        if state.isClosed { return .some(nil) }
        state.waiter = waiter
        return nil
      }
      if let order { waiter.resume(returning: order) }
    }
  }

  /// Performs requests until it is closed, and then cancels what still runs.
  func serve() async {
    await withTaskGroup(of: Void.self) { group in
      while let order = await next() {
        switch order {
        case .run(let errand): group.addTask { await errand() }
        case .cancel: group.cancelAll()
        }
      }
      group.cancelAll()
    }
  }
}
