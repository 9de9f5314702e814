import BackendKit

/// Awaits the response of an interrupted write for a moment, since its outcome would otherwise be unknown.
enum InterruptedWrite {
  private static let patience = Duration.seconds(1)

  /// Performs a write. Cancellation takes effect only after that moment.
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
