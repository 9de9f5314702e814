import BackendKit
import Synchronization

/// Responses that arrive in an unusual way.
extension Law {
  static let dripping = Law(
    "byte-by-byte response", .faults,
    "records that arrive byte by byte are the same as records that arrive all at once."
  ) { context throws(CheckStop) in
    try await context.requireSame([(.drip, "the response arrived byte by byte")])
  }

  static let asTheyArrive = Law(
    "records are streamed", .faults, needs: [.list],
    "records of an unpaged list reach the sink before the last byte of the response has arrived."
  ) { context throws(CheckStop) in
    guard context.capabilities.paging == .none else { throw .notApplicable("lists are paged") }
    _ = try await context.list(atLeast: 1)
    let (backend, exchange) = try context.faulty(.heldEnd)
    let isEarly = Mutex(false)
    // Only a list that waits for the end of the response takes this long.
    let alarm = Task { [patience = context.subject.patience] in
      try? await Task.sleep(for: patience)
      exchange.release()
    }
    defer { alarm.cancel() }
    let done = "a list was requested and the last byte of the response was held back"
    let sink = RecordSink { records in
      if !records.isEmpty, !exchange.isReleased { isEarly.withLock { $0 = true } }
      exchange.release()
      return .more
    }
    _ = try await context.attempt(done, await backend.list(context.query(), at: nil, to: sink))
    try context.require(
      isEarly.withLock { $0 }, done, expected: "the first records", found: "none before the last byte")
  }
}
