import BackendKit

extension Result where Failure == BackendError {
  static func of(_ call: @autoclosure () async throws(BackendError) -> Success) async -> Self {
    do throws(BackendError) { return .success(try await call()) } catch { return .failure(error) }
  }
}
