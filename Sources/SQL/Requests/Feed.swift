import BackendClient
import BackendKit
import Files
import Synchronization

/// Passes the records of a list from the reading task to SQLite's thread.
final class Feed: Sendable {
  enum Event: Sendable {
    case records([Record])
    case end(Result<ListSummary, BackendError>)
  }

  private struct State {
    var events: [Event] = []
    var reader: CheckedContinuation<Void, Never>?
    var isUnwanted = false
  }

  private let state = Mutex(State())
  private let semaphore = Semaphore()
  /// The maximum number of batches that may wait.
  private static let most = 2

  init(_ request: ListRequest, of client: Client, by errands: Errands, counting counter: RequestCounter) {
    errands.start { [self] in
      do throws(BackendError) {
        let summary = try await counter.counting { () throws(BackendError) in
          try await client.list(request, to: sink(counter))
        }
        put(.end(.success(summary)))
      } catch { put(.end(.failure(error))) }
    }
  }

  private func sink(_ counter: RequestCounter) -> RecordSink {
    RecordSink { [self] records in
      put(.records(records))
      // A thread that does not notice that it was stopped no longer takes anything.
      await withTaskCancellationHandler {
        await withCheckedContinuation { reader in
          let mayGoOn = state.withLock { state in
            if state.events.count < Self.most || state.isUnwanted || Task.isCancelled { return true }
            state.reader = reader
            return false
          }
          if mayGoOn { reader.resume() }
        }
      } onCancel: {
        state.withLock { $0.reader.take() }?.resume()
      }
      return state.withLock(\.isUnwanted) || counter.isUsedUp ? .enough : .more
    }
  }

  private func put(_ event: Event) {
    state.withLock { $0.events.append(event) }
    semaphore.signal()
  }

  /// Blocks the thread until the next event.
  func next() -> Event {
    while true {
      semaphore.wait()
      let (event, reader) = state.withLock { state in
        let reader = state.reader
        state.reader = nil
        return (state.events.isEmpty ? nil : state.events.removeFirst(), reader)
      }
      reader?.resume()
      if let event { return event }
    }
  }

  /// Ends the reading, and blocks the thread until that is done.
  func stop() {
    let reader = state.withLock { state in
      state.isUnwanted = true
      let reader = state.reader
      state.reader = nil
      return reader
    }
    reader?.resume()
    while true { if case .end = next() { return } }
  }
}
