import BackendKit

extension Law {
  static let cancelling: [Law] = [cancellation]

  private static let cancellation = Law(
    "cancellation", .cancellation, "a cancelled call ends with `cancelled`; a write's error then tells its effect."
  ) { bench throws(Halt) in
    var calls: [(String, @Sendable (any Backend) async throws(BackendError) -> Void)] = []
    if bench.operations.contains(.list) {
      calls.append(
        (
          "list",
          { backend throws(BackendError) in try await Capabilities.Operation.list.call(bench.path, of: backend) }
        ))
    }
    if bench.operations.contains(.get) {
      calls.append(
        ("get", { backend throws(BackendError) in _ = try await backend.get(bench.plausibleID, from: bench.path) }))
    }
    if bench.operations.contains(.create) {
      let fields = try await bench.sandbox.fields()
      calls.append(
        ("create", { backend throws(BackendError) in _ = try await backend.create(fields, in: bench.path) }))
    }
    for (name, call) in calls {
      let error = try await bench.cancelledWhileStalled(name, call)
      try bench.require(
        error.code == .cancelled, "a \(name) was cancelled while the server held its answer back",
        expected: "the error \"cancelled\"", found: "the error \(error)")
      try bench.require(
        name != "create" || error.effect != .rejected, "a create was cancelled while the server held its answer back",
        expected: "that nobody can tell whether the record was made", found: "\"\(error.effect.rawValue)\"")
    }
    return .run
  }
}

extension Bench {
  /// Makes a call over a way that never answers, cancels it once it stands there, and returns its error.
  func cancelledWhileStalled(
    _ name: String, _ call: @escaping @Sendable (any Backend) async throws(BackendError) -> Void
  ) async throws(Halt) -> BackendError {
    let (backend, exchange) = try faulty(.stall)
    let task = Task { () -> BackendError? in
      do throws(BackendError) {
        try await call(backend)
        return nil
      } catch { return error }
    }
    // A call that fails before it sends anything never stands there.
    let meeting = Task { await exchange.isMet() }
    let ended = Task {
      _ = await task.value
      meeting.cancel()
    }
    await withTaskCancellationHandler {
      await meeting.value
    } onCancel: {
      task.cancel()
    }
    task.cancel()
    await ended.value
    guard let error = await task.value else {
      throw .breach(
        "a \(name) was cancelled while the server held its answer back", expected: "an error", found: "success")
    }
    return error
  }
}
