import BackendKit
import Synchronization

/// Calls that are cancelled while the server holds its response.
extension Law {
  static let cancelling: [Law] = [
    Law(
      "cancelled calls", .cancellation,
      "a cancelled call ends immediately with `cancelled`, even in the middle of the response; the effect of a write is"
        + " then unknown if its request was sent.",
      parts: [.list, .get, .create, .update, .delete].map(cancelled) + [cancellation, cancelledBody]),
    cancelledBeforehand, afterCancellation, noMoreRequests,
  ]

  private static func cancelled(_ operation: Capabilities.Operation) -> Part {
    Part("cancelled \(operation.rawValue)") { context throws(CheckStop) in
      let call = try await context.call(operation)
      let exchange = FaultyExchange(context.traffic, .stall) { !call.isWrite || $0.mayWrite }
      try await context.cancel(call, over: exchange)
    }
  }

  private static let cancellation = Part("cancelled at first request") { context throws(CheckStop) in
    // The first request of each call is held, including reads before a write.
    var calls = try await context.calls.reads()
    if context.calls.hasWrites { calls += try await context.calls.writes(unsent: true) }
    for call in calls { try await context.cancel(call, over: FaultyExchange(context.traffic, .stall)) }
  }

  private static let cancelledBody = Part("cancelled during the response") { context throws(CheckStop) in
    for call in try await context.calls.reads() {
      try await context.cancel(call, over: FaultyExchange(context.traffic, .stalledBody(after: 8)))
    }
  }

  private static let cancelledBeforehand = Law(
    "cancelled before the call", .cancellation,
    "a write by a task that was already cancelled is never reported as applied."
  ) { context throws(CheckStop) in
    for call in try await context.calls.writes(unsent: true) {
      let exchange = FaultyExchange(context.traffic, .stall)
      let backend = try context.backend(over: exchange)
      let work = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        return await call.result(of: backend)
      }
      let outcome = await TimeLimit.run(context.subject.patience) { await work.value }
      let done = "\(call.words) by a task that was already cancelled"
      guard case .failure(let error)? = outcome else {
        throw .breach(
          done, expected: "the error \"cancelled\"", found: outcome == nil ? "a call that does not end" : "success")
      }
      try context.require(
        error.code == .cancelled && (error.effect == .notSent || error.effect == .unknown || error.effect == .rejected),
        done, expected: "the error \"cancelled\"", found: "the error \(error)")
    }
  }

  private static let afterCancellation = Law(
    "calls after a cancellation", .cancellation, "calls after a cancelled one work as if it had not been made."
  ) { context throws(CheckStop) in
    for call in try await context.calls.reads(pageSize: 3) {
      let before = try await context.attempt(call.words, await call.make(context.backend))
      let number = Mutex(0)
      let exchange = FaultyExchange(context.traffic, .stall) { _ in number.next() == 1 }
      let backend = try context.backend(over: exchange)
      try await context.cancel(call, of: backend, meeting: exchange)
      let done = "\(call.words) after such a call was cancelled"
      let after = try await context.attempt(done, await call.make(backend))
      try context.require(
        before == after, done, expected: "the same records", found: "\(after.count) different records")
    }
  }

  private static let noMoreRequests = Law(
    "enough stops requests", .cancellation, "once the sink has returned `enough`, no further request is made."
  ) { context throws(CheckStop) in
    _ = try await context.list(atLeast: 2)
    let counting = CountingExchange(context.traffic)
    let backend = try context.backend(over: counting)
    let asked = Mutex<Int?>(nil)
    let done = "a list was requested whose sink returned \"enough\" immediately"
    let sink = RecordSink { _ in
      asked.withLock { $0 = $0 ?? counting.count }
      return .enough
    }
    _ = try await context.attempt(done, await backend.list(context.query(pageSize: 1), at: nil, to: sink))
    let before = asked.withLock { $0 } ?? counting.count
    try context.require(
      counting.count == before, done, expected: "no further request",
      found: "the request \(counting.requests.last?.summary ?? "")")
  }
}

extension LawContext {
  fileprivate func call(_ operation: Capabilities.Operation) async throws(CheckStop) -> LawCall {
    try needs(operation)
    let isRead = operation == .list || operation == .get
    let calls = isRead ? try await calls.reads() : try await calls.writes(unsent: true)
    guard let call = calls.first(where: { $0.operation == operation }) else {
      throw .notApplicable("there is no record")
    }
    return call
  }

  fileprivate func cancel(_ call: LawCall, over exchange: FaultyExchange) async throws(CheckStop) {
    try await cancel(call, of: try backend(over: exchange), meeting: exchange)
  }

  /// Cancels a call once its request is held. Requires that it ends promptly with the right effect.
  fileprivate func cancel(
    _ call: LawCall, of backend: JudgedBackend, meeting exchange: FaultyExchange
  ) async throws(CheckStop) {
    let work = Task {
      await call.result(of: backend)
    }
    // A call that ends before it sends anything would never meet the fault.
    let meeting = Task { await exchange.isMet() }
    let ending = Task {
      _ = await work.value
      meeting.cancel()
    }
    await withTaskCancellationHandler {
      await meeting.value
    } onCancel: {
      work.cancel()
    }
    work.cancel()
    defer { ending.cancel() }
    let begin = ContinuousClock.now
    let outcome = await TimeLimit.run(subject.patience) { await work.value }
    guard !exchange.requests.isEmpty else { throw .notApplicable("\(call.words) without a request") }
    let done = "\(call.words) and cancelled while the server held back its response"
    guard let outcome else {
      throw .breach(done, expected: "an immediate end", found: "none after \(ContinuousClock.now - begin)")
    }
    guard case .failure(let error) = outcome else {
      throw .breach(done, expected: "the error \"cancelled\"", found: "success")
    }
    try require(error.code == .cancelled, done, expected: "the error \"cancelled\"", found: "the error \(error)")
    guard call.isWrite else { return }
    // If only a read was sent, the adapter knows that nothing was written.
    let wasWriting = exchange.requests.contains(where: \.mayWrite)
    let isTrue = wasWriting ? error.effect == .unknown : error.effect != .applied
    try require(
      isTrue, done, expected: wasWriting ? "the effect \"unknown\"" : "an effect other than \"applied\"",
      found: "\"\(error.effect.rawValue)\"")
  }
}
