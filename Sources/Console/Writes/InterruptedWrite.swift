import BackendKit

/// A write that an interruption meets: its response is awaited for a moment, since nobody could tell otherwise whether it was done.
enum InterruptedWrite {
  private static let patience = Duration.seconds(1)

  /// Does what a write does, cancelled not before the moment is over.
  static func finished<Success: Sendable>(
    on executor: (any TaskExecutor)?, _ body: @escaping @Sendable () async throws(BackendError) -> Success
  ) async throws(BackendError) -> Success {
    if Task.isCancelled { return try await body() }
    let task = Task(executorPreference: executor) { () -> Result<Success, BackendError> in
      do throws(BackendError) { return .success(try await body()) } catch { return .failure(error) }
    }
    let result = await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      Task(executorPreference: executor) {
        try? await Task.sleep(for: patience)
        task.cancel()
      }
    }
    return try result.get()
  }
}
